package chrome

import (
	"bytes"
	"image"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// seams are pages of 1,300 pixels with what a picture joined from slices could show twice, cut, or paint otherwise.
var seams = map[string]string{
	"fixed bars": `<div style="position:fixed;bottom:0;width:100%;height:60px;background:teal">bar</div>
		<div style="position:fixed;top:50%;right:9px;width:50px;height:50px;border-radius:50%;background:gold;opacity:.7"></div>`,
	"sticky parts": `<header style="position:sticky;top:0;height:40px;background:navy;color:white">header</header>
		<div style="height:600px"><p style="position:sticky;top:70px;background:gold">sticky</p></div>`,
	"fixed background": `<div style="position:absolute;inset:0;height:1300px;
		background:linear-gradient(135deg,red,gold 40%,blue) fixed"></div>`,
	"gradients": `<div style="height:700px;background:conic-gradient(from 20deg,gold,teal,navy,gold)"></div>
		<div style="height:500px;background:repeating-linear-gradient(33deg,#123 0 7.3px,#9ab 7.3px 15.1px)"></div>`,
	"shadows": `<div style="margin:400px 30px;height:200px;border-radius:40px;box-shadow:0 10px 80px 20px #0008;background:white"></div>`,
	"layers": `<div style="will-change:transform;height:700px;background:radial-gradient(closest-side,red,transparent)"></div>
		<div style="transform:translateZ(0);margin-top:-300px;height:400px;mix-blend-mode:multiply;background:teal"></div>`,
	"masks": `<div style="height:1100px;border-radius:190px;overflow:hidden;mask-image:linear-gradient(#000,#0003);background:crimson">
		<p style="margin-top:480px">text across a seam</p></div>`,
	"vectors": `<svg width="380" height="1200" viewBox="0 0 38 120"><circle cx="19" cy="50" r="17.3" fill="none" stroke="navy"
		stroke-width=".7"/><path d="M0 0L38 120" stroke="red" stroke-width=".2"/></svg>`,
	"words":   strings.Repeat("<p style='margin:7px;text-shadow:2px 2px 4px gray'>Some words that go on for a line or two. </p>", 25),
	"screens": `<div style="height:100vh;background:gold"></div><div style="height:50dvh;background:teal"></div>`,
	"canvas": `<canvas width="300" height="1200"></canvas><script>const c = document.querySelector('canvas').getContext('2d');
		for (let y = 0; y < 1200; y += 7) { c.fillStyle = 'hsl(' + y + ' 70% 50%)'; c.fillRect(y % 200, y, 90, 5) }</script>`,
	"blurred backdrops": `<style>body{background:repeating-linear-gradient(33deg,#123 0 7.3px,#9ab 7.3px 15.1px)}
		div{width:100%;backdrop-filter:blur(8px);background:#fff6}</style>
		<div style="position:fixed;top:470px;height:90px"></div><div style="position:absolute;top:600px;height:70px"></div>
		<div style="position:absolute;top:930px;height:290px;backdrop-filter:blur(40px)"></div>`,
	"sticky backdrop": `<style>body{background:repeating-linear-gradient(33deg,#123 0 7.3px,#9ab 7.3px 15.1px)}</style>
		<div style="height:470px"></div><div style="position:sticky;top:0;height:90px;backdrop-filter:blur(8px)"></div>`,
	"blur":   `<div style="margin:300px 20px;height:400px;filter:blur(6px);background:teal"></div>`,
	"turned": `<div style="margin:200px 60px;height:700px;transform:rotate(3deg) scale(.97);background:#def">Turned words</div>`,
	"depth": `<div style="margin:200px 60px;height:700px;transform:perspective(600px) rotateY(20deg);background:#fed">
		Words in depth</div>`,
}

// TestSlicesHaveNoSeams: a picture joined from slices has the pixels of one that was painted at once. AFTERIMAGE_SOAK=1 takes
// all pages, otherwise those that slices endanger most.
func TestSlicesHaveNoSeams(t *testing.T) {
	taken := []string{"fixed bars", "sticky parts", "fixed background", "blurred backdrops", "layers", "screens"}
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		taken = slices.Collect(maps.Keys(seams))
	}
	const head = `<!doctype html><title>seams</title><meta name=viewport content="width=device-width">` +
		`<style>body{margin:0;height:1300px}</style>`
	for _, name := range taken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := seams[name]
			req := capture.Request{URL: site.handle(t, "page", serve("text/html; charset=utf-8", head+body)), Device: capture.Mobile}
			whole := picture(t, take(t, req)).(*image.RGBA)
			req.SliceHeight = 512 // its slices begin at multiples of 128, as those of 16,000 rows do
			joined := picture(t, take(t, req)).(*image.RGBA)
			if whole.Rect != joined.Rect {
				t.Fatalf("joined %v, painted at once %v", joined.Rect, whole.Rect)
			}
			var rows []int
			for y := range whole.Rect.Dy() {
				if from, to := y*whole.Stride, (y+1)*whole.Stride; !bytes.Equal(whole.Pix[from:to], joined.Pix[from:to]) {
					rows = append(rows, y)
				}
			}
			if len(rows) > 0 {
				t.Errorf("%d rows differ, %v …", len(rows), rows[:min(len(rows), 20)])
			}
		})
	}
}

// A page is captured up to the limit with its last row; what is below is cut.
func TestTallPageIsCut(t *testing.T) {
	shot := take(t, capture.Request{Device: capture.Mobile, URL: site.page(t, `<meta name=viewport content="width=device-width">
		<style>p{position:absolute;margin:0;width:90%;height:20px}</style><div style="height:100030px;background:gold"></div>
		<p style="top:50000px;background:green">middle</p><p id=foot style="top:99980px;background:blue">the foot</p>
		<p id=below style="top:100010px;background:red">below</p>`)})
	m := shot.Manifest
	if !shot.Truncated || !m.Truncated || shot.Height != capture.MaxHeight || m.PageHeight != 100_030 || len(m.TimedOut) > 0 {
		t.Errorf("%d rows of %d were captured, truncated %v, gave up on %q", shot.Height, m.PageHeight, shot.Truncated, m.TimedOut)
	}
	img := picture(t, shot)
	wantColour(t, img, 300, 50_010, green)
	wantColour(t, img, 300, 99_999, blue)
	listed := func(selector string) bool {
		return slices.ContainsFunc(shot.Content.Elements, func(e page.Element) bool { return e.Selector == selector })
	}
	if !listed("#foot") || listed("#below") || shot.Content.Text != "middle\nthe foot" {
		t.Errorf("the last row's element is listed: %v, the one below: %v, text %q", listed("#foot"), listed("#below"), shot.Content.Text)
	}
}
