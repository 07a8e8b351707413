package verify

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"afterimage/internal/page"
	"afterimage/internal/verify/css"
)

// within builds elements at places below a first one, which holds them.
func within(holder page.Element, kids ...page.Element) []page.Element {
	for i := range kids {
		kids[i].Parent = 1
	}
	return append([]page.Element{holder}, kids...)
}

func boxed(tag, role, text string, x0, y0, x1, y1 int) page.Element {
	return page.Element{Box: page.BoxOf(image.Rect(x0, y0, x1, y1)), Selector: fmt.Sprintf("body > %s at %d %d", tag, x0, y0), Tag: tag,
		Role: role, Text: text}
}

// slide is a text with the dots of a pager below it, one of which is dark.
func slide(text, source string, dark, dots int) Page {
	elements := []page.Element{boxed("div", "", "", 100, 100, 900, 400), boxed("p", "paragraph", text, 100, 100, 900, 140),
		boxed("img", "img", "", 100, 140, 500, 340), boxed("div", "", "", 100, 350, 900, 370)}
	elements[1].Parent, elements[2].Parent, elements[3].Parent = 1, 1, 1
	elements[2].Source = source
	for i := range dots {
		dot := boxed("span", "", "", 100+20*i, 350, 110+20*i, 360)
		dot.Parent, dot.Background = 4, "#cccccc"
		if i == dark {
			dot.Background = "#333333"
		}
		elements = append(elements, dot)
	}
	return withElements(elements...)
}

// TestPagers: what stands beside a pager that moved on is another slide, if it is of the same form.
func TestPagers(t *testing.T) {
	for name, test := range map[string]struct {
		after Page
		want  Category
	}{
		"another slide":          {slide("Narrow bridge", "/b.jpg", 1, 4), AllGood},
		"the pager stayed":       {slide("Narrow bridge", "/b.jpg", 0, 4), NotSure},
		"a key":                  {slide("teaser.title", "/b.jpg", 1, 4), NotSure},
		"a message of a program": {slide("undefined", "/b.jpg", 1, 4), Alert},
		"nothing":                {slide("", "/b.jpg", 1, 4), NotSure},
		"a long text":            {slide("Narrow bridge over a river that is much longer than the first one was", "/b.jpg", 1, 4), NotSure},
	} {
		if v := judged(t, slide("Golden garden", "/a.jpg", 0, 4), test.after, image.Rect(100, 100, 900, 370)); v.Category != test.want {
			t.Errorf("%s: %s by %s: %s", name, v.Category, v.Code, v.Reason)
		}
	}
	two := judged(t, slide("Golden garden", "/a.jpg", 0, 2), slide("Narrow bridge", "/b.jpg", 1, 2), image.Rect(100, 100, 900, 370))
	if two.Category == AllGood {
		t.Error("two parts that exchange their looks are a pager")
	}
}

// TestCountsOfPagers: "3 / 6" between buttons is the number of a slide, and a division by another number is not; without any, it may be
// a rating.
func TestCountsOfPagers(t *testing.T) {
	p := func(text string) Page {
		return withElements(within(boxed("div", "", "", 80, 100, 320, 120), boxed("button", "button", "‹", 80, 100, 100, 120),
			boxed("span", "", text, 100, 100, 300, 120), boxed("button", "button", "›", 300, 100, 320, 120))...)
	}
	alone := func(text string) Page { return withElements(boxed("span", "", text, 100, 100, 300, 120)) }
	if v := judged(t, alone("3 / 6"), alone("4 / 6"), image.Rect(100, 100, 300, 120)); v.Category != NotSure {
		t.Errorf("without buttons: %s by %s: %s", v.Category, v.Code, v.Reason)
	}
	for after, want := range map[string]Category{"4 / 6": AllGood, "4 / 7": NotSure, "120 / 6": NotSure} {
		if v := judged(t, p("3 / 6"), p(after), image.Rect(100, 100, 300, 120)); v.Category != want {
			t.Errorf("%s: %s by %s: %s", after, v.Category, v.Code, v.Reason)
		}
	}
}

