package verify

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"testing"

	"afterimage/imgdiff"
	"afterimage/internal/page"
)

// sketch is a page whose elements are painted as rectangles.
type sketch struct {
	page   Page
	styles map[string]int
}

func newSketch(width, height int) *sketch {
	s := &sketch{page: Page{Width: width, Height: height}, styles: make(map[string]int)}
	s.add(-1, "body", "", "#ffffff", image.Rect(0, 0, width, height))
	return s
}

// add puts an element into another one. Its style is its background and, as "property: value" each, what else is given.
func (s *sketch) add(parent int, tag, text, background string, box image.Rectangle, style ...string) int {
	key := background + strings.Join(style, ";")
	if s.styles[key] == 0 {
		is := page.Style{"background-color": background}
		for _, one := range style {
			property, value, _ := strings.Cut(one, ": ")
			is[property] = value
		}
		s.page.Styles = append(s.page.Styles, is)
		s.styles[key] = len(s.page.Styles)
	}
	at := len(s.page.Elements)
	s.page.Elements = append(s.page.Elements, page.Element{
		Number: at, Box: page.BoxOf(box), Selector: fmt.Sprintf("%s:nth-of-type(%d)", tag, at), Tag: tag, Text: text, Parent: parent,
		Background: background, Style: s.styles[key],
	})
	return at
}

// picture paints the elements, and marks for their texts.
func (s *sketch) picture(t *testing.T) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, s.page.Width, s.page.Height))
	for i := range s.page.Elements {
		e := &s.page.Elements[i]
		var rgb [3]uint8
		if _, err := fmt.Sscanf(e.Background, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
			t.Fatal(err)
		}
		draw.Draw(img, e.Box.Rect(), image.NewUniform(color.RGBA{rgb[0], rgb[1], rgb[2], 255}), image.Point{}, draw.Src)
		for n, letter := range []byte(e.Text) {
			mark := image.Rect(2*n, 0, 2*n+1+int(letter)%2, 1+int(letter)%3).Add(e.Box.Rect().Min)
			draw.Draw(img, mark.Intersect(e.Box.Rect()), image.NewUniform(color.RGBA{letter, 20, 20, 255}), image.Point{}, draw.Src)
		}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// list is a page of rows, each with the text and the colour that is asked for.
func list(rows, height int, say func(i int) (text, colour string)) *sketch {
	s := newSketch(300, rows*height+40)
	within := s.add(0, "ul", "", "#fafafa", image.Rect(10, 10, 290, 10+rows*height))
	for i := range rows {
		text, colour := say(i)
		s.add(within, "li", text, colour, image.Rect(10, 10+i*height, 290, 10+(i+1)*height))
	}
	return s
}

func same(int) (text, colour string) { return "the same", "#f0f4f0" }

// table is a page of rows with two cells each; one cell says something else.
func table(rows, other int) *sketch {
	s := newSketch(300, rows*4+20)
	within := s.add(0, "table", "", "#ffffff", image.Rect(0, 0, 300, rows*4))
	for i := range rows {
		row := s.add(within, "tr", "", "#ffffff", image.Rect(0, 4*i, 300, 4*i+4))
		s.add(row, "td", fmt.Sprintf("row %d", i), "#ffffff", image.Rect(0, 4*i, 150, 4*i+4))
		price := fmt.Sprintf("%d crowns", i*7%1000)
		if i == other {
			price = "sold out"
		}
		s.add(row, "td", price, "#ffffff", image.Rect(150, 4*i, 300, 4*i+4))
	}
	return s
}

// cards is a grid of cards in columns, with class names that a build makes.
func cards(columns int, build string) *sketch {
	const n, width, height = 60, 80, 40
	rows := (n + columns - 1) / columns
	s := newSketch(300, rows*height+20)
	grid := s.add(0, "main", "", "#ffffff", image.Rect(0, 0, 300, rows*height),
		"grid-template-columns: "+strings.TrimSpace(strings.Repeat(fmt.Sprint(width, "px "), columns)))
	for i := range n {
		at := image.Pt(i%columns*width, i/columns*height)
		card := s.add(grid, "article", "", "#eef2ee", image.Rect(2, 2, width-2, height-2).Add(at))
		s.page.Elements[card].Classes = "card-" + build
		s.add(card, "p", fmt.Sprint("Boat number ", i*i), "#eef2ee", image.Rect(6, 6, width-6, 20).Add(at))
	}
	return s
}

// redesign is a page whose elements all have other styles, places and sizes, and no two of them the same.
func redesign(side int) *sketch {
	const n = 400
	s := newSketch(600, 9*n)
	for i := range n {
		x, y, w := (i*37*(side+1))%300, 9*((i+side*i%7)%n), 40+(i*13*(side+1))%200
		s.add(0, "div", fmt.Sprint("part ", i), fmt.Sprintf("#%02x%02x%02x", 99+(i*3+90*side)%150, 99+(i*7+70*side)%150, 120),
			image.Rect(x, y, x+w, y+8), fmt.Sprintf("padding: %dpx", (i*side)%23), fmt.Sprintf("letter-spacing: %dpx", (i*side)%17))
	}
	return s
}

// TestPagesBeyondMeasureAreToldInAFewEntries: however many elements a page has and whatever became of them, its changes are explained
// within the bound of steps, and what the explanation gives up on is said once.
func TestPagesBeyondMeasureAreToldInAFewEntries(t *testing.T) {
	exchanged := cards(3, "a1")
	for i, id := range []string{"#second", "#first"} {
		exchanged.page.Elements[2+2*i].Selector = id
	}
	named := cards(3, "a1")
	for i, id := range []string{"#first", "#second"} {
		named.page.Elements[2+2*i].Selector = id
	}
	for name, c := range map[string]struct {
		before, after *sketch
		least, most   int
		says          string
	}{
		"20,000 elements": {
			list(20_000, 2, same), list(20_000, 2, func(i int) (string, string) {
				if i == 17_000 {
					return "another", "#f0f4f0"
				}
				return same(i)
			}), 1, 1, "another",
		},
		"one more of 5,000 equal entries": {list(5000, 4, same), list(5001, 4, same), 1, 2, "new"},
		"a table of 3,000 rows":           {table(3000, -1), table(3000, 1700), 1, 1, "sold out"},
		"a grid of two columns":           {cards(3, "a1"), cards(2, "a1"), 1, 2, "columns"},
		"class names of another build":    {cards(3, "a1"), cards(3, "b2"), 0, 0, ""},
		"elements that exchange identity": {named, exchanged, 0, 2, ""},
		"a redesign":                      {redesign(0), redesign(1), 1, 1, "restyled"},
	} {
		t.Run(name, func(t *testing.T) {
			options := imgdiff.DefaultOptions()
			options.Keep = true
			found, err := imgdiff.Compare(t.Context(), c.before.picture(t), c.after.picture(t), options)
			if err != nil {
				t.Fatal(err)
			}
			defer found.Release()
			p := &Pair{Before: c.before.page, After: c.after.page}
			p.Measure(found)
			var told []string
			for _, f := range verified(t, p).Findings {
				if f.Ruling.Category != AllGood {
					told = append(told, string(f.Change)+": "+f.Description)
				}
			}
			says := strings.Join(told, "\n")
			if len(told) < c.least || len(told) > c.most || !strings.Contains(says, c.says) {
				t.Errorf("%d entries, want %d to %d with %q:\n%s", len(told), c.least, c.most, c.says, says)
			}
		})
	}
}
