package chrome

import (
	"compress/gzip"
	"fmt"
	"image/color"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/assetcache"
)

// swatch is a picture whose server does something odd. It is asked for the colour that it shows at the n-th request.
type swatch struct {
	name  string
	serve func(w http.ResponseWriter, r *http.Request, n int)
	want  [3]color.RGBA // at each of three visits
}

var palette = []color.RGBA{red, green, blue}

// svg answers with a picture of one colour.
func svg(w http.ResponseWriter, c color.RGBA) {
	w.Header().Set("Content-Type", "image/svg+xml")
	body := fill(c)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

func fill(c color.RGBA) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect width="99" height="99" `+
		`fill="rgb(%d,%d,%d)"/></svg>`, c.R, c.G, c.B)
}

// with serves the colour of the request's number under some headers, in pairs.
func with(headers ...string) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, n int) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Add(headers[i], headers[i+1])
		}
		svg(w, palette[n%3])
	}
}

// once serves something else at the first request, and afterwards a picture that may be kept.
func once(first http.HandlerFunc) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		if n == 0 {
			w.Header().Set("Cache-Control", keepForADay)
			first(w, r)
			return
		}
		with("Cache-Control", keepForADay)(w, r, n)
	}
}

// fresh is what a page shows without sharing; kept is what it shows when the first response answers all.
var (
	fresh = [3]color.RGBA{red, green, blue}
	kept  = [3]color.RGBA{red, red, red}
)

var swatches = []swatch{
	{"kept for a day", with("Cache-Control", keepForADay), kept},
	{"kept by a rule of thumb", with("Last-Modified", "Mon, 24 Nov 2025 12:00:00 GMT"), kept},
	{"not to be stored", with("Cache-Control", "no-store"), fresh},
	{"to be asked for again", with("Cache-Control", "no-cache", "ETag", `"1"`), fresh},
	{"private for a year", with("Cache-Control", "private, max-age=31536000"), fresh},
	{"without a lifetime", with("ETag", `"1"`), fresh},
	{"the same ETag for another picture", with("Cache-Control", "max-age=0, must-revalidate", "ETag", `"1"`), fresh},
	{"sets a cookie", with("Cache-Control", keepForADay, "Set-Cookie", "elsewhere=1; Path=/nowhere"), fresh},
	{"varies by everything", with("Cache-Control", keepForADay, "Vary", "*"), fresh},
	{"varies by the page", with("Cache-Control", keepForADay, "Vary", "Accept, Referer"), fresh},
	{"personal for a year, and says that it is public", func(w http.ResponseWriter, r *http.Request, n int) {
		with("Cache-Control", "public, max-age=31536000")(w, r, visitor(r))
	}, fresh},
	{"refused at first", once(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }),
		[3]color.RGBA{white, green, green}},
	{"broken at first", once(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		svg(w, palette[0])
	}), [3]color.RGBA{white, green, green}},
	{"a document at first", once(func(w http.ResponseWriter, r *http.Request) { serve("text/html", "<p>wait")(w, r) }),
		[3]color.RGBA{white, green, blue}}, // what is refused once is not shared for a while
	{"shorter than it says at first", once(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Header().Set("Content-Length", "5000")
		_, _ = w.Write(fill(red))
	}), [3]color.RGBA{white, green, green}},
	{"longer than it says", func(w http.ResponseWriter, _ *http.Request, n int) {
		body := fill(palette[n%3])
		raw(w, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\nCache-Control: %s\r\nContent-Length: %d\r\n\r\n%s<rest/>",
			keepForADay, len(body), body))
	}, kept},
	{"with odd headers", func(w http.ResponseWriter, _ *http.Request, n int) {
		body := fill(palette[n%3])
		raw(w, fmt.Sprintf("HTTP/1.1 200 Fine\r\ncontent-type: image/svg+xml\r\nX-Odd: \xfe\xff\r\nx-empty:\r\ncache-control: %s\r\n"+
			"content-length: %d\r\n\r\n%s", keepForADay, len(body), body))
	}, kept},
	{"packed", func(w http.ResponseWriter, _ *http.Request, n int) {
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Header().Set("Cache-Control", keepForADay)
		w.Header().Set("Content-Encoding", "gzip")
		var packed strings.Builder
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(fill(palette[n%3]))
		_ = z.Close()
		w.Header().Set("Content-Length", strconv.Itoa(packed.Len()))
		_, _ = w.Write([]byte(packed.String()))
	}, kept},
	{"moved elsewhere each time", func(w http.ResponseWriter, r *http.Request, n int) {
		if to := r.URL.Query().Get("to"); to != "" {
			c, _ := strconv.Atoi(to)
			with("Cache-Control", keepForADay)(w, r, c)
			return
		}
		w.Header().Set("Cache-Control", keepForADay)
		http.Redirect(w, r, r.URL.Path+"?to="+strconv.Itoa(n/2), http.StatusFound) // every second request has been moved
	}, fresh},
}

// raw answers with any bytes.
func raw(w http.ResponseWriter, text string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	_, _ = conn.Write([]byte(text))
	_ = conn.Close()
}

// visitor is the number in the visitor's cookie.
func visitor(r *http.Request) int {
	cookie, err := r.Cookie("visitor")
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(cookie.Value)
	return n
}

// TestPicturesStayRightWhateverAServerSays has three visitors of one batch load pictures whose servers lie, fail, change their
// minds or know who asks. The third comes while the second is still there.
func TestPicturesStayRightWhateverAServerSays(t *testing.T) {
	var mu sync.Mutex
	requests := make(map[string]int)
	var page strings.Builder
	page.WriteString("<!doctype html><style>body{margin:0}div{width:20px;height:20px}</style>")
	for i, s := range swatches {
		path := fmt.Sprintf("swatch%d", i)
		site.handle(t, path, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			n := requests[path]
			requests[path]++
			mu.Unlock()
			s.serve(w, r, n)
		})
		fmt.Fprintf(&page, `<div style="background:url(%s)"></div>`, path)
	}
	visits := 0
	address := site.handle(t, "page", func(w http.ResponseWriter, r *http.Request) {
		// Only the picture that depends on it is told who visits.
		for i, s := range swatches {
			if strings.HasPrefix(s.name, "personal") {
				w.Header().Add("Set-Cookie", fmt.Sprintf("visitor=%d; Path=/%s/swatch%d", visits, t.Name(), i))
			}
		}
		serve("text/html", page.String())(w, r)
	})
	scope := assetcache.New(8 << 20).Scope(t.Name())
	for ; visits < 3; visits++ {
		shot := take(t, capture.Request{URL: address, Shared: scope})
		img := picture(t, shot)
		for i, s := range swatches {
			t.Run(fmt.Sprintf("%s, visit %d", s.name, visits+1), func(t *testing.T) {
				wantColour(t, img, 10, 20*i+10, s.want[visits])
			})
		}
	}
}

// TestOriginsStayApart is about what a browser decides in its network stack, which a shared asset does not pass: requests with
// CORS, documents that isolate themselves, canvases that may not be read, and frames.
func TestOriginsStayApart(t *testing.T) {
	other := strings.Replace(site.server.URL, "127.0.0.1", "localhost", 1) + "/" + t.Name() + "/"
	picture := func(headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			with(append(headers, "Cache-Control", keepForADay)...)(w, r, 0)
		}
	}
	site.handle(t, "closed.svg", picture())
	site.handle(t, "open.svg", picture("Access-Control-Allow-Origin", "*"))
	site.handle(t, "mine.svg", picture("Access-Control-Allow-Origin", site.server.URL, "Vary", "Origin"))
	site.handle(t, "yours.svg", picture("Access-Control-Allow-Origin", "https://example.com", "Vary", "Origin"))
	const script = `<script>
const tell = (e) => { const i = e.target; let said = e.type;
  if (said === 'load') { const g = document.createElement('canvas').getContext('2d'); g.drawImage(i, 0, 0, 9, 9);
    try { g.getImageData(0, 0, 1, 1); said = 'readable' } catch { said = 'tainted' } }
  window.told = (window.told || []).concat(i.id + ' ' + said); document.title = window.told.sort().join(', ') };
document.addEventListener('load', tell, true); document.addEventListener('error', tell, true);
</script>`
	body := "<!doctype html><title></title>" + script
	for _, name := range []string{"closed", "open", "mine", "yours"} {
		body += fmt.Sprintf(`<img id=%[1]s src="%[2]s%[1]s.svg" width=9 height=9>`+
			`<img id=%[1]s-cors crossorigin src="%[2]s%[1]s.svg" width=9 height=9>`, name, other)
	}
	address := site.handle(t, "page", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "isolated" {
			w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		}
		serve("text/html", body)(w, r)
	})
	const usual = "closed tainted, closed-cors error, mine tainted, mine-cors readable, open tainted, open-cors readable, " +
		"yours tainted, yours-cors error"
	const isolated = "closed error, closed-cors error, mine error, mine-cors readable, open error, open-cors readable, " +
		"yours error, yours-cors error"
	scope := assetcache.New(8 << 20).Scope(t.Name())
	for i, visit := range []struct{ query, want string }{{"", usual}, {"", usual}, {"?isolated", isolated}, {"", usual}} {
		shot := take(t, capture.Request{URL: address + visit.query, Shared: scope})
		if shot.Title != visit.want {
			t.Errorf("visit %d%s: %q, want %q", i+1, visit.query, shot.Title, visit.want)
		}
		if reused := shot.Manifest.ReusedRequests; (reused > 0) != (i == 1 || i == 3) {
			t.Errorf("visit %d reused %d requests", i+1, reused)
		}
	}
}

// TestAServiceWorkerAnswersForItsOwnVisitOnly: what a page's worker makes up is not shared.
func TestAServiceWorkerAnswersForItsOwnVisitOnly(t *testing.T) {
	site.handle(t, "worker.js", serve("text/javascript", `addEventListener('activate', (e) => e.waitUntil(clients.claim()));
addEventListener('fetch', (e) => { if (e.request.url.includes('picture')) e.respondWith(new Response(
  '<svg xmlns="http://www.w3.org/2000/svg"><rect width="100%" height="100%" fill="red"/></svg>',
  { headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' } })) });`))
	site.handle(t, "picture.svg", func(w http.ResponseWriter, r *http.Request) { with("Cache-Control", keepForADay)(w, r, 2) })
	const show = "const i = new Image(); i.onload = () => document.body.append(i); i.width = i.height = 99; i.src = 'picture.svg';"
	const style = "<!doctype html><style>body{margin:0}img{display:block}</style><body>"
	liar := site.handle(t, "liar", serve("text/html", style+`<script>
navigator.serviceWorker.register('worker.js'); navigator.serviceWorker.addEventListener('controllerchange', () => {`+show+`})</script>`))
	honest := site.handle(t, "honest", serve("text/html", style+"<script>"+show+"</script>"))
	scope := assetcache.New(8 << 20).Scope(t.Name())
	for _, visit := range []struct {
		address string
		want    color.RGBA
	}{{liar, red}, {honest, blue}, {liar, red}, {honest, blue}} {
		shot := take(t, capture.Request{URL: visit.address, Shared: scope, Scripts: []string{
			"new Promise((done) => { const look = () => document.querySelector('img') ? done() : setTimeout(look, 10); look() })"}})
		wantColour(t, picture(t, shot), 50, 50, visit.want)
	}
}

// TestAPageIsTooLargeWhateverOthersLoaded: shared bytes count, so that the outcome does not depend on who came first.
func TestAPageIsTooLargeWhateverOthersLoaded(t *testing.T) {
	body := "/*" + strings.Repeat("x", 3<<20) + "*/"
	page := func(from, to int) string {
		html := "<!doctype html>"
		for i := from; i < to; i++ {
			site.handle(t, fmt.Sprintf("s%d.css", i), func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Cache-Control", keepForADay)
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
				serve("text/css", body)(w, r)
			})
			html += fmt.Sprintf(`<link rel="stylesheet" href="s%d.css">`, i)
		}
		return site.handle(t, fmt.Sprintf("page%d-%d", from, to), serve("text/html", html))
	}
	first, second, both := page(0, 2), page(1, 3), page(0, 3) // the limit of the tests is 8 MiB
	scope := assetcache.New(64 << 20).Scope(t.Name())
	take(t, capture.Request{URL: first, Shared: scope})
	shot := take(t, capture.Request{URL: second, Shared: scope})
	if m := shot.Manifest; m.ReusedRequests != 1 || m.ReusedBytes < 3<<20 || m.ReceivedBytes > 4<<20 {
		t.Errorf("%d requests with %d bytes were reused, %d bytes received", m.ReusedRequests, m.ReusedBytes, m.ReceivedBytes)
	}
	_, err := pool.Capture(t.Context(), capture.Request{URL: both, Device: capture.Desktop, Shared: scope})
	wantReason(t, err, capture.ReasonTooLarge)
}

// TestNobodyHangsOnASlowVisit: while one visit waits for a picture that does not come, another gets it.
func TestNobodyHangsOnASlowVisit(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	site.handle(t, "p.svg", func(w http.ResponseWriter, r *http.Request) {
		first := false
		once.Do(func() { first = true; close(asked) })
		if first {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		with("Cache-Control", keepForADay)(w, r, 1)
	})
	address := site.handle(t, "page", serve("text/html",
		`<!doctype html><style>body{margin:0}</style><img src="p.svg" width=99 height=99>`))
	scope := assetcache.New(8 << 20).Scope(t.Name())
	var slow sync.WaitGroup
	slow.Go(func() {
		request := capture.Request{URL: address, Device: capture.Desktop, Shared: scope, Deadline: patient}
		_, err := pool.Capture(t.Context(), request)
		if err != nil {
			t.Error(err)
		}
	})
	<-asked
	shot := take(t, capture.Request{URL: address, Shared: scope})
	wantColour(t, picture(t, shot), 50, 50, green)
	close(release)
	slow.Wait()
}

// TestBatchesLearnNothingOfEachOther has pages of several batches look for traces of earlier visits. A script that may be kept
// for a year has another number at each fetch: no number is seen by two batches, and the server is never asked whether what
// somebody has is still the same. AFTERIMAGE_SOAK=1 makes it 100 captures.
func TestBatchesLearnNothingOfEachOther(t *testing.T) {
	times := captureTimes(8)
	var h hoard
	address := h.serve(t)
	site.handle(t, "cached.js", func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.fetched++
		number := h.fetched
		if tag := r.Header.Get("If-None-Match"); tag != "" {
			h.returned = append(h.returned, "If-None-Match "+tag)
		}
		h.mu.Unlock()
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		w.Header().Set("ETag", fmt.Sprintf("%q", strconv.Itoa(number)))
		serve("text/javascript", fmt.Sprintf("window.number = %d", number))(w, r)
	})
	cache := assetcache.New(8 << 20)
	seen := make(map[string]string) // the batch that saw a number
	for i := range times {
		batch := fmt.Sprint("batch", i%4)
		shot := takeHoard(t, pool, capture.Request{URL: address + "?account=a", Shared: cache.Scope(batch), Scripts: []string{
			"window.hoard.then(() => document.title += ' but number ' + window.number)"}})
		found, number, _ := strings.Cut(shot.Title, " but number ")
		if found != "nothing of a" || number == "" {
			t.Errorf("visit %d: the page says %q", i, shot.Title)
			continue
		}
		if owner, known := seen[number]; known && owner != batch {
			t.Errorf("visit %d of %s got what %s had fetched", i, batch, owner)
		}
		seen[number] = batch
	}
	if len(h.returned) > 0 {
		t.Errorf("the server got back %q", h.returned)
	}
	if len(seen) < 4 || len(seen) == times {
		t.Errorf("%d visits saw %d numbers", times, len(seen))
	}
}