// entriesOf is a list with an entry for each text.
func entriesOf(texts ...string) Page {
	var kids []page.Element
	for i, text := range texts {
		kids = append(kids, boxed("li", "listitem", text, 100, 100+30*i, 900, 130+30*i))
	}
	return withElements(within(boxed("ul", "list", "", 100, 100, 900, 300), kids...)...)
}

// TestListsThatMoveOn: entries that say how old they are come at one end and leave at the other, and those that stay are the same but
// for their ages.
func TestListsThatMoveOn(t *testing.T) {
	plain := judged(t, entriesOf("One", "Two", "Three", "Four"), entriesOf("Seven", "Six", "Five", "One"), image.Rect(100, 100, 900, 260))
	if plain.Category == AllGood {
		t.Errorf("entries without an age: %s by %s: %s", plain.Category, plain.Code, plain.Description)
	}
	entriesOf := func(names ...string) Page {
		for i, name := range names {
			if !strings.HasSuffix(name, "ago") {
				names[i] = name + ", an hour ago"
			}
		}
		return entriesOf(names...)
	}
	before := entriesOf("One", "Two", "Three", "Four")
	for name, test := range map[string]struct {
		after  Page
		silent bool
	}{
		"three new ones":      {entriesOf("Seven", "Six", "Five", "One"), true},
		"one more than left":  {entriesOf("Six", "Five", "One", "Two", "Three"), true},
		"two only left":       {entriesOf("One", "Two"), false},
		"one in the middle":   {entriesOf("One", "Five", "Three"), false},
		"two at the same end": {entriesOf("Five", "Six", "Seven"), false},
	} {
		if v := judged(t, before, test.after, image.Rect(100, 100, 900, 260)); (v.Category == AllGood) != test.silent {
			t.Errorf("%s: %s by %s: %s", name, v.Category, v.Code, v.Reason)
		}
	}
	aged := judged(t, entriesOf("A, 3 minutes ago", "B, 5 minutes ago", "C, 9 minutes ago"),
		entriesOf("D, 1 minute ago", "A, 8 minutes ago", "B, 10 minutes ago"), image.Rect(100, 100, 900, 200))
	if aged.Category != AllGood {
		t.Errorf("entries whose ages changed: %s by %s: %s", aged.Category, aged.Code, aged.Description)
	}
}

// TestSmallFixedBoxes: a small box at the edge of the screen may come; upon a control, large, or with a control it may not.
func TestSmallFixedBoxes(t *testing.T) {
	with := func(box image.Rectangle, role string, elements ...page.Element) Page {
		added := page.Element{Box: page.BoxOf(box), Selector: "html > body > div", Tag: "div", Role: role, Fixed: true}
		return withElements(append(elements, added)...)
	}
	corner, band := image.Rect(800, 800, 980, 920), image.Rect(0, 300, 1000, 700)
	plain := boxed("p", "paragraph", "Words", 100, 40, 300, 60)
	control := boxed("button", "button", "Send", 860, 860, 900, 890)
	saying := with(corner, "", plain)
	saying.Elements[len(saying.Elements)-1].Text = "Closed all week"
	for name, test := range map[string]struct {
		before, after Page
		box           image.Rectangle
		want          Category
	}{
		"comes":            {withElements(plain), with(corner, "", plain), corner, AllGood},
		"goes":             {with(corner, "", plain), withElements(plain), corner, AllGood},
		"upon a control":   {withElements(plain, control), with(corner, "", plain, control), corner, Alert},
		"says something":   {withElements(plain), saying, corner, NotSure},
		"large":            {withElements(plain), with(band, "", plain), band, NotSure},
		"a button is gone": {with(corner, "button", plain), withElements(plain), corner, Alert},
	} {
		if v := judged(t, test.before, test.after, test.box); v.Category != test.want {
			t.Errorf("%s: %s by %s: %s", name, v.Category, v.Code, v.Reason)
		}
	}
}

