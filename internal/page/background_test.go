package page

import (
	"strings"
	"testing"
)

func TestBackgroundsOfNearlyTheSameColour(t *testing.T) {
	showing := func(selector, colour string, side int) *Visit {
		return &Visit{Content: &Content{Elements: []Element{
			{Selector: "body", Tag: "body", Background: "#f0f0f0", Box: Box{Width: 1440, Height: 900}},
			{Selector: selector, Tag: "div", Background: colour, Box: Box{Width: side, Height: side}},
		}}}
	}
	for name, c := range map[string]struct {
		before, after *Visit
		told          bool
	}{
		"by three levels":       {showing(".card", "#e0e0e0", 200), showing(".card", "#dddddd", 200), true},
		"in one channel":        {showing(".card", "#e0e0e0", 200), showing(".card", "#e0e0e3", 200), true},
		"by black and white":    {showing(".card", "#ffffff", 200), showing(".card", "#000000", 200), false}, // it is covered
		"by two levels":         {showing(".card", "#e0e0e0", 200), showing(".card", "#dedede", 200), false},
		"a small part":          {showing(".card", "#e0e0e0", 99), showing(".card", "#dddddd", 99), false},
		"translucent":           {showing(".card", "#e0e0e080", 200), showing(".card", "#dddddd80", 200), false},
		"none before":           {showing(".card", "", 200), showing(".card", "#dddddd", 200), false},
		"another element":       {showing(".card", "#e0e0e0", 200), showing(".box", "#dddddd", 200), false},
		"the same":              {showing(".card", "#e0e0e0", 200), showing(".card", "#e0e0e0", 200), false},
		"no content any longer": {&Visit{}, showing(".card", "#e0e0e0", 200), false},
	} {
		change := CompareBackgrounds(c.before, c.after)
		if (change != nil) != c.told {
			t.Errorf("%s: %+v", name, change)
		}
	}
	before, after := showing(".card", "#e0e0e0", 200), showing(".card", "#dddddd", 200)
	after.Content.Elements[0].Background = "#ededed"
	const want = "The background of body and of 1 other part is #ededed instead of #f0f0f0"
	if change := CompareBackgrounds(before, after); change == nil || !strings.HasPrefix(change.Sentence, want) {
		t.Errorf("%+v, want %s", change, want)
	}
}

func TestAppearancesAreOneSentence(t *testing.T) {
	if Appearance(nil) != nil {
		t.Error("nothing is a change")
	}
	c := Appearance([]string{"Weight 500 → 700 of h1.", "Shadow of .card", "a", "b", "c"})
	const want = "Weight 500 → 700 of h1; Shadow of .card; a; and 2 more changes. No pixel differs enough to count."
	if c.Sentence != want || c.Kind != ChangedAppearance || c.Severity != SeverityWarning {
		t.Errorf("%+v", c)
	}
}
