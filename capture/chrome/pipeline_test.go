package chrome

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

func TestDevices(t *testing.T) {
	var seen http.Header
	address := site.handle(t, "page", func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		serve("text/html", `<!doctype html><meta name=viewport content="width=device-width"><title>A title</title>
			<body style="height:2000px"><script>console.warn([innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints,
			matchMedia('(prefers-reduced-motion)').matches, navigator.userAgentData?.mobile, navigator.webdriver].join())</script>`)(w, r)
	})
	for device, want := range map[capture.Device]struct {
		width                 int
		console, agent, hints string
	}{
		capture.Desktop: {1440, "1440,900,1,0,true,", "X11; Linux x86_64", "?0"},
		capture.Mobile:  {390, "390,844,1,5,true,", "Android 10; K", "?1"},
	} {
		t.Run(string(device), func(t *testing.T) {
			shot := take(t, capture.Request{URL: address, Device: device})
			img := picture(t, shot)
			if shot.Width != want.width || img.Bounds().Dx() != want.width || shot.Height < 2000 || shot.Truncated {
				t.Errorf("size is %dx%d (truncated %v), want width %d and the whole height", shot.Width, shot.Height,
					shot.Truncated, want.width)
			}
			if shot.Title != "A title" || shot.Status != 200 || shot.FinalURL != address {
				t.Errorf("title %q, status %d, final address %q", shot.Title, shot.Status, shot.FinalURL)
			}
			if len(shot.Console) != 1 || !strings.HasPrefix(shot.Console[0].Text, want.console) || shot.Console[0].Type != "warning" ||
				shot.Console[0].URL != address {
				t.Errorf("console is %+v, want one warning starting %q", shot.Console, want.console)
			}
			if agent := seen.Get("User-Agent"); !strings.Contains(agent, want.agent) || strings.Contains(agent, "Headless") {
				t.Errorf("user agent is %q", agent)
			}
			if got := seen.Get("Sec-CH-UA-Mobile"); got != "" && got != want.hints {
				t.Errorf("Sec-CH-UA-Mobile is %q, want %q", got, want.hints)
			}
			m := shot.Manifest
			if m.Device != string(device) || !strings.Contains(m.Engine, "/") || m.Pipeline != capture.VirtualTimePipeline ||
				len(m.Stages) != 16 || m.ReceivedBytes == 0 || len(m.TimedOut) != 0 {
				t.Errorf("manifest is %+v", m)
			}
		})
	}
}

func TestRedirectsAndFailedRequests(t *testing.T) {
	end := site.handle(t, "end", serve("text/html", `<img src="missing.png"><script>history.replaceState(0, '', 'pushed')</script>`))
	middle := site.handle(t, "middle", http.RedirectHandler(end, http.StatusFound).ServeHTTP)
	start := site.handle(t, "start", http.RedirectHandler(middle, http.StatusMovedPermanently).ServeHTTP)
	shot := take(t, capture.Request{URL: start})
	if want := []string{start, middle}; !slices.Equal(shot.Manifest.Redirects, want) {
		t.Errorf("redirects are %q, want %q", shot.Manifest.Redirects, want)
	}
	if want := strings.Replace(end, "/end", "/pushed", 1); shot.FinalURL != want {
		t.Errorf("final address is %q, want %q", shot.FinalURL, want)
	}
	failed := shot.Manifest.FailedRequests
	if len(failed) != 1 || failed[0].Status != 404 || !strings.HasSuffix(failed[0].URL, "/missing.png") {
		t.Errorf("failed requests are %+v, want the picture", failed)
	}
	if !slices.ContainsFunc(shot.Console, func(e page.ConsoleEntry) bool { return strings.Contains(e.Text, "404") }) {
		t.Errorf("console %+v does not tell of the missing picture", shot.Console)
	}
}

func TestScriptedRedirectIsFollowed(t *testing.T) {
	end := site.handle(t, "end", serve("text/html", `<title>arrived</title>`))
	for name, hop := range map[string]string{
		"meta refresh": `<meta http-equiv=refresh content="0;url=end">`,
		"location":     `<script>addEventListener('load', () => { location = 'end' })</script>`,
	} {
		start := site.handle(t, "start", serve("text/html", hop))
		if shot := take(t, capture.Request{URL: start}); shot.Title != "arrived" || shot.FinalURL != end {
			t.Errorf("%s: captured %q at %s", name, shot.Title, shot.FinalURL)
		}
	}
}

func TestErrorPageIsAResult(t *testing.T) {
	address := site.handle(t, "broken", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = fmt.Fprint(w, "<h1>Something broke</h1>")
	})
	if shot := take(t, capture.Request{URL: address}); shot.Status != 500 {
		t.Errorf("status is %d, want 500", shot.Status)
	}
	blank := site.handle(t, "blank", serve("text/html", ""))
	if shot := take(t, capture.Request{URL: blank}); shot.Width != 1440 || shot.Height != 900 {
		t.Errorf("blank page gives %dx%d, want one screen", shot.Width, shot.Height)
	}
}

func TestStylesAndScriptsInOrder(t *testing.T) {
	address := site.handle(t, "strict", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		serve("text/html", "<!doctype html><div id=box></div>")(w, r)
	})
	shot := take(t, capture.Request{
		URL:     address,
		Styles:  []string{"#box{position:fixed;inset:0;background:red}", "#box{background:blue}"},
		Scripts: []string{"document.title = 'group'", "throw new Error('mine')", "document.title += ' then url'"},
	})
	wantColour(t, picture(t, shot), 20, 20, blue)
	if shot.Title != "group then url" {
		t.Errorf("title is %q: scripts did not run in order", shot.Title)
	}
	if !slices.ContainsFunc(shot.Console, func(e page.ConsoleEntry) bool { return strings.Contains(e.Text, "mine") }) {
		t.Errorf("console %+v does not show the script's error", shot.Console)
	}
}

