package verify

import (
	"fmt"
	"testing"

	"afterimage/internal/page"
)

// block is an element with links to some places, each in a line of its own.
func block(at int, tag, classes string, y int, links ...string) []page.Element {
	elements := []page.Element{{Tag: tag, Classes: classes, Selector: fmt.Sprint(tag, at), Parent: 0,
		Box: page.Box{Y: y, Width: 300, Height: 20 * len(links)}}}
	for i, text := range links {
		elements = append(elements, page.Element{Tag: "a", Text: text, Selector: fmt.Sprint("a", at, i), Parent: at,
			Box: page.Box{Y: y + 20*i, Width: 80, Height: 16}})
	}
	return elements
}

// TestElementsThatAreTheSameArePaired although their place among others, what is around them or the names that a build gave them are not.
func TestElementsThatAreTheSameArePaired(t *testing.T) {
	body := page.Element{Tag: "body", Parent: -1, Box: page.Box{Width: 400, Height: 400}}
	of := func(parts ...[]page.Element) []page.Element {
		all := []page.Element{body}
		for _, part := range parts {
			all = append(all, part...)
		}
		return all
	}
	empty := page.Element{Tag: "div", Classes: "plugin", Selector: "div", Parent: 0, Box: page.Box{Y: 399, Width: 400, Height: 1},
		Exact: [4]float64{0, 399.97, 400, 0}}
	gear := page.Element{Tag: "a", Selector: "gear", Parent: 1, Box: page.Box{X: 360, Y: 360, Width: 30, Height: 30}}
	outside := gear
	outside.Parent = 0
	for name, c := range map[string]struct {
		before, after []page.Element
		b, a          int
	}{
		"a block in another place with one link more": {
			of(block(1, "div", "row", 0, "Company", "About", "Team", "Blog"), block(6, "div", "row", 100, "Copyright")),
			of(block(1, "div", "row", 0, "Copyright"), block(3, "div", "row", 100, "Company", "About", "Team", "Blog", "Jobs")), 1, 3,
		},
		"what was in an element without a size": {of([]page.Element{empty, gear}), of([]page.Element{outside}), 2, 1},
		"what is in an element without a size":  {of([]page.Element{outside}), of([]page.Element{empty, gear}), 1, 2},
		"a card with other words and a class name of another build": {of(block(1, "article", "card_x7Qa2", 0, "Seals at 8")),
			of(block(1, "article", "card_p0Rr1", 0, "Sunk")), 1, 1},
	} {
		steps := newSteps(t.Context(), &Pair{})
		m := match(newTree(steps, &Page{Elements: c.before}), newTree(steps, &Page{Elements: c.after}))
		if m.toAfter[c.b] != c.a {
			t.Errorf("%s: %d is paired with %d, want %d", name, c.b, m.toAfter[c.b], c.a)
		}
	}
}

// TestClassesWithoutWhatABuildMade: words stay as they are.
func TestClassesWithoutWhatABuildMade(t *testing.T) {
	for class, want := range map[string]string{"card_x7Qa2": "card", "css-1x2y3z": "css", "Card_title__3xYz1": "Card_title",
		"sc-bdVaJa": "sc", "btn-primary": "btn-primary", "card": "card", "_1a2b3": "", "": "", "NAV": "NAV"} {
		if got := withoutBuild(class); got != want {
			t.Errorf("%q: %q, want %q", class, got, want)
		}
	}
}

// TestANumberInAnotherColour is one only if nothing but the number and colours changed.
func TestANumberInAnotherColour(t *testing.T) {
	colour, padding := styleChange{"color", "#008000", "#ff0000"}, styleChange{"padding", "6px", "14px"}
	for name, c := range map[string]struct {
		was, is string
		styles  []styleChange
		want    bool
	}{
		"a number that falls":         {"+1.2 %", "-0.4 %", []styleChange{colour}, true},
		"a number with more room":     {"+1.2 %", "-0.4 %", []styleChange{colour, padding}, false},
		"a button with other letters": {"SIGN IN", "sign in", []styleChange{colour}, false},
	} {
		f := &Finding{Change: StyleChanged, Before: "text colour #008000", Element: &page.Element{Text: c.is}, styles: c.styles,
			elementBefore: &page.Element{Text: c.was}}
		if got := colouredNumber(&scene{Finding: f}) != ""; got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
