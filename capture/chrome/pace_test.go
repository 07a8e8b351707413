package chrome

import (
	"strings"
	"testing"
)

// TestPace: the frames of a page are displayed (D) or hidden (h), as far apart as they may be.
func TestPace(t *testing.T) {
	always, never := func(int) bool { return true }, func(int) bool { return false }
	for name, test := range map[string]struct {
		looks  bool
		moves  func(frame int) bool
		frames string
		step   float64 // before the frame after the last
	}{
		"at rest":                   {true, never, "DDDDD", maxStep},
		"never at rest":             {true, always, "DhhDDhhhhhhDDhhhhhhhhhhhhhhDDhhhhhhhhhhhhhhDD", stepTime},
		"comes to rest":             {true, func(frame int) bool { return frame < 8 }, "DhhDDhhhhhhDDDDD", maxStep},
		"moves again":               {true, func(frame int) bool { return frame == 3 }, "DDDDhhDDD", 4 * stepTime},
		"for something in specific": {false, always, "hhhhhh", stepTime},
	} {
		var frames strings.Builder
		p := newPace(test.looks)
		for frame := range len(test.frames) {
			frames.WriteByte("hD"[map[bool]int{true: 1}[p.show]])
			p.passed(p.show && test.moves(frame))
		}
		if frames.String() != test.frames || p.step != test.step {
			t.Errorf("%s: frames %s and then %g ms, want %s and %g ms", name, &frames, p.step, test.frames, test.step)
		}
	}
}
