package verify

import (
	"image"
	"strings"
	"testing"

	"afterimage/imgdiff"
)

// TestWhatIsCutOffDidNotMove: where something stands that nobody can see, in both pages, is no change. What can be seen in one of them
// moved, also if what cuts off its neighbours is not what it is placed within.
func TestWhatIsCutOffDidNotMove(t *testing.T) {
	drawer := func(y int, of, styles string) *sketch {
		s := newSketch(300, 400)
		box := s.add(0, "aside", "", "#f4f4e8", image.Rect(0, 0, 120, 200), strings.Split(of, ", ")...)
		s.add(box, "p", "Tours", "#f4f4e8", image.Rect(0, 20, 100, 40))
		s.add(box, "a", "Waves", "#e0e0ff", image.Rect(0, y, 100, y+20), strings.Split(styles, ", ")...)
		s.add(0, "p", "Harbour", "#ffffff", image.Rect(150, 0, 290, 20))
		return s
	}
	const hidden, shown = "overflow: hidden", "display: block"
	for name, c := range map[string]struct {
		of, styles string
		from, to   int
		told       bool
	}{
		"outside of a drawer":       {hidden, shown, 320, 260, false},
		"into a drawer":             {hidden, shown, 320, 100, true},
		"within a drawer":           {hidden, shown, 140, 100, true},
		"out of what cuts nothing":  {shown, shown, 320, 260, true},
		"placed within the page":    {hidden, "position: absolute", 320, 260, true},
		"placed within the drawer":  {hidden + ", position: relative", "position: absolute", 320, 260, false},
		"fixed outside of a drawer": {hidden, "position: fixed", 320, 260, true},
	} {
		before, after := drawer(c.from, c.of, c.styles), drawer(c.to, c.of, c.styles)
		options := imgdiff.DefaultOptions()
		options.Keep = true
		found, err := imgdiff.Compare(t.Context(), before.picture(t), after.picture(t), options)
		if err != nil {
			t.Fatal(err)
		}
		p := &Pair{Before: before.page, After: after.page}
		p.Measure(found)
		told := false
		for _, f := range verified(t, p).Findings {
			told = told || f.Change == Moved && strings.Contains(f.Description, "Waves")
		}
		if found.Release(); told != c.told {
			t.Errorf("%s: it moved: %t, want %t", name, told, c.told)
		}
	}
}
