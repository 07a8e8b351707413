package chrome

import (
	"bytes"
	"image"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
)

// TestPagesThatWaitInALoop: time that stands still while a script runs must not keep it running for ever.
func TestPagesThatWaitInALoop(t *testing.T) {
	for name, clock := range map[string]string{"performance": "performance.now()", "date": "Date.now()", "new date": "+new Date()"} {
		shot := take(t, capture.Request{URL: site.page(t, `<div id=box style="height:100px;background:red"></div><script>
			onload = () => { for (const end = `+clock+` + 500; `+clock+` < end;); box.style.background = 'green'; }</script>`)})
		if wantColour(t, picture(t, shot), 50, 50, green); t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestClocksOfAPage: they behave like those that they stand in for.
func TestClocksOfAPage(t *testing.T) {
	shot := take(t, capture.Request{URL: site.page(t, `<script>
		const checks = {
			call: typeof Date() === 'string', instance: new Date() instanceof Date, constructor: new Date().constructor === Date,
			parts: new Date(2020, 1, 29).getDate() === 29, parse: Date.parse('2020-01-01T00:00:00Z') === 1577836800000,
			derived: new (class extends Date { more() { return 1; } })().more() === 1,
			native: /native code/.test(Date.now) && /native code/.test(performance.now) && /native code/.test(requestAnimationFrame),
			whole: Number.isInteger(performance.now()), foreign: (() => { try { performance.now.call({}); return false; } catch { return `+
		`true; } })(),
			near: Math.abs(Date.now() - performance.timeOrigin - performance.now()) < 1000,
		};
		const dropped = requestAnimationFrame(() => { checks.cancelled = false; });
		cancelAnimationFrame(dropped);
		requestAnimationFrame((time) => { checks.frame = Number.isInteger(time); document.title = Object.keys(checks).filter((name) => `+
		`!checks[name]).join() || 'fine'; });
		</script>`)})
	if shot.Title != "fine" {
		t.Errorf("these are wrong: %q; console %+v", shot.Title, shot.Console)
	}
}

// TestStyleSheetsDoNotSeeThatScriptsStandStill while the picture is taken.
func TestStyleSheetsDoNotSeeThatScriptsStandStill(t *testing.T) {
	img := picture(t, take(t, capture.Request{URL: site.page(t, `<style>
		div { height: 100px; background: red }
		@media (scripting: none) { div { background: red !important } }
		@media (scripting: enabled) and (min-width: 10px) { div { background: green } }
		@supports (display: block) { @media (scripting) { #two { background: blue } } }
		</style><div></div><div id=two></div><noscript><div style="height:500px">no scripts</div></noscript>`)}))
	wantColour(t, img, 50, 50, green)
	wantColour(t, img, 50, 150, blue)
	wantColour(t, img, 50, 250, white)
}

// TestScriptsGetTheFramesTheyAskFor every 50 ms, be it from the beginning or late, although pages that ask for none get fewer.
func TestScriptsGetTheFramesTheyAskFor(t *testing.T) {
	const move = `document.title = ++frames; box.style.width = frames + 'px'`
	for _, test := range []struct {
		name, script string
		least        int
	}{
		{"at once", `const step = () => { ` + move + `; requestAnimationFrame(step) }; step()`, 90},
		{"late", `const step = () => { ` + move + `; requestAnimationFrame(step) }; setTimeout(step, 2000)`, 50},
		{"by the end of transitions", `box.style.transition = 'width 20ms'; box.addEventListener('transitionend', () => { ` + move +
			` }); requestAnimationFrame(() => { ` + move + ` })`, 80},
		{"by observing sizes", `new ResizeObserver(() => { ` + move + ` }).observe(box)`, 90},
	} {
		shot := take(t, capture.Request{URL: site.page(t,
			`<div id=box style="height:9px;width:0;background:green"></div><script>let frames = 0; `+test.script+`</script>`)})
		if frames, err := strconv.Atoi(shot.Title); err != nil || frames < test.least {
			t.Errorf("%s: the script got %s frames, want %d", test.name, shot.Title, test.least)
		}
	}
}

// TestAPageGoesOnAfterItsLastPicture, which is taken from a frame while the browser still works on the command for it. If the page
// gets time after all, the browser ends that work first, and the page looks as before.
func TestAPageGoesOnAfterItsLastPicture(t *testing.T) {
	tab := openTab(t, pool)
	shot, err := capture.Page(t.Context(), tab, capture.Request{Device: capture.Desktop, URL: site.page(t,
		`<body style="margin:0;background:linear-gradient(green, blue)"><div style="height:3000px">text`)})
	if err != nil || shot.Height != 3000 {
		t.Fatalf("%d rows (%v)", shot.Height, err)
	}
	unfinished := tab.virtual.unfinished
	if unfinished == nil || isClosed(unfinished.Done()) {
		t.Fatal("the picture was not taken from a frame")
	}
	if _, err := tab.virtual.Wait(t.Context(), nil, 100*time.Millisecond); err != nil || !isClosed(unfinished.Done()) {
		t.Errorf("the browser has not ended its work on the picture (%v)", err)
	}
	size := image.Pt(shot.Width, shot.Height)
	answer := tab.Begin(proto.PageCaptureScreenshot{
		Format: proto.PageCaptureScreenshotFormatPng, OptimizeForSpeed: true, CaptureBeyondViewport: true, FromSurface: true,
		Clip: &proto.PageViewport{Width: float64(size.X), Height: float64(size.Y), Scale: 1},
	})
	again, err := tab.virtual.Picture(t.Context(), answer, size, true, false)
	if err != nil || !bytes.Equal(again, shot.PNG) {
		t.Errorf("another picture of the page differs (%v)", err)
	}
}

// TestAPageIsLeftAfterItsLastPicture: a page that goes on to another site leaves the command for its picture unanswered.
func TestAPageIsLeftAfterItsLastPicture(t *testing.T) {
	tab := openTab(t, pool)
	address := site.page(t, `<p>text`)
	if _, err := capture.Page(t.Context(), tab, capture.Request{Device: capture.Desktop, URL: address}); err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(address, "127.0.0.1", "localhost", 1)
	if _, err := tab.Begin(proto.PageNavigate{URL: other}).Result(t.Context()); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if _, err := tab.virtual.Wait(t.Context(), nil, 100*time.Millisecond); err != nil || time.Since(begin) > holdLimit*3/4 {
		t.Errorf("the next document got its time after %s (%v)", time.Since(begin), err)
	}
}

// TestWhatAPageIsWaitedFor is named, be it in vain or not.
func TestWhatAPageIsWaitedFor(t *testing.T) {
	shot := take(t, capture.Request{URL: site.page(t,
		`<p id=p aria-busy=true>text<script>setTimeout(() => { p.ariaBusy = 'false' }, 5000)</script>`)})
	if m := shot.Manifest; !slices.Contains(m.WaitedFor, "busy") || len(m.TimedOut) > 0 {
		t.Errorf("waited for %q, in vain for %q", m.WaitedFor, m.TimedOut)
	}
	shot = take(t, capture.Request{URL: site.page(t, `<p>text`)})
	if m := shot.Manifest; len(m.WaitedFor) > 0 {
		t.Errorf("a page that was ready was waited for: %s", strings.Join(m.WaitedFor, ", "))
	}
}
