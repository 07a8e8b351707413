package chrome

import (
	"bytes"
	_ "embed"
	"image/color"
	"net/http"
	"slices"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
)

// countShots captures a page by a tab of the shared pool's own making and tells how many pictures that took.
func countShots(t *testing.T, p *Pool, address string) (*capture.Shot, int) {
	t.Helper()
	taken := 0
	tab := openTab(t, p)
	shot, err := capture.Page(t.Context(), &probeTab{tab: tab, before: func() { taken++ }},
		capture.Request{URL: address, Device: capture.Desktop})
	if err != nil {
		t.Fatal(err)
	}
	if err := tab.browser.dispose(t.Context(), tab, silenceTimeout); err != nil {
		t.Fatal(err)
	}
	return shot, taken
}

// TestShotsUntilTwoAgree: where pages have the wall's time, one picture where nothing can have moved, two where it may have,
// and where it does not come to rest the places are named.
func TestShotsUntilTwoAgree(t *testing.T) {
	config := ownConfig(t, 1)
	config.RealTime = true
	p := startPool(t, config)
	paint := `const draw = () => { c.getContext('2d').fillStyle = '#' + Math.random().toString(16).slice(2, 8); ` +
		`c.getContext('2d').fillRect(0, 0, 64, 64); };`
	// A busy machine may leave no time for a timer between two pictures; each of them makes the page hear of a resize.
	const top = `<p style="height:1584px;margin:0">text</p>`
	// No two of its places look the same, so that none is drawn twice by chance.
	const scroller = `<div id=c style="width:64px;height:64px;overflow:auto"><p style="height:9000px;` +
		`background:linear-gradient(#f008,#00f8),repeating-linear-gradient(#000,#0f0 67px)"></div>`
	for name, test := range map[string]struct {
		body     string
		most     int // pictures
		unstable []page.Box
	}{
		"static": {`<p>text</p><canvas id=c width=0 height=0></canvas><iframe width=1 height=1 style="border:0" srcdoc="x">` +
			`</iframe>`, 1, nil},
		"silent canvas": {`<canvas id=c width=64 height=64></canvas><script>` + paint + `draw()</script>`, 2, nil},
		"noisy canvas": {top + `<canvas id=c width=64 height=64 style="display:block"></canvas><script>` + paint +
			`setInterval(draw, 5); addEventListener('resize', draw)</script>`, 4, []page.Box{{X: 0, Y: 1584, Width: 64, Height: 64}}},
		"late by a bit": {`<p id=x>text</p><script>addEventListener('resize', () => { x.style.color = 'red' })</script>`, 4, nil},
		"scrolls itself": {scroller + `<script>const step = () => { c.scrollTop = (c.scrollTop + 97) % 5003 }; const go = () => ` +
			`{ step(); requestAnimationFrame(go) }; go(); addEventListener('resize', step)</script>`, 4,
			[]page.Box{{X: 0, Y: 0, Width: 64, Height: 64}}},
	} {
		shot, taken := countShots(t, p, site.page(t, test.body))
		if taken > test.most || (test.most > 1 && taken < 2) {
			t.Errorf("%s: %d pictures were taken, want %d", name, taken, test.most)
		}
		if shot.Manifest.Pipeline != capture.RealTimePipeline {
			t.Errorf("%s: the pipeline is %s", name, shot.Manifest.Pipeline)
		}
		if !slices.Equal(shot.Manifest.Unstable, test.unstable) {
			t.Errorf("%s: unstable %v, want %v; not waited for: %q", name, shot.Manifest.Unstable, test.unstable, shot.Manifest.TimedOut)
		}
	}
}

// TestMotionRepeats: where a page's time is ours, one picture is enough for what moves by itself, and the same each time;
// where it shows the date, a second one says so.
func TestMotionRepeats(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	const show = `<p id=x style="margin:0;height:64px;font:40px monospace"></p><script>const show = () => { x.textContent = `
	for name, test := range map[string]struct {
		body     string
		pictures int
	}{
		"frames": {`<canvas id=c width=64 height=64></canvas><script>let n = 0; const draw = () => { c.getContext('2d').fillText(n++, ` +
			`9, 9); requestAnimationFrame(draw) }; draw()</script>`, 1},
		"timers":   {show + `(x.textContent | 0) + 1 }; setInterval(show, 7)</script>`, 1},
		"chance":   {show + `Math.random() }; setInterval(show, 7)</script>`, 1},
		"stream":   {`<img src="` + twoFrameGIF + `"><marquee>text</marquee>`, 1},
		"the date": {show + `new Date().toISOString() }; setInterval(show, 1000)</script>`, 2},
	} {
		address := site.page(t, test.body)
		first, taken := countShots(t, p, address)
		if taken != test.pictures || (len(first.Manifest.Unstable) > 0) != (test.pictures > 1) {
			t.Errorf("%s: %d pictures, unstable %v, want %d pictures", name, taken, first.Manifest.Unstable, test.pictures)
		}
		if again, _ := countShots(t, p, address); test.pictures == 1 && !bytes.Equal(first.PNG, again.PNG) {
			t.Errorf("%s: two captures gave different pictures", name)
		}
	}
}

