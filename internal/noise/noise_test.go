package noise_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"afterimage/internal/noise"
	"afterimage/internal/page"
)

var epoch = time.Date(2031, 3, 3, 6, 0, 0, 0, time.UTC)

// look is what the varying parts of the test page show.
type look struct {
	banner   bool
	slide    string
	height   int // of the slide
	text     string
	price    string
	items    []string // of a list with prices
	color    string
	elements []page.Element
}

// elements are the elements of a page with a slide, a text, a price and a list.
func (l look) page() []page.Element {
	add := func(parent int, selector, tag, text string, box page.Box) int {
		l.elements = append(l.elements, page.Element{
			Number: len(l.elements), Parent: parent, Selector: selector, Tag: tag, Text: text, Box: box, Font: "16px Arial", Color: l.color,
		})
		return len(l.elements) - 1
	}
	y, div := 0, 1
	body := add(-1, "html > body", "body", "", page.Box{Width: 1200, Height: 2000})
	if l.banner {
		add(body, "html > body > section:nth-of-type(1)", "section", "We have moved", page.Box{Width: 1200, Height: 80})
		y = 80
	}
	hero := add(body, "html > body > div:nth-of-type(1)", "div", "", page.Box{Y: y, Width: 1200, Height: l.height})
	if l.slide != "" {
		add(hero, "html > body > div:nth-of-type(1) > img", "img", "", page.Box{Y: y, Width: 1200, Height: l.height})
		l.elements[len(l.elements)-1].Source = l.slide
	}
	y += l.height
	place := func(tag, text string) {
		div++
		add(body, fmt.Sprintf("html > body > %s:nth-of-type(%d)", tag, div), tag, text, page.Box{Y: y, Width: 1200, Height: 40})
		y += 40
	}
	place("p", l.text)
	place("p", l.price)
	place("h1", "Everything for the garden")
	place("p", "We deliver to your door, whatever the weather.")
	list := add(body, "html > body > ul", "ul", "", page.Box{Y: y, Width: 1200, Height: 30 * len(l.items)})
	for i, item := range l.items {
		name, price, _ := strings.Cut(item, "=")
		li := fmt.Sprintf("html > body > ul > li:nth-of-type(%d)", i+1)
		entry := add(list, li, "li", "", page.Box{Y: y, Width: 1200, Height: 30})
		add(entry, li+" > b", "b", name, page.Box{Y: y, Width: 300, Height: 30})
		add(entry, li+" > i", "i", price, page.Box{X: 300, Y: y, Width: 100, Height: 30})
		y += 30
	}
	return l.elements
}

func usual() look {
	return look{
		slide: "/slides/1.jpg", height: 400, text: "A fine day for tulips and roses", price: "$4.20", color: "#000000",
		items: []string{"Spade=$19.90", "Rake=$14.50", "Hose=$31.00"},
	}
}

// learn observes the looks one after the other, a day apart.
func learn(k *noise.Knowledge, looks ...look) *noise.Knowledge {
	for i := 1; i < len(looks); i++ {
		at := epoch
		if len(k.Visits) > 0 {
			at = k.Visits[0].At.Add(24 * time.Hour)
		}
		k.Observe(&noise.Pair{
			Visit:  noise.Visit{At: at, Source: noise.FromMonitoring, Comparison: fmt.Sprint("c", len(k.Visits)+1)},
			Before: looks[i-1].page(), After: looks[i].page(),
		})
	}
	return k
}

// explain explains the change of the element with a selector, in either page.
func explain(k *noise.Knowledge, before, after look, selector string) noise.Explanation {
	was, is := before.page(), after.page()
	return k.On(was, is).Explain(noise.Change{Before: find(was, selector), After: find(is, selector)})
}

func find(elements []page.Element, selector string) int {
	for i := range elements {
		if elements[i].Selector == selector {
			return i
		}
	}
	return -1
}

const (
	slide = "html > body > div:nth-of-type(1) > img"
	words = "html > body > p:nth-of-type(2)"
	price = "html > body > p:nth-of-type(3)"
)

// series are the usual looks with one change each.
func series(change func(*look, int), n int) []look {
	looks := make([]look, n)
	for i := range looks {
		looks[i] = usual()
		change(&looks[i], i)
	}
	return looks
}

