package verify

import (
	"testing"

	"afterimage/internal/page"
)

// TestOutlinesAsTheyWereRecorded: once, elements without an outline had one of 3px, and of no outline was it known what kind it is. A visit
// from then differs from one of today in nothing because of that.
func TestOutlinesAsTheyWereRecorded(t *testing.T) {
	type style = page.Style
	solid, dashed := style{"outline-width": "2px", "outline-style": "solid"}, style{"outline-width": "2px", "outline-style": "dashed"}
	unknownKind, none := style{"outline-width": "2px"}, style{"outline-width": "3px"}
	for name, c := range map[string]struct {
		was, is style
		want    string // what changed
	}{
		"none, recorded then and now":   {none, style{}, ""},
		"none, recorded now and then":   {style{}, none, ""},
		"one, recorded then and now":    {unknownKind, solid, ""},
		"none at all":                   {style{}, style{}, ""},
		"one that is new":               {style{}, style{"outline-width": "3px", "outline-style": "solid"}, "outline-width outline-style "},
		"one that is new since then":    {none, solid, "outline-width "},
		"one that went":                 {solid, style{}, "outline-width outline-style "},
		"one that is dashed now":        {solid, dashed, "outline-style "},
		"one of generated content":      {style{"::before outline-width": "3px"}, style{}, ""},
		"one of generated content, new": {style{}, style{"::before outline-width": "1px"}, "::before outline-width "},
	} {
		got := ""
		for _, change := range styleChanges(c.was, c.is) {
			got += change.property + " "
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestValuesThatAreNotRecordedAreThoseOfSomethingElse: of generated content, values are recorded only where they are neither the initial
// one nor that of the element, and the colour of a border only where it is not that of the text.
func TestValuesThatAreNotRecordedAreThoseOfSomethingElse(t *testing.T) {
	type style = page.Style
	for name, c := range map[string]struct {
		was, is style
		want    string // what changed
	}{
		"a colour of its own that the element has now": {style{"color": "#000000", "::before color": "#ffffff"}, style{"color": "#ffffff"},
			"color #000000 → #ffffff "},
		"a colour of its own that the element had": {style{"color": "#ffffff"}, style{"color": "#000000", "::before color": "#ffffff"},
			"color #ffffff → #000000 "},
		"a background that the element has now": {style{"::after background-color": "#ffeeaa"}, style{"background-color": "#ffeeaa"},
			"background-color  → #ffeeaa "},
		"a colour that it took over, and no longer does": {style{"color": "#123456"}, style{"color": "#123456", "::after color": "#ff0000"},
			"::after color #123456 → #ff0000 "},
		"a border that keeps its colour below another text": {style{"color": "#eeeeee", "border-width": "1px"},
			style{"color": "#b0006d", "border-width": "1px", "border-color": "#eeeeee"}, "color #eeeeee → #b0006d "},
		"a border that no longer has the colour of the text": {style{"color": "#eeeeee", "border-width": "1px"},
			style{"color": "#eeeeee", "border-width": "1px", "border-color": "#cc3344"}, "border-color #eeeeee → #cc3344 "},
		"a border that came": {style{"color": "#eeeeee"}, style{"color": "#eeeeee", "border-width": "1px", "border-color": "#cc3344"},
			"border-width  → 1px border-color  → #cc3344 "},
		"corners of its own": {style{"border-radius": "8px"}, style{"border-radius": "8px", "::after border-radius": "20px"},
			"::after border-radius  → 20px "},
	} {
		got := ""
		for _, change := range styleChanges(c.was, c.is) {
			got += change.property + " " + change.before + " → " + change.after + " "
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

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
		steps := newSteps(t.Context(), &Pair{})
		m := &matching{beforeTree: newTree(steps, &Page{Elements: before}), afterTree: newTree(steps, &Page{Elements: c.after})}
		m.toAfter, m.toBefore, m.reparented = unknown(len(before)), unknown(len(c.after)), make([]bool, len(c.after))
		m.pair(0, 0)
		m.matchMoved()
		last := len(c.after) - 1
		if m.toBefore[last] < 0 || m.reparented[last] != c.moved {
			t.Errorf("%s: the field is %d, moved %t", name, m.toBefore[last], m.reparented[last])
		}
	}
}