// redThenBlue is a video of 64 × 64 pixels, red for 0.3 s and then blue to the end at 1.5 s. It was recorded from a canvas by
// Chromium's MediaRecorder.
//
//go:embed testdata/red-then-blue.webm
var redThenBlue []byte

func TestVideosShowTheirFirstFrame(t *testing.T) {
	site.handle(t, "video.webm", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "video.webm", time.Time{}, bytes.NewReader(redThenBlue))
	})
	const video = `<video src="video.webm" muted loop style="display:block;width:64px;height:64px" `
	for name, body := range map[string]string{
		"at rest":     video + `preload="auto"></video>`,
		"plays":       video + `autoplay></video>`,
		"is moved":    video + `id=v></video><script>v.currentTime = 1</script>`,
		"in a shadow": `<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '` + video + `autoplay></video>'</script>`,
		"far below":   `<div style="height:3000px"></div>` + video + `autoplay></video>`,
	} {
		shot := take(t, capture.Request{URL: site.page(t, body)})
		top := map[string]int{"far below": 3000}[name]
		if r, _, b, _ := picture(t, shot).At(32, top+32).RGBA(); r>>8 < 0xf0 || b>>8 > 0x0f {
			t.Errorf("%s: pixel has red %d and blue %d, want the first frame's red; unstable %v", name, r>>8, b>>8, shot.Manifest.Unstable)
		}
	}
}

// TestMotionIsStilledInside: what moves in shadow roots, also in those that scripts cannot enter, and in frames of the same site comes to
// its end, too; in trees that scripts cannot enter, what is endless is shown at its beginning.
func TestMotionIsStilledInside(t *testing.T) {
	const keyframes = `<style>@keyframes enter{from{background:red}to{background:green}}body{margin:0}div{height:100px}</style>`
	const byStyle = keyframes + `<div style="animation:enter 30s forwards"></div>`
	const byScript = `<div style="height:100px"></div>`
	const animate = `.animate([{background: 'red'}, {background: 'green'}], {duration: 30000, fill: 'forwards'})`
	site.handle(t, "frame", serve("text/html", "<!doctype html>"+byStyle))
	const frame = `<iframe src="frame" style="display:block;border:0;width:100px;height:100px"></iframe>`
	const endless = keyframes + `<style>@keyframes cross{from{background:green}1%,to{background:red}}</style>` +
		`<div style="animation:cross 2s infinite"></div>`
	const declared = `<div><template shadowrootmode=open><section><template shadowrootmode=closed>` + endless +
		`</template></section></template></div>`
	address := site.page(t, `<div id=a></div><div id=b></div>`+frame+`<div style="height:3000px"></div>`+frame+`<div id=c></div>`+
		declared+`<script>
		c.attachShadow({mode: 'closed'}).innerHTML = '`+byStyle+`';
		a.attachShadow({mode: 'open'}).innerHTML = '`+byStyle+`';
		b.attachShadow({mode: 'open'}).innerHTML = '`+byScript+`';
		b.shadowRoot.firstChild`+animate+`;
		</script>`)
	img := picture(t, take(t, capture.Request{URL: address}))
	for _, y := range []int{50, 150, 250, 3350, 3450, 3550} {
		wantColour(t, img, 50, y, green)
	}
}

// TestBusyPageIsWaitedFor: a loader gives way to the content, if it ever does.
func TestBusyPageIsWaitedFor(t *testing.T) {
	const loader = `<div id=box aria-busy=true style="height:100px;background:red"></div><div aria-busy=true hidden>elsewhere</div>`
	shot := take(t, capture.Request{URL: site.page(t, loader+`<script>setTimeout(() => {
		box.style.background = 'green'; box.ariaBusy = 'false' }, 800)</script>`)})
	wantColour(t, picture(t, shot), 50, 50, green)
	if len(shot.Manifest.TimedOut) > 0 {
		t.Errorf("timed out %q", shot.Manifest.TimedOut)
	}
	shot = take(t, capture.Request{URL: site.page(t, loader)})
	if !slices.Equal(shot.Manifest.TimedOut, []string{"busy"}) {
		t.Errorf("timed out %q, want busy", shot.Manifest.TimedOut)
	}
}

// TestBoxesFixedToTheScreen: they stay where the first screen shows them, however long the page is.
func TestBoxesFixedToTheScreen(t *testing.T) {
	shot := take(t, capture.Request{URL: site.page(t, `<div style="height:4000px"></div>
		<div style="position:fixed;top:0;width:100%;height:40px;background:red"></div>
		<div style="position:fixed;bottom:0;width:100%;height:40px;background:blue"></div>`)})
	img := picture(t, shot)
	for y, want := range map[int]color.RGBA{20: red, 60: white, 850: white, 880: blue, 920: white, 3980: white} {
		wantColour(t, img, 700, y, want)
	}
}
