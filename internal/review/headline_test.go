package review

import (
	"testing"

	"afterimage/internal/page"
	"afterimage/vcd"
)

func TestHeadlinesLeaveTheSelectorOut(t *testing.T) {
	const selector = "body > main > section > p:nth-of-type(2)"
	of := func(selector string) vcd.FoundChange {
		return vcd.FoundChange{After: &page.ElementIdentity{Selector: selector}}
	}
	for _, c := range []struct {
		description string
		change      vcd.FoundChange
		want        string
	}{
		{"Paragraph (section > p:nth-of-type(2)): text changed (a bit).", of(selector), "Paragraph: text changed (a bit)."},
		{"Paragraph (#hours) is gone.", vcd.FoundChange{Before: &page.ElementIdentity{Selector: "#hours"}}, "Paragraph is gone."},
		{"Two rows were inserted (and more).", of(selector), "Two rows were inserted (and more)."},
		{"Paragraph (section > p): text changed.", vcd.FoundChange{}, "Paragraph (section > p): text changed."},
		{"Text changed to “:-(”.", of(selector), "Text changed to “:-(”."}, {"An end (without", of(selector), "An end (without"},
	} {
		if got := headlineOf(c.description, c.change); got != c.want {
			t.Errorf("%q: %q", c.description, got)
		}
	}
}
