package chrome

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// TestSVGPicturesAreShownAtTheirEnd: what moves inside of an SVG file that is shown as a picture runs by a clock of its own. The picture
// of the page is the same whenever the file came.
func TestSVGPicturesAreShownAtTheirEnd(t *testing.T) {
	const file = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="100"><style>.runs{animation:run 1.3s linear .2s infinite}` +
		`.turns{animation:turn 700ms forwards}@keyframes run{to{transform:translateX(500px)}}@keyframes turn{to{fill:#008000}}</style>` +
		`<rect class="turns" width="50" height="100" fill="blue"/><rect class="runs" x="60" width="40" height="50" fill="red"/>` +
		`<rect width="50" height="50" x="100" fill="blue"><set attributeName="fill" to="#008000" begin="a.end+.1s" fill="freeze"/></rect>` +
		`<rect y="60" width="40" height="40" x="60"><animate attributeName="x" to="500" dur="1.7s" repeatCount="indefinite"/>` +
		`<animate id="a" attributeName="y" to="61" begin="0:00:01" dur="500ms" fill="freeze"/></rect></svg>`
	address := site.handle(t, "moving.svg", serve("image/svg+xml", file))
	inline := "data:image/svg+xml," + strings.NewReplacer("<", "%3C", ">", "%3E", `"`, "%22", "#", "%23", " ", "%20").Replace(file)
	for name, body := range map[string]string{
		"an image":        fmt.Sprintf(`<img id=i style="display:block" src="%s">`, address),
		"a source":        fmt.Sprintf(`<picture><source srcset="%s"><img id=i style="display:block"></picture>`, address),
		"a background":    fmt.Sprintf(`<div id=i style="height:100px;background:url(%s) no-repeat"></div>`, address),
		"inside the page": fmt.Sprintf(`<img id=i style="display:block" src="%s">`, inline),
		"of a style sheet": fmt.Sprintf(`<style>p::before{content:"";position:absolute;width:600px;height:100px;background:url("%s")}`+
			`</style><p id=i style="margin:0;height:100px">`, inline),
		"in a shadow tree": fmt.Sprintf(`<div id=i></div><script>i.attachShadow({mode: 'open'}).innerHTML = `+
			`'<img style="display:block" src="%s">'</script>`, address),
		"in a drawing": fmt.Sprintf(`<svg id=i width=600 height=100 style="display:block"><image href="%s"></image></svg>`, address),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var pictures [2][]byte
			for n, late := range []int{0, 333} {
				script := fmt.Sprintf(`const late = i, here = i.parentNode; i.remove(); setTimeout(() => here.append(late), %d)`, late)
				shot := take(t, capture.Request{URL: site.page(t, body+"<script>"+script+"</script>")})
				pictures[n] = shot.PNG
				img := picture(t, shot)
				wantColour(t, img, 10, 10, green)
				wantColour(t, img, 110, 10, green)
				wantColour(t, img, 70, 10, red)
				if strings.Contains(fmt.Sprint(shot.Content.Styles), "animation-delay") {
					t.Error("the elements are described with our own address")
				}
			}
			if !bytes.Equal(pictures[0], pictures[1]) {
				t.Error("the pictures differ")
			}
		})
	}
	t.Run("forbidden by the page", func(t *testing.T) {
		t.Parallel()
		guarded := site.handle(t, "guarded", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", "img-src 'self'")
			serve("text/html", fmt.Sprintf(`<!doctype html><style>body{margin:0}</style><img src="%s">`, address))(w, r)
		})
		shot := take(t, capture.Request{URL: guarded})
		wantColour(t, picture(t, shot), 10, 10, green)
		wantPlaying(t, shot)
	})
	t.Run("animations that start each other", func(t *testing.T) {
		t.Parallel()
		endless := site.handle(t, "endless.svg", serve("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="100">`+
			`<rect width="50" height="50"><animate id="a" attributeName="x" to="9" dur="1s" begin="0;b.end"/>`+
			`<animate id="b" attributeName="y" to="9" dur="1s" begin="a.end"/></rect></svg>`))
		wantPlaying(t, take(t, capture.Request{URL: site.page(t, `<img id="i" src="`+endless+`">`)}))
	})
	t.Run("a large file", func(t *testing.T) {
		t.Parallel()
		large := site.handle(t, "large.svg", serve("image/svg+xml", file+"<!--"+strings.Repeat("-+", 600_000)+"-->"))
		wantPlaying(t, take(t, capture.Request{URL: site.page(t, `<div id="i" style="height:90px;background:url('`+large+`')"></div>`)}))
	})
	t.Run("a large file that does not move", func(t *testing.T) {
		t.Parallel()
		large := site.handle(t, "still.svg", serve("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="100">`+
			`<title>An animated animal</title><!--`+strings.Repeat("+", 1_100_000)+`--></svg>`))
		if shot := take(t, capture.Request{URL: site.page(t, `<img src="`+large+`">`)}); !*shot.Manifest.Complete {
			t.Errorf("it is told that %s", page.WhatIsMissing(shot.Manifest.Missing))
		}
	})
}

// wantPlaying checks that a picture that goes on is told, and no more.
func wantPlaying(t *testing.T, shot *capture.Shot) {
	t.Helper()
	if m := shot.Manifest.Missing; len(m) != 1 || m[0].Kind != page.MissingPlaying {
		t.Errorf("it is told that %q", page.WhatIsMissing(m))
	}
}

// TestMessagesOfTheDriverAreNotThePages: what the browser says about how it draws with WebGL is no entry of the page's console; what the
// page does wrong is, in words that are the same each time.
func TestMessagesOfTheDriverAreNotThePages(t *testing.T) {
	const draws = `<canvas id=c width=200 height=100></canvas><script>const g = c.getContext('webgl', { preserveDrawingBuffer: true });
		let frame = 0; const draw = () => { g.clearColor(.2, .4, .6, 1); g.clear(g.COLOR_BUFFER_BIT);
		g.readPixels(0, 0, 1, 1, g.RGBA, g.UNSIGNED_BYTE, new Uint8Array(4)); if (++frame < 20) requestAnimationFrame(draw); };`
	shot := take(t, capture.Request{URL: site.page(t, draws+`draw()</script>`)})
	if len(shot.Console) > 0 {
		t.Errorf("the page says nothing, the console has %+v", shot.Console)
	}
	var said [2]string
	for i := range said {
		shot := take(t, capture.Request{URL: site.page(t, draws+`draw(); g.bindBuffer(1, null)</script>`)})
		said[i] = fmt.Sprint(shot.Console)
		if len(shot.Console) != 1 || !strings.Contains(shot.Console[0].Text, "INVALID_ENUM") {
			t.Errorf("the console has %+v, want the page's mistake", shot.Console)
		}
	}
	if said[0] != said[1] {
		t.Errorf("the same mistake is told as %s and %s", said[0], said[1])
	}
}
