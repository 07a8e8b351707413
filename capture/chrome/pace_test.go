package chrome

import (
	"strings"
	"testing"
)

// TestPace: the frames of a page are displayed (D) or hidden (h), as far apart as they may be.
func TestPace(t *testing.T) {
	always, never := func(int) bool { return true }, func(int) bool { return false }
	until := func(last int) func(int) bool { return func(frame int) bool { return frame <= last } }
	for name, test := range map[string]struct {
		gait   gait
		looks  bool
		moves  func(frame int) bool
		frames string
		time   float64 // ms, of all these frames
		step   float64 // before the frame after the last
	}{
		"at rest":                   {declared, true, never, "DDDD", 50 + 200 + 800 + 800, 800},
		"at rest, scripted":         {scripted, true, never, "DDDDDD", 50 + 100 + 200 + 400 + 400 + 400, 400},
		"never at rest":             {declared, true, always, "DDhhDDhhDDhhDDhhDD", 2*50 + 200 + 400 + 2*900, 8 * stepTime},
		"never at rest, scripted":   {scripted, true, always, "DDhhDDhhhhhhDDhhhhhhhhhhhhhhDDhhhhhhhhhhhhhhDD", 46 * 50, stepTime},
		"comes to rest":             {declared, true, until(7), "DDhhDDhhDDDD", 2*50 + 200 + 400 + 200 + 800, 800},
		"moves once":                {scripted, true, until(0), "DDDD", 50 + 50 + 100 + 200, 400},
		"for something in specific": {declared, false, always, "hhhhhh", 6 * 50, stepTime},
	} {
		var frames strings.Builder
		var time float64
		p := newPace(test.looks)
		for frame := range len(test.frames) {
			time += p.step
			frames.WriteByte("hD"[map[bool]int{true: 1}[p.show]])
			p.passed(p.show && test.moves(frame), test.gait)
		}
		if frames.String() != test.frames || p.step != test.step || time != test.time {
			t.Errorf("%s: frames %s in %g ms and then %g ms, want %s in %g ms and %g ms",
				name, &frames, time, p.step, test.frames, test.time, test.step)
		}
	}
}
