package verify

import (
	"image"
	"testing"

	"afterimage/internal/page"
	"afterimage/internal/verify/css"
	"afterimage/internal/verify/dom"
)

// TestStatementsThatDoNotHoldAreNotMade: what is said of an element that is as it was is taken back and counted, what holds is not.
func TestStatementsThatDoNotHoldAreNotMade(t *testing.T) {
	at := func(y int, text string) page.Element {
		return page.Element{Box: page.BoxOf(image.Rect(0, y, 100, y+20)), Tag: "p", Selector: "p", Text: text, Parent: -1}
	}
	steps := dom.NewSteps(t.Context(), 0)
	before := dom.NewTree(steps, []page.Element{at(0, "stays"), at(30, "was"), at(60, "goes")}, nil, image.Point{})
	after := dom.NewTree(steps, []page.Element{at(0, "stays"), at(50, "is"), at(90, "comes")}, nil, image.Point{})
	m := &dom.Matching{
		BeforeTree: before, AfterTree: after, ToAfter: []int{0, 1, -1}, ToBefore: []int{0, 1, -1}, Reparented: make([]bool, 3),
	}
	restyled := []css.Change{{Property: "color", Before: "#000000", After: "#ff0000"}}
	for name, c := range map[string]struct {
		f    Finding
		want int
	}{
		"another text":           {Finding{Change: TextChanged, at: 1, tree: after, Before: "was", After: "is"}, 0},
		"the same text":          {Finding{Change: TextChanged, at: 0, tree: after, Before: "stays", After: "stays"}, 1},
		"a text of what is new":  {Finding{Change: TextChanged, at: 2, tree: after, After: "comes"}, 1},
		"what is new":            {Finding{Change: Appeared, at: 2, tree: after}, 0},
		"what was there":         {Finding{Change: Appeared, at: 1, tree: after}, 1},
		"what is gone":           {Finding{Change: Vanished, at: 2, tree: before}, 0},
		"what is still there":    {Finding{Change: Vanished, at: 1, tree: before}, 1},
		"what moved":             {Finding{Change: Moved, at: 1, tree: after}, 0},
		"what stayed":            {Finding{Change: Moved, at: 0, tree: after}, 1},
		"what kept its size":     {Finding{Change: Resized, at: 1, tree: after}, 1},
		"another colour":         {Finding{Change: StyleChanged, at: 0, tree: after, After: "red", styles: restyled}, 0},
		"the same colour":        {Finding{Change: StyleChanged, at: 0, tree: after}, 1},
		"another order":          {Finding{Change: Reordered, at: 1, tree: after, members: []int{1}}, 0},
		"the same order":         {Finding{Change: Reordered, at: 1, tree: after}, 1},
		"other pixels":           {Finding{Change: ImageReplaced, at: 0, tree: after, pixels: 9}, 0},
		"the same picture":       {Finding{Change: ImageReplaced, at: 0, tree: after, Before: "a.png", After: "a.png"}, 1},
		"pixels without a cause": {Finding{Change: Unexplained, at: 0, tree: after, pixels: 9}, 0},
	} {
		c.f.Description = "says so"
		s := &inspection{seen: []int{7}, layout: &layout{
			view: &view{Matching: m}, own: []Finding{c.f}, moved: []dom.Displacement{{}, {X: 0, Y: 20}, {}},
			grown: make([]dom.Displacement, 3),
		}}
		got := s.holdTrue()
		taken := s.own[0].Description != "says so" && s.own[0].Change == Unexplained
		if got != c.want || taken != (c.want > 0) {
			t.Errorf("%s: %d statements refused, it says %s", name, got, s.own[0].Description)
		}
	}
}
