package chrome

import (
	"slices"
	"strings"
	"testing"

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
