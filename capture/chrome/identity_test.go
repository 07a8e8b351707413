package chrome

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/egress"
)

// recorder serves a page and remembers the headers and the cookie of each request by its path.
type recorder struct {
	page string

	mu   sync.Mutex
	seen map[string]http.Header
}

func (s *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = make(map[string]http.Header)
	}
	s.seen[r.URL.Path] = r.Header.Clone()
	switch r.URL.Path {
	case "/moved":
		http.Redirect(w, r, "/", http.StatusFound)
	case "/":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, s.page)
	default:
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`)
	}
}

// Headers and cookies of a request go to its own origin, also after a redirect, and to no other.
func TestHeadersAndCookiesGoToTheOriginOnly(t *testing.T) {
	foreign := &recorder{}
	other := httptest.NewServer(foreign)
	defer other.Close()
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1) // cookies belong to a host with all its ports
	own := &recorder{page: fmt.Sprintf(`<!doctype html><title>t</title><img src="/own"><img src="%s/foreign">`, elsewhere)}
	server := httptest.NewServer(own)
	defer server.Close()
	policy, err := egress.NewPolicy(strings.TrimPrefix(server.URL, "http://"), strings.TrimPrefix(elsewhere, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	config := testConfig()
	config.Lanes, config.Policy = 1, policy
	shot := takeWith(t, startPool(t, config), capture.Request{
		URL:     server.URL + "/moved",
		Headers: []capture.Header{{Name: "X-Preview-Key", Value: "k 1"}, {Name: "Accept-Language", Value: "de"}},
		Cookies: []capture.Cookie{{Name: "session", Value: "s1"}},
	})
	if shot.Status != http.StatusOK {
		t.Fatalf("status %d", shot.Status)
	}
	for _, path := range []string{"/moved", "/", "/own"} {
		if h := own.seen[path]; h.Get("X-Preview-Key") != "k 1" || h.Get("Accept-Language") != "de" || h.Get("Cookie") != "session=s1" {
			t.Errorf("%s was requested with %v", path, h)
		}
	}
	if h := foreign.seen["/foreign"]; h == nil || h.Get("X-Preview-Key") != "" || h.Get("Cookie") != "" {
		t.Errorf("the other origin was sent %v", h)
	}
}

// A page sees the date that the request names, and a page that shows it needs no second picture.
func TestAPageBeginsAtTheGivenDate(t *testing.T) {
	address := site.page(t, `<p id=p></p><script>p.textContent = new Date().toISOString();
		setInterval(() => { p.textContent = new Date().toISOString() }, 100)</script>`)
	date := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	first, second := take(t, capture.Request{URL: address, Date: date}), take(t, capture.Request{URL: address, Date: date})
	if !strings.Contains(first.Content.Text, "2031-05-06T07:08") || first.Content.Text != second.Content.Text ||
		string(first.PNG) != string(second.PNG) {
		t.Errorf("the page shows %q and %q", first.Content.Text, second.Content.Text)
	}
	if len(first.Manifest.Unstable) > 0 {
		t.Errorf("the page moves at %v", first.Manifest.Unstable)
	}
	if again := take(t, capture.Request{URL: address}); strings.Contains(again.Content.Text, "2031") || len(again.Manifest.Unstable) == 0 {
		t.Errorf("without a date it shows %q and moves at %v", again.Content.Text, again.Manifest.Unstable)
	}
}

func TestWhatCannotBeSentIsRefused(t *testing.T) {
	for name, r := range map[string]capture.Request{
		"header name":     {Headers: []capture.Header{{Name: "a b", Value: "c"}}},
		"header value":    {Headers: []capture.Header{{Name: "a", Value: "b\r\nc: d"}}},
		"reserved header": {Headers: []capture.Header{{Name: "Host", Value: "example.com"}}},
		"long header":     {Headers: []capture.Header{{Name: "a", Value: strings.Repeat("b", 9000)}}},
		"many headers":    {Headers: make([]capture.Header, 51)},
		"cookie name":     {Cookies: []capture.Cookie{{Name: "a b", Value: "c"}}},
		"long cookie":     {Cookies: []capture.Cookie{{Name: "a", Value: strings.Repeat("b", 9000)}}},
	} {
		r.URL, r.Device = "http://localhost:1/", capture.Desktop
		if _, err := pool.Capture(t.Context(), r); err == nil || !strings.Contains(err.Error(), string(capture.ReasonInvalidAddress)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
