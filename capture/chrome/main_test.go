package chrome

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"afterimage/capture"
	"afterimage/internal/egress"
)

// The tests share one site and one pool of two lanes: starting a browser costs more than most tests.
var (
	site *testSite
	pool *Pool
)

func TestMain(m *testing.M) {
	if asChild() || asNamespace() {
		return
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) (code int) {
	site = newTestSite()
	var err error
	if pool, err = Start(context.Background(), testConfig()); err != nil {
		fmt.Fprintln(os.Stderr, "start the shared pool:", err)
		return 1
	}
	code = m.Run()
	if err := pool.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "close the shared pool:", err)
		code = 1
	}
	site.close()
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// testConfig lets pages reach the site and a port where nobody listens, and never asks a DNS server.
func testConfig() Config {
	policy, err := egress.NewPolicy(site.hostPort(), strings.Replace(site.hostPort(), "127.0.0.1", "localhost", 1), site.tlsHostPort(),
		site.closedPort)
	if err != nil {
		panic(err)
	}
	return Config{
		Lanes: 2, Policy: policy, MaxPageBytes: 8 << 20,
		Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("tests ask no DNS server")
		}},
	}
}

// startPool starts a pool of its own for tests that break browsers.
func startPool(t *testing.T, config Config) *Pool {
	t.Helper()
	p, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// testSite is a web server on loopback to which tests add pages.
type testSite struct {
	server, secure *httptest.Server
	closedPort     string

	mu    sync.Mutex
	pages map[string]http.HandlerFunc
}

func newTestSite() *testSite {
	s := &testSite{pages: make(map[string]http.HandlerFunc)}
	s.server = httptest.NewServer(s)
	s.secure = httptest.NewUnstartedServer(s)
	s.secure.Config.ErrorLog = quietLog()
	s.secure.StartTLS()
	gone := httptest.NewServer(nil)
	s.closedPort = strings.TrimPrefix(gone.URL, "http://")
	gone.Close()
	return s
}

func (s *testSite) close() {
	s.server.CloseClientConnections()
	s.server.Close()
	s.secure.Close()
}

func (s *testSite) hostPort() string    { return strings.TrimPrefix(s.server.URL, "http://") }
func (s *testSite) tlsHostPort() string { return strings.TrimPrefix(s.secure.URL, "https://") }

func (s *testSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	handler := s.pages[r.URL.Path]
	s.mu.Unlock()
	if handler == nil {
		http.NotFound(w, r)
		return
	}
	handler(w, r)
}

// handle serves a path below the test's name and returns its address.
func (s *testSite) handle(t *testing.T, path string, handler http.HandlerFunc) string {
	t.Helper()
	path = "/" + t.Name() + "/" + path
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = handler
	return s.server.URL + path
}

// page serves an HTML body and returns its address.
func (s *testSite) page(t *testing.T, html string) string {
	t.Helper()
	return s.handle(t, "page", serve("text/html; charset=utf-8", "<!doctype html><style>body{margin:0}</style>"+html))
}

func serve(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = fmt.Fprint(w, body)
	}
}

// take captures with the shared pool and fails the test when that fails.
func take(t *testing.T, req capture.Request) *capture.Shot {
	t.Helper()
	return takeWith(t, pool, req)
}

// patient is a deadline that no machine is too busy for.
const patient = 5 * time.Minute

func takeWith(t *testing.T, p *Pool, req capture.Request) *capture.Shot {
	t.Helper()
	req.Device, req.Deadline = cmp.Or(req.Device, capture.Desktop), cmp.Or(req.Deadline, patient)
	shot, err := p.Capture(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return shot
}

func picture(t *testing.T, shot *capture.Shot) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(shot.PNG))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// wantColour checks one pixel.
func wantColour(t *testing.T, img image.Image, x, y int, want color.RGBA) {
	t.Helper()
	r, g, b, _ := img.At(x, y).RGBA()
	if got := (color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}); got != want {
		t.Errorf("pixel %d,%d is %v, want %v", x, y, got, want)
	}
}

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 128, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	white = color.RGBA{255, 255, 255, 255}
)