func TestAPartThatVariesIsQuietWithinItsForm(t *testing.T) {
	text := func(texts ...string) func(*look, int) {
		return func(l *look, i int) { l.text = texts[i%len(texts)] }
	}
	says := func(text string) func(*look) { return func(l *look) { l.text = text } }
	slides := func(l *look, i int) { l.slide = fmt.Sprintf("/slides/%d.jpg", 1+i%4) }
	prices := func(l *look, i int) { l.price = fmt.Sprintf("$%d.%02d", 4+i%3, 10*i) }
	sales := func(l *look, i int) {
		all := []string{"Spade=$19.90", "Rake=$14.50", "Hose=$31.00", "Pot=$3.10", "Seeds=$1.95"}
		l.items = []string{all[i%5], all[(i+1)%5], all[(i+3)%5]}
	}
	for name, c := range map[string]struct {
		vary     func(*look, int)
		next     func(*look)
		selector string
		quiet    bool
		reason   string
	}{
		"known slide": {slides, func(l *look) { l.slide = "/slides/3.jpg" }, slide, true,
			"This part changed in 5 of 5 earlier visits and shows one of 4 known values."},
		"new slide":                 {slides, func(l *look) { l.slide = "/slides/9.jpg" }, slide, true, "shows a known form"},
		"another kind of picture":   {slides, func(l *look) { l.slide = "/errors/missing.gif" }, slide, false, "never showed"},
		"no slide":                  {slides, func(l *look) { l.slide = "" }, slide, false, ""},
		"another height":            {slides, func(l *look) { l.slide, l.height = "/slides/3.jpg", 150 }, slide, false, "never showed"},
		"another count":             {text("12 visitors", "18 visitors", "9 visitors"), says("23 visitors"), words, true, ""},
		"count that is none":        {text("12 visitors", "18 visitors"), says("NaN visitors"), words, false, "never showed"},
		"count with other words":    {text("12 visitors", "18 visitors"), says("12 errors"), words, false, ""},
		"count out of reach":        {text("12 visitors", "18 visitors"), says("918273 visitors"), words, false, ""},
		"another time ago":          {text("2 hours ago", "3 minutes ago", "yesterday"), says("5 days ago"), words, true, ""},
		"empty":                     {text("12 visitors", "18 visitors"), says(""), words, false, ""},
		"another date":              {text("3 March", "4 March", "5 March"), says("6 March"), words, true, ""},
		"a date that is a sentence": {text("3 March", "4 March"), says("There is nothing to be seen here"), words, false, ""},
		"another saying": {text("Roses are red this year", "Violets bloom in spring", "Sow poppies early"),
			says("Tulips want the sun"), words, true, ""},
		"error for a saying": {text("Roses are red this year", "Violets bloom in spring", "Sow poppies early"),
			says("Error: no saying"), words, false, ""},
		"key for a saying": {text("Roses are red this year", "Violets bloom in spring", "Sow poppies early"),
			says("home.teaser.title"), words, false, "never showed"},
		"another address":       {text("roses.example.com", "violets.example.com"), says("poppies.example.com"), words, true, ""},
		"another price":         {prices, func(l *look) { l.price = "$5.55" }, price, true, ""},
		"price without a value": {prices, func(l *look) { l.price = "$0.00" }, price, false, ""},
		"price out of reach":    {prices, func(l *look) { l.price = "$559.00" }, price, false, ""},
		"other wares": {sales, func(l *look) { l.items = []string{"Pot=$3.10", "Spade=$19.90", "Seeds=$1.95"} },
			"html > body > ul > li:nth-of-type(1) > i", true, ""},
		"wrong price of a ware": {sales, func(l *look) { l.items = []string{"Pot=$9.10", "Spade=$19.90", "Seeds=$1.95"} },
			"html > body > ul > li:nth-of-type(1) > i", false, ""},
		"part that never varied": {slides, says("Closed for good"), words, false, ""},
	} {
		looks := series(c.vary, 6)
		k := learn(&noise.Knowledge{}, looks...)
		next := looks[5]
		c.next(&next)
		got := explain(k, looks[5], next, c.selector)
		if got.Quiet != c.quiet || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestOneChangeIsNoHabit(t *testing.T) {
	looks := series(func(l *look, i int) {
		if i > 3 {
			l.text = "Another text"
		}
	}, 8)
	k := learn(&noise.Knowledge{}, looks...)
	next := usual()
	next.text = "A third text"
	if got := explain(k, looks[7], next, words); got.Quiet || !got.Known || got.Changed != 1 || got.Visits != 7 {
		t.Errorf("%+v", got)
	}
}

func TestReviewsCorrectWhatWasLearned(t *testing.T) {
	var k noise.Knowledge
	looks := series(func(l *look, i int) { l.text = fmt.Sprintf("Words that were never said, variant %c of them", 'a'+i) }, 4)
	for i := range 3 {
		k.Observe(&noise.Pair{
			Visit:    noise.Visit{At: epoch.AddDate(0, 0, i), Source: noise.FromMonitoring, Comparison: fmt.Sprint("c", i+1)},
			Before:   looks[i].page(),
			After:    looks[i+1].page(),
			Reported: map[string]noise.Report{words: []noise.Report{noise.Unsure, noise.Unsure, noise.Alarm}[i]},
		})
	}
	next := usual()
	next.text = "Words that were never said, and another variant"
	changed := func(rejected, confirmed []string) int {
		k.Review(rejected, confirmed)
		return explain(&k, looks[3], next, words).Changed
	}
	for _, c := range []struct {
		rejected, confirmed []string
		want                int
	}{
		{nil, nil, 2}, {[]string{"c1"}, nil, 1}, {[]string{"c1", "c2"}, nil, 0}, {nil, []string{"c3"}, 3},
		{[]string{"of another page"}, nil, 2},
	} {
		if got := changed(c.rejected, c.confirmed); got != c.want {
			t.Errorf("rejected %v, confirmed %v: %d changes, want %d", c.rejected, c.confirmed, got, c.want)
		}
	}
}

func TestMarksDecide(t *testing.T) {
	looks := series(func(l *look, i int) { l.slide = fmt.Sprintf("/slides/%d.jpg", 1+i%4) }, 6)
	k := learn(&noise.Knowledge{}, looks...)
	next := looks[5]
	next.slide = "/slides/3.jpg"
	k.Find(slide).Mark = noise.MarkContent
	if got := explain(k, looks[5], next, slide); got.Quiet || got.Reason != "This part was marked as content." {
		t.Errorf("%+v", got)
	}
	if !k.Forget(slide) || k.Forget(slide) || k.Find(slide) != nil {
		t.Error("the part is not forgotten")
	}
}

func TestALayoutThatMovesKeepsWhatIsKnown(t *testing.T) {
	looks := series(func(l *look, i int) { l.slide = fmt.Sprintf("/slides/%d.jpg", 1+i%4) }, 6)
	k := learn(&noise.Knowledge{}, looks...)
	with := looks[5]
	with.banner, with.slide = true, "/slides/4.jpg"
	if got := explain(k, looks[5], with, slide); !got.Quiet {
		t.Errorf("below a banner: %+v", got)
	}
}

func TestARedesignIsForgottenAndAFailureIsNot(t *testing.T) {
	looks := series(func(l *look, i int) { l.slide = fmt.Sprintf("/slides/%d.jpg", 1+i%4) }, 6)
	other := []page.Element{}
	for i := range 12 {
		other = append(other, page.Element{Number: i, Parent: -1, Tag: "td", Selector: fmt.Sprintf("#cell%d", i), Text: "Something else"})
	}
	observe := func(k *noise.Knowledge, before, after []page.Element) {
		k.Observe(&noise.Pair{Visit: noise.Visit{At: k.Visits[0].At.Add(time.Hour)}, Before: before, After: after})
	}
	k := learn(&noise.Knowledge{}, looks...)
	observe(k, looks[5].page(), other)
	if len(k.Parts) == 0 || len(k.Visits) != 5 {
		t.Error("one failure is taken for a redesign")
	}
	observe(k, looks[5].page(), other)
	if len(k.Parts) != 0 || len(k.Visits) != 0 {
		t.Error("the redesign is not seen")
	}
}

func TestOldKnowledgeFades(t *testing.T) {
	k := learn(&noise.Knowledge{}, series(func(l *look, i int) { l.slide = fmt.Sprintf("/slides/%d.jpg", 1+i%4) }, 6)...)
	for i := range noise.Window {
		if i < noise.Window-1 && len(k.Parts) == 0 && i < noise.Window-5 {
			t.Fatalf("forgotten after %d visits", i)
		}
		k.Unchanged(noise.Visit{At: k.Visits[0].At.Add(time.Hour)})
	}
	if len(k.Parts) != 0 || len(k.Visits) != noise.Window {
		t.Errorf("%d parts, %d visits", len(k.Parts), len(k.Visits))
	}
	k = learn(&noise.Knowledge{}, series(func(l *look, i int) { l.slide = fmt.Sprintf("/slides/%d.jpg", 1+i%4) }, 6)...)
	k.Unchanged(noise.Visit{At: k.Visits[0].At.AddDate(1, 0, 0)})
	if len(k.Parts) != 0 || len(k.Visits) != 1 {
		t.Errorf("after a year: %d parts, %d visits", len(k.Parts), len(k.Visits))
	}
}

func TestFormOf(t *testing.T) {
	for text, want := range map[string]noise.Form{
		"": noise.FormEmpty, " – ": noise.FormEmpty,
		"Hello": noise.FormText, "3 March 2031": noise.FormDate, "2031-03-03": noise.FormDate,
		"3. März": noise.FormDate, "14:05": noise.FormTime, "2 hours ago": noise.FormRelative, "vor 3 Stunden": noise.FormRelative,
		"yesterday": noise.FormRelative, "$4.20": noise.FormPrice, "from 7,80 €": noise.FormPrice, "1,204 views": noise.FormCount,
		"42": noise.FormCount, "NaN": noise.FormFault, "undefined": noise.FormFault, "Hello {{name}}": noise.FormFault,
		"5 mètres": noise.FormCount, "6 année": noise.FormCount, "5 días": noise.FormRelative, "14. März": noise.FormDate,
		"home.teaser.title": noise.FormKey, "[teaser.title]": noise.FormKey, "HOME_TITLE": noise.FormKey,
		"common:action.more": noise.FormKey,
		"ui_menu_close":      noise.FormKey, "www.example.com": noise.FormKey, "Node.js": noise.FormText, "e.g.": noise.FormText,
		"NATO": noise.FormText, "a.m.": noise.FormText, "St.Gallen": noise.FormText, "open.": noise.FormText, "word…": noise.FormText,
		"home.title is missing": noise.FormText, "U.S.A.": noise.FormText,
		"An error occurred": noise.FormFault, "Ten things that you should know about the 7 sorts of tulips": noise.FormText,
	} {
		if got := noise.FormOf(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
