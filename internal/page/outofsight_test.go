package page

import "testing"

func TestWhatElementsHoldOutOfSightIsCompared(t *testing.T) {
	holding := func(holds ...string) *Visit {
		v := &Visit{}
		for _, h := range holds {
			v.Manifest.Missing = append(v.Manifest.Missing, Missing{Kind: MissingScrolled, Element: "div.slides", Pixels: 900, Holds: h})
		}
		return v
	}
	const unlike = "Out of sight, div.slides looks different or is in another order."
	for name, c := range map[string]struct {
		before, after *Visit
		want          string
	}{
		"the same":          {holding("Tea\n€ 5\n0 1"), holding("Tea\n€ 5\n0 1"), ""},
		"another price":     {holding("Tea\n€ 5\n0 1"), holding("Tea\n€ 6\n0 1"), "Out of sight, div.slides has “€ 6” instead of “€ 5”."},
		"one more":          {holding("Tea\n0 1"), holding("Tea\nTea\n0 2"), "Out of sight, div.slides now has “Tea”."},
		"one less":          {holding("Tea\nCup\n0 1"), holding("Tea\n0 2"), "Out of sight, div.slides no longer has “Cup”."},
		"another order":     {holding("Tea\nCup\n0 1"), holding("Cup\nTea\n0 1"), unlike},
		"other colours":     {holding("Tea\n0 1"), holding("Tea\n0 2"), unlike},
		"two of one name":   {holding("A\n0 1", "B\n0 1"), holding("A\n0 1", "C\n0 1"), "Out of sight, div.slides has “C” instead of “B”."},
		"not read before":   {holding(""), holding("Tea\n0 1"), ""},
		"nothing left over": {holding("Tea\n0 1"), holding(), ""},
	} {
		got := ""
		for _, change := range Compare(c.before, c.after) {
			if got = change.Sentence; change.Kind != ChangedOutOfSight || change.Severity != SeverityWarning {
				t.Errorf("%s: %+v", name, change)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
