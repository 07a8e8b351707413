package dom

import (
	"fmt"
	"testing"

	"afterimage/internal/page"
)

// TestMarginsThatShareTheRoom: a bar that became wider, because what is beside it is narrower, gives more room to the margins of what is in
// it. Two that share it take as much each. Margins that somebody set are told.
func TestMarginsThatShareTheRoom(t *testing.T) {
	bar := func(width, left, right float64) node {
		margin := func(top, right, bottom, left float64) page.Style {
			return page.Style{"margin": fmt.Sprintf("%gpx %gpx %gpx %gpx", top, right, bottom, left)}
		}
		return node{tag: "nav", box: [4]float64{0, 0, width, 40}, in: []node{
			{tag: "form", text: "Search here", style: margin(0, 0, 0, left), box: [4]float64{width - 226, 0, 226, 40}},
			{tag: "ul", text: "Sign in", style: margin(0, right, 0, 0), box: [4]float64{0, 0, 155.81, 40}}}}
	}
	for name, c := range map[string]struct {
		before, after node
		own           int
	}{
		"both share it":      {bar(953.52, 285.859, 285.844), bar(1054.89, 336.547, 336.531), 0},
		"one takes it":       {bar(953.52, 571.703, 0), bar(1054.89, 673.078, 0), 0},
		"somebody set both":  {bar(953.52, 10, 10), bar(953.52, 30, 30), 2},
		"more than the room": {bar(953.52, 100.5, 100.5), bar(963.52, 120.5, 120.5), 2},
	} {
		expectOwn(t, name, matched(t, c.before, c.after), c.own)
	}
}

// expectOwn expects that so many elements have a change of style of their own.
func expectOwn(t *testing.T, name string, m *Matching, want int) {
	t.Helper()
	own := m.Restyle().Own
	got := 0
	for _, changes := range own {
		if len(changes) > 0 {
			got++
		}
	}
	if got != want {
		t.Errorf("%s: %d elements have a change of their own, want %d: %v", name, got, want, own)
	}
}