// TestDrawings: whether a chart shows other values or a logo other lines, nothing says that it does so by itself.
func TestDrawings(t *testing.T) {
	box := image.Rect(100, 100, 500, 300)
	drawn := Surface{Known: true, Deviation: 0.3, Edges: 0.1, Uniform: 0.4, Mean: [3]float64{0.2, 0.4, 0.6}}
	less := drawn
	less.Edges, less.Uniform = 0.01, 0.95
	for name, test := range map[string]struct {
		role  string
		after Surface
		want  Category
	}{"a chart": {"", drawn, NotSure}, "a logo": {"link", drawn, NotSure}, "few lines left": {"", less, NotSure}} {
		p := withElements(within(boxed("div", test.role, "", 90, 90, 510, 310), boxed("svg", "", "", 100, 100, 500, 300))...)
		r := Region{ID: 7, Box: box, BeforeBox: box, Pixels: 9000, MeanDelta: 0.4, SSIM: 0.3, Before: drawn, After: test.after}
		if v := verified(t, &Pair{Before: p, After: p, Regions: []Region{r}}).Verdicts[0]; v.Category != test.want {
			t.Errorf("%s: %s by %s: %s", name, v.Category, v.Code, v.Reason)
		}
	}
}

// TestNumbersAmongMovingOnes: a rate beside its trend changes by itself, a price beside it does not.
func TestNumbersAmongMovingOnes(t *testing.T) {
	table := func(figures []string, trend string) Page {
		elements := []page.Element{boxed("table", "table", "", 100, 100, 900, 300)}
		for i, figure := range figures {
			row := boxed("tr", "row", "", 100, 100+30*i, 900, 130+30*i)
			row.Parent = 1
			elements = append(elements, row)
			at := len(elements)
			for n, text := range []string{fmt.Sprintf("Name %c", 'A'+i), figure, fmt.Sprintf("▲ %d%s", i, trend)} {
				cell := boxed("td", "cell", text, 100+200*n, 100+30*i, 300+200*n, 130+30*i)
				cell.Parent = at
				elements = append(elements, cell)
			}
		}
		return withElements(elements...)
	}
	for name, test := range map[string]struct {
		before, after []string
		want          Category
	}{
		"rates":  {[]string{"51.68", "2.82", "30.18"}, []string{"48.60", "2.52", "32.50"}, AllGood},
		"prices": {[]string{"£51.68", "£2.82", "£30.18"}, []string{"£48.60", "£2.52", "£32.50"}, NotSure},
	} {
		if v := judged(t, table(test.before, ".4 %"), table(test.after, ".7 %"), image.Rect(100, 100, 900, 200)); v.Category != test.want {
			t.Errorf("%s: %s by %s: %s, %s", name, v.Category, v.Code, v.Reason, v.Description)
		}
	}
}

// TestQuestionsToAddUp: a captcha asks with other numbers.
func TestQuestionsToAddUp(t *testing.T) {
	p := func(text string) Page { return withElements(boxed("label", "label", text, 100, 100, 300, 120)) }
	if v := judged(t, p("4 + 6 ="), p("9 + 7 ="), image.Rect(100, 100, 300, 120)); v.Category != AllGood || v.Code != CodeCaptcha {
		t.Errorf("%s by %s: %s", v.Category, v.Code, v.Reason)
	}
}

// TestANumberInAnotherColour is one only if nothing but the number and colours changed.
func TestANumberInAnotherColour(t *testing.T) {
	colour := css.Change{Property: "color", Before: "#008000", After: "#ff0000"}
	padding := css.Change{Property: "padding", Before: "6px", After: "14px"}
	for name, c := range map[string]struct {
		was, is string
		styles  []css.Change
		want    bool
	}{
		"a number that falls":         {"+1.2 %", "-0.4 %", []css.Change{colour}, true},
		"a number with more room":     {"+1.2 %", "-0.4 %", []css.Change{colour, padding}, false},
		"a button with other letters": {"SIGN IN", "sign in", []css.Change{colour}, false},
	} {
		f := &Finding{Change: StyleChanged, Before: "text colour #008000", Element: &page.Element{Text: c.is}, styles: c.styles,
			elementBefore: &page.Element{Text: c.was}}
		if got := colouredNumber(&scene{Finding: f}) != ""; got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
