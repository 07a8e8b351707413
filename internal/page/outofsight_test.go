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
		"the same":        {holding("Tea\n€ 5\n0 1"), holding("Tea\n€ 5\n0 1"), ""},
		"another price":   {holding("Tea\n€ 5\n0 1"), holding("Tea\n€ 6\n0 1"), "Out of sight, div.slides has “€ 6” instead of “€ 5”."},
		"one more":        {holding("Tea\n0 1"), holding("Tea\nTea\n0 2"), "Out of sight, div.slides now has “Tea”."},
		"one less":        {holding("Tea\nCup\n0 1"), holding("Tea\n0 2"), "Out of sight, div.slides no longer has “Cup”."},
		"another order":   {holding("Tea\nCup\n0 1"), holding("Cup\nTea\n0 1"), unlike},
		"other colours":   {holding("Tea\n0 1"), holding("Tea\n0 2"), unlike},
		"two of one name": {holding("A\n0 1", "B\n0 1"), holding("A\n0 1", "C\n0 1"), "Out of sight, div.slides has “C” instead of “B”."},
		"another file": {holding("[a.jpg 60×40 0123456789ab]\n0 1 2"), holding("[a.jpg 60×40 ba9876543210]\n0 1 3"),
			"Out of sight, div.slides shows another picture called a.jpg."},
		"another size": {holding("[a.jpg 60×40 0123456789ab]\n0 1 2"), holding("[a.jpg 60×41 ba9876543210]\n0 1 3"),
			"Out of sight, div.slides shows another picture called a.jpg."},
		"another picture": {holding("[a.jpg 60×40 0123456789ab]\n0 1 2"), holding("[b.jpg 60×40 ba9876543210]\n0 1 3"),
			"Out of sight, div.slides has the picture b.jpg instead of the picture a.jpg."},
		"no file": {holding("[a.jpg 60×40 0123456789ab]\n0 1 2"), holding("[a.jpg 0×0]\n0 1 3"),
			"Out of sight, the picture a.jpg of div.slides no longer loads."},
		"a file again": {holding("[a.jpg 0×0]\n0 1 2"), holding("[a.jpg 60×40 0123456789ab]\n0 1 3"),
			"Out of sight, the picture a.jpg of div.slides loads again."},
		"another background": {holding("Tea\n0 1 2"), holding("Tea\n0 1 3"), unlike},
		"not read before":    {holding(""), holding("Tea\n0 1"), ""},
		"nothing left over":  {holding("Tea\n0 1"), holding(), ""},
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
