package css

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
		for _, change := range Changes(c.was, c.is) {
			got += change.Property + " "
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
		for _, change := range Changes(c.was, c.is) {
			got += change.Property + " " + change.Before + " → " + change.After + " "
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
