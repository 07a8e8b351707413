package flow

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSelectors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Element{
		`#buy`:                       {{CSS: "#buy"}},
		`a[href="/x"] > b`:           {{CSS: `a[href="/x"] > b`}},
		`role=button[name="Buy"]`:    {{Role: "button", Name: "Buy"}},
		`role=main`:                  {{Role: "main"}},
		`text=Add to basket`:         {{Text: "Add to basket"}},
		`label=E-mail >> exact`:      {{Label: "E-mail", Exact: true}},
		`testid=buy || #buy`:         {{TestID: "buy"}, {CSS: "#buy"}},
		`placeholder=Where >> nth=2`: {{Placeholder: "Where", Nth: 2}},
	} {
		got, err := ParseSelector(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if again := got.Selector(); again != text {
			t.Errorf("%s is written as %s", text, again)
		}
	}
	for text, want := range map[string]string{
		"": "empty", "#a || ": "empty", "role=But ton": "role=button", "#a >> last": "nth=2", "#a >> nth=0": "nth=2",
		strings.Repeat("#a || ", 10) + "#a": "11 alternatives",
	} {
		if _, err := ParseSelector(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", text, err, want)
		}
	}
}

// Whatever an element is found by, its selector reads as the same element.
func TestSelectorsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	words := rapid.StringMatching(`[a-zA-Z"\\\[\]#.ä=][a-zA-Z0-9"\\\[\]#.=ä ]{0,12}[a-z]`)
	rapid.Check(t, func(t *rapid.T) {
		l := Locator{Nth: rapid.IntRange(0, 3).Draw(t, "nth"), Exact: rapid.Bool().Draw(t, "exact")}
		switch text := words.Draw(t, "words"); rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			l.Role, l.Name = "link", text
		case 1:
			l.Text = text
		case 2:
			l.Label = text
		case 3:
			l.Placeholder = text
		case 4:
			l.TestID = text
		default:
			l.CSS = text
		}
		got, err := ParseSelector(Element{l}.Selector())
		if err != nil || len(got) != 1 || got[0] != l {
			t.Fatalf("%+v is written %s and read %+v, %v", l, Element{l}.Selector(), got, err)
		}
	})
}
