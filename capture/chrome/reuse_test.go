package chrome

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/assetcache"
)

// shop is a site of pages that have styles, scripts, a font and pictures in common, and counts its requests.
type shop struct {
	mu       sync.Mutex
	requests map[string]int
	bytes    int
}

const shopPages = 3

const keepForADay = "public, max-age=86400"

// openShop serves a shop below the test's name and returns it with the address of a page without its number.
func openShop(t *testing.T, control string) (*shop, string) {
	t.Helper()
	s := &shop{requests: make(map[string]int)}
	asset := func(kind string, body func(*http.Request) []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			if control != "" {
				w.Header().Set("Cache-Control", control)
			}
			s.write(w, r, body(r))
		}
	}
	text := func(body string) func(*http.Request) []byte {
		return func(*http.Request) []byte { return []byte(body) }
	}
	for i := range 3 {
		site.handle(t, fmt.Sprintf("s%d.css", i), asset("text/css", text(
			fmt.Sprintf(".b%d{background:url(p%d.png);width:40px;height:40px}", i, i))))
		site.handle(t, fmt.Sprintf("j%d.js", i), asset("text/javascript", text(fmt.Sprintf("document.title += %d;", i))))
	}
	for i := range 20 {
		shade := uint8(i * 12)
		site.handle(t, fmt.Sprintf("p%d.png", i), asset("image/png", func(*http.Request) []byte { return square(shade) }))
	}
	address := ""
	for n := range shopPages {
		var page strings.Builder
		fmt.Fprintf(&page, "<!doctype html><title>%d</title><h1>Page %d</h1>", n, n)
		for i := range 3 {
			fmt.Fprintf(&page, `<link rel="stylesheet" href="s%d.css"><div class="b%d"></div><script src="j%d.js"></script>`, i, i, i)
		}
		for i := range 20 {
			fmt.Fprintf(&page, `<img src="p%d.png">`, i)
		}
		address = site.handle(t, fmt.Sprintf("page%d", n), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Cache-Control", keepForADay) // a document is fetched nevertheless
			s.write(w, r, []byte(page.String()))
		})
	}
	return s, strings.TrimSuffix(address, strconv.Itoa(shopPages-1))
}

func (s *shop) write(w http.ResponseWriter, r *http.Request, body []byte) {
	s.mu.Lock()
	s.requests[r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]]++
	s.bytes += len(body)
	s.mu.Unlock()
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

// count returns the requests so far and the bytes, and begins anew.
func (s *shop) count() (requests map[string]int, total, sent int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests, sent = s.requests, s.bytes
	for _, n := range requests {
		total += n
	}
	s.requests, s.bytes = make(map[string]int), 0
	return requests, total, sent
}

// square is a picture that does not compress to nothing.
func square(shade uint8) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 40, 40))
	for i := range img.Pix {
		img.Pix[i] = uint8(i*i>>3) ^ shade
	}
	for y := range 40 {
		for x := range 40 {
			img.Set(x, y, color.RGBA{img.Pix[img.PixOffset(x, y)], shade, 200, 255})
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img)
	return b.Bytes()
}

// run captures all pages on both devices, two at once.
func (s *shop) run(t *testing.T, address string, scope *assetcache.Scope) map[string]*capture.Shot {
	t.Helper()
	shots := make(map[string]*capture.Shot)
	var mu sync.Mutex
	var all sync.WaitGroup
	turns := make(chan struct{}, 2)
	for n := range shopPages {
		for _, device := range []capture.Device{capture.Desktop, capture.Mobile} {
			turns <- struct{}{}
			all.Go(func() {
				defer func() { <-turns }()
				request := capture.Request{URL: address + strconv.Itoa(n), Device: device, Deadline: patient, Shared: scope}
				shot, err := pool.Capture(t.Context(), request)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				shots[fmt.Sprint(n, device)] = shot
			})
		}
	}
	all.Wait()
	return shots
}

// TestABatchFetchesAssetsOnce captures a shop with and without sharing: the pictures are the same, and the site has a tenth of
// the work.
func TestABatchFetchesAssetsOnce(t *testing.T) {
	s, address := openShop(t, keepForADay)
	alone := s.run(t, address, nil)
	_, requests, sent := s.count()
	cache := assetcache.New(32 << 20)
	together := s.run(t, address, cache.Scope(t.Name()))
	by, few, little := s.count()
	t.Logf("requests %d and %d, bytes %d and %d, kept %+v", requests, few, sent, little, cache.Stats())
	for name, shot := range alone {
		if other := together[name]; other == nil || !bytes.Equal(shot.PNG, other.PNG) || shot.Title != other.Title {
			t.Errorf("%s is another picture", name)
		}
	}
	// Each page, and each asset once for a device.
	if want := 2*shopPages + 2*26; few != want || little*2 > sent {
		t.Errorf("the site got %d requests instead of %d, want %d, and sent %d bytes instead of %d: %v",
			few, requests, want, little, sent, by)
	}
	last := together["2mobile"].Manifest
	if last.ReusedRequests != 26 || last.ReusedBytes < 26*100 || alone["2mobile"].Manifest.ReusedRequests != 0 {
		t.Errorf("the manifest says that %d requests were reused, with %d bytes", last.ReusedRequests, last.ReusedBytes)
	}
}