func TestLazyContentAppears(t *testing.T) {
	site.handle(t, "late.svg",
		serve("image/svg+xml",
			`<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="blue"/></svg>`))
	address := site.page(t, `<div style="height:5000px"></div>
		<img src="late.svg" loading="lazy" style="display:block;width:50px;height:50px">
		<div id="reveal" style="height:50px"></div>
		<div id="host"></div>
		<script>
		new IntersectionObserver((entries) => { if (entries[0].isIntersecting) reveal.style.background = 'green' }).observe(reveal);
		host.attachShadow({mode: 'open'}).innerHTML = '<img src="late.svg?2" loading="lazy" style="display:block;width:50px;height:50px">';
		</script>`)
	img := picture(t, take(t, capture.Request{URL: address}))
	wantColour(t, img, 20, 5020, blue)
	wantColour(t, img, 20, 5070, green)
	wantColour(t, img, 20, 5120, blue)
}

// TestPageThatScrollsByItself: an autofocused field moved the page in the frame in which a screen should have been seen.
func TestPageThatScrollsByItself(t *testing.T) {
	address := site.page(t, `<div style="height:1000px"></div><div id="reveal" style="height:50px"></div><div style="height:4000px"></div>
		<script>
		new IntersectionObserver((entries) => { if (entries[0].isIntersecting) reveal.style.background = 'green' }).observe(reveal);
		addEventListener('scroll', () => scrollTo(0, 9999), { once: true });
		</script>`)
	wantColour(t, picture(t, take(t, capture.Request{URL: address})), 20, 1020, green)
}

func TestFullHeightSectionIsNotStretched(t *testing.T) {
	address := site.page(t, `<div style="height:100vh;background:red"></div><div style="height:3000px;background:green"></div>`)
	shot := take(t, capture.Request{URL: address})
	if shot.Height != 3900 {
		t.Errorf("height is %d, want 3900", shot.Height)
	}
	img := picture(t, shot)
	wantColour(t, img, 20, 890, red)
	wantColour(t, img, 20, 910, green)
}

// twoFrameGIF is red, then blue after 20 ms, for ever.
const twoFrameGIF = "data:image/gif;base64,R0lGODlhAQABAPAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+" +
	"QQEAgAAACwAAAAAAQABAAACAkQBACH5BAQCAAAALAAAAAABAAEAAAICTAEAOw=="

func TestMotionIsStilled(t *testing.T) {
	address := site.page(t, `<style>
		@keyframes enter { from { background: red } to { background: green } }
		@keyframes blink { 50% { background: red } }
		div, svg, img { display: block; width: 100px; height: 100px }
		</style>
		<div style="animation: enter 30s forwards"></div>
		<div style="background: blue; animation: blink .1s infinite"></div>
		<div id="moved" style="background: red; transition: background 30s"></div>
		<svg><rect width="100" height="100" fill="blue"><animate attributeName="fill" values="red;blue" dur=".1s" `+
		`repeatCount="indefinite"/></rect></svg>
		<img src="`+twoFrameGIF+`">
		<input autofocus style="display:block;width:100px;height:100px;border:0;outline:0;padding:0">
		<script>requestAnimationFrame(() => requestAnimationFrame(() => { moved.style.background = 'green' }))</script>`)
	img := picture(t, take(t, capture.Request{URL: address}))
	for i, want := range []struct {
		what   string
		colour interface{ RGBA() (r, g, b, a uint32) }
	}{{"finite animation at its end", green}, {"endless animation taken away", blue}, {"transition at its end", green},
		{"SMIL before its beginning", blue}, {"endless GIF at its last frame", blue}} {
		r, g, b, _ := img.At(50, 100*i+50).RGBA()
		wr, wg, wb, _ := want.colour.RGBA()
		if r != wr || g != wg || b != wb {
			t.Errorf("%s: pixel is %d %d %d, want %v", want.what, r>>8, g>>8, b>>8, want.colour)
		}
	}
	for y := 500; y < 600; y++ {
		wantColour(t, img, 1, y, white) // no caret
	}
}

func TestSamePageGivesSameBytes(t *testing.T) {
	address := site.handle(t, "sample", serve("text/html", string(samplePage)))
	for _, device := range []capture.Device{capture.Desktop, capture.Mobile} {
		first := take(t, capture.Request{URL: address, Device: device})
		for range 4 {
			if again := take(t, capture.Request{URL: address, Device: device}); !bytes.Equal(first.PNG, again.PNG) {
				t.Errorf("%s: the same page gave different pictures (%d and %d bytes)", device, len(first.PNG), len(again.PNG))
			}
		}
	}
}

func TestNothingIsSharedBetweenCaptures(t *testing.T) {
	var cookies []string
	address := site.handle(t, "page", func(w http.ResponseWriter, r *http.Request) {
		cookies = append(cookies, r.Header.Get("Cookie"))
		w.Header().Set("Set-Cookie", "seen=1; Max-Age=3600")
		w.Header().Set("Cache-Control", "max-age=3600")
		serve("text/html", `<script>document.title = localStorage.seen || 'new'; localStorage.seen = 'old'</script>`)(w, r)
	})
	for range 4 { // more than lanes, so that at least one browser is used twice
		if shot := take(t, capture.Request{URL: address}); shot.Title != "new" {
			t.Errorf("local storage of an earlier capture is there")
		}
	}
	if want := []string{"", "", "", ""}; !slices.Equal(cookies, want) {
		t.Errorf("cookies sent are %q, want four requests without any", cookies)
	}
}
