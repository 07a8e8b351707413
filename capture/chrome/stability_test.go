package chrome

import (
	"slices"
	"testing"

	"afterimage/capture"
)

// countShots captures a page by a tab of the shared pool's own making and tells how many pictures that took.
func countShots(t *testing.T, p *Pool, address string) (*capture.Shot, int) {
	t.Helper()
	taken := 0
	tab := openTab(t, p)
	shot, err := capture.Page(t.Context(), &probeTab{tab: tab, before: func() { taken++ }}, capture.Request{URL: address, Device: capture.Desktop})
	if err != nil {
		t.Fatal(err)
	}
	if err := tab.browser.dispose(t.Context(), tab); err != nil {
		t.Fatal(err)
	}
	return shot, taken
}

// TestShotsUntilTwoAgree: one picture where nothing can have moved, two where it may have, and where it does not come to
// rest the places are named.
func TestShotsUntilTwoAgree(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	paint := `const draw = () => { c.getContext('2d').fillStyle = '#' + Math.random().toString(16).slice(2, 8); c.getContext('2d').fillRect(0, 0, 64, 64); };`
	const top = `<p style="height:1584px;margin:0">text</p>`
	for name, test := range map[string]struct {
		body     string
		most     int // pictures
		unstable []capture.Box
	}{
		"static":         {`<p>text</p><canvas id=c width=0 height=0></canvas><iframe width=1 height=1 style="border:0" srcdoc="x"></iframe>`, 1, nil},
		"silent canvas":  {`<canvas id=c width=64 height=64></canvas><script>` + paint + `draw()</script>`, 2, nil},
		"noisy canvas":   {top + `<canvas id=c width=64 height=64 style="display:block"></canvas><script>` + paint + `setInterval(draw, 5)</script>`, 4, []capture.Box{{X: 0, Y: 1584, Width: 64, Height: 64}}},
		"late by a bit":  {`<p id=x>text</p><script>addEventListener('resize', () => { x.style.color = 'red' })</script>`, 4, nil},
		"scrolls itself": {`<div id=c style="width:64px;height:64px;overflow:auto"><p style="height:9000px;background:linear-gradient(red,blue)"></div><script>setInterval(() => { c.scrollTop = (c.scrollTop + 100) % 5000 }, 5)</script>`, 4, []capture.Box{{X: 0, Y: 0, Width: 64, Height: 64}}},
	} {
		shot, taken := countShots(t, p, site.page(t, test.body))
		if taken > test.most || (test.most > 1 && taken < 2) {
			t.Errorf("%s: %d pictures were taken, want %d", name, taken, test.most)
		}
		if !slices.Equal(shot.Unstable, test.unstable) {
			t.Errorf("%s: unstable %v, want %v; not waited for: %q", name, shot.Unstable, test.unstable, shot.Manifest.TimedOut)
		}
	}
}
