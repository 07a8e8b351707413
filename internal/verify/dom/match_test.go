package dom

import (
	"fmt"
	"image"
	"testing"

	"afterimage/internal/page"
)

// TestWhatIsWrittenAnewIsNotTakenApart: a form that gave way to another one in the same place, with a field of the first, is gone and new;
// the field did not move to another part of the page. In a form elsewhere it did.
func TestWhatIsWrittenAnewIsNotTakenApart(t *testing.T) {
	form := func(parent int, class, heading string) []page.Element {
		return []page.Element{{Tag: "form", Classes: class, Selector: class, Parent: parent},
			{Tag: "h4", Text: heading, Selector: class + "h4", Parent: parent + 1},
			{Tag: "p", Text: "Or be classical", Selector: class + "p", Parent: parent + 1},
			{Tag: "div", Classes: class, Selector: class + "div", Parent: parent + 1},
			{Tag: "input", Text: "Your full name", Selector: class + "input", Parent: parent + 4}}
	}
	body := page.Element{Tag: "body", Parent: -1}
	before := append([]page.Element{body}, form(0, "signup", "Sign up today")...)
	for name, c := range map[string]struct {
		after []page.Element
		moved bool
	}{
		"in the same place": {append([]page.Element{body}, form(0, "login", "Login once again")...), false},
		"elsewhere":         {append([]page.Element{body, {Tag: "aside", Parent: 0}}, form(1, "login", "Login once again")...), true},
	} {
		steps := NewSteps(t.Context(), 0)
		m := &Matching{
			Steps: steps, BeforeTree: NewTree(steps, before, nil, image.Point{}), AfterTree: NewTree(steps, c.after, nil, image.Point{}),
		}
		m.ToAfter, m.ToBefore, m.Reparented = unmatched(len(before)), unmatched(len(c.after)), make([]bool, len(c.after))
		m.pair(0, 0)
		m.MatchMoved()
		last := len(c.after) - 1
		if m.ToBefore[last] < 0 || m.Reparented[last] != c.moved {
			t.Errorf("%s: the field is %d, moved %t", name, m.ToBefore[last], m.Reparented[last])
		}
	}
}

// TestAFileThatTwoPartsShowDidNotMove: a card that went and another one that came elsewhere may show the same picture. A picture that stood
// alone, or in nothing but a link, moved.
func TestAFileThatTwoPartsShowDidNotMove(t *testing.T) {
	img := page.Element{Tag: "img", Source: "/team-1.jpg", Selector: "img", Box: page.Box{Width: 90, Height: 90}}
	part := func(parent int, tag string, texts ...string) []page.Element {
		all := []page.Element{{Tag: tag, Selector: fmt.Sprint(tag, parent), Parent: parent}}
		for i, text := range texts {
			all = append(all, page.Element{Tag: "p", Text: text, Selector: fmt.Sprint("p", i), Parent: parent + 1})
		}
		img.Parent = parent + 1
		return append(all, img)
	}
	body := page.Element{Tag: "body", Parent: -1}
	for name, c := range map[string]struct {
		before, after []page.Element
		moved         bool
	}{
		"cards about others": {part(0, "article", "Ada wrote the first program", "She lives in London"),
			part(1, "blockquote", "A very fine place to stay", "Says a guest from Oslo"), false},
		"a card and a link": {part(0, "article", "Ada wrote the first program", "She lives in London"), part(1, "a"), false},
		"a link":            {part(0, "a"), part(1, "a"), true},
		"most of a card": {part(0, "article", "Ada wrote the first program", "She lives in London"),
			part(1, "li", "Ada wrote the first program", "She lives in London"), true},
	} {
		before := append([]page.Element{body}, c.before...)
		after := append([]page.Element{body, {Tag: "aside", Parent: 0}}, c.after...)
		steps := NewSteps(t.Context(), 0)
		m := Match(NewTree(steps, before, nil, image.Point{}), NewTree(steps, after, nil, image.Point{}))
		m.MatchMoved()
		if got := m.ToAfter[len(before)-1] == len(after)-1; got != c.moved {
			t.Errorf("%s: the picture moved: %t, want %t", name, got, c.moved)
		}
	}
}

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
		steps := NewSteps(t.Context(), 0)
		m := Match(NewTree(steps, c.before, nil, image.Point{}), NewTree(steps, c.after, nil, image.Point{}))
		if m.ToAfter[c.b] != c.a {
			t.Errorf("%s: %d is paired with %d, want %d", name, c.b, m.ToAfter[c.b], c.a)
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
