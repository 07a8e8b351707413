package zoo_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/capture/zoo"
	"afterimage/internal/assetcache"
	"afterimage/internal/egress"
)

// lasting lets everything that it serves be kept, whatever the zoo says.
type lasting struct{ http.ResponseWriter }

func (l lasting) WriteHeader(status int) {
	l.Header().Set("Cache-Control", "public, max-age=3600")
	l.ResponseWriter.WriteHeader(status)
}

func (l lasting) Write(b []byte) (int, error) {
	l.Header().Set("Cache-Control", "public, max-age=3600") // without effect after the header
	return l.ResponseWriter.Write(b)
}

func (l lasting) Unwrap() http.ResponseWriter { return l.ResponseWriter }

func (l lasting) Flush() { _ = http.NewResponseController(l.ResponseWriter).Flush() }

// TestSharingChangesNoPicture takes pages of the zoo alone, then twice in a batch: late pictures, fonts and scripts are there
// at once the last time, and the pixels are the same. AFTERIMAGE_SOAK=1 takes all pages that are the same each time.
func TestSharingChangesNoPicture(t *testing.T) {
	var site *httptest.Server
	var handler http.Handler
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(lasting{w}, r) }))
	t.Cleanup(func() { site.CloseClientConnections(); site.Close() })
	host := strings.TrimPrefix(site.URL, "http://")
	other := strings.Replace(host, "127.0.0.1", "localhost", 1)
	var err error
	handler, err = zoo.Handler("http://" + other)
	if err != nil {
		t.Fatal(err)
	}
	policy, err := egress.NewPolicy(host, other)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := chrome.Start(t.Context(), chrome.Config{Lanes: 1, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	names := "image-lazy-script,image-srcset,font-swap,custom-element,svg-image-css"
	reused := 0
	for _, p := range zoo.Pages() {
		if p.Kind != zoo.Steady || os.Getenv("AFTERIMAGE_SOAK") == "" && !strings.Contains(names, p.Name) {
			continue
		}
		var alone []byte
		scope := assetcache.New(64 << 20).Scope(p.Name)
		for i, shared := range []*assetcache.Scope{nil, scope, scope} {
			request := capture.Request{URL: site.URL + "/" + p.Name, Device: capture.Desktop, Deadline: 5 * time.Minute, Shared: shared}
			shot, err := pool.Capture(t.Context(), request)
			switch {
			case err != nil:
				t.Errorf("%s: %v", p.Name, err)
				continue
			case i == 0:
				alone = shot.PNG
			case !bytes.Equal(shot.PNG, alone):
				t.Errorf("%s: picture %d is another", p.Name, i)
			}
			reused += shot.Manifest.ReusedRequests
		}
	}
	if reused == 0 {
		t.Error("nothing was shared")
	}
	t.Logf("%d requests were answered by others' responses", reused)
}
