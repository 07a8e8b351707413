package private_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"afterimage/internal/health"
	"afterimage/internal/private"
)

func TestToolsAreForThisMachineOnly(t *testing.T) {
	answered := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	h := private.Handler(private.Config{Health: health.New(slog.New(slog.DiscardHandler)), Figures: answered, Jobs: answered})
	const cancel = "/jobs/api/jobs/cancel"
	for name, c := range map[string]struct {
		method, path, from, host, origin string
		want                             int
	}{
		"figures from another machine":              {"GET", "/metrics", "192.0.2.7:4000", "10.0.0.1:9464", "", 200},
		"health from another machine":               {"GET", "/healthz", "192.0.2.7:4000", "10.0.0.1:9464", "", 200},
		"profiles here":                             {"GET", "/debug/pprof/", "127.0.0.1:4000", "localhost:9464", "", 200},
		"profiles here by IPv6":                     {"GET", "/debug/pprof/", "[::1]:4000", "[::1]:9464", "", 200},
		"profiles from another machine":             {"GET", "/debug/pprof/heap", "192.0.2.7:4000", "127.0.0.1:9464", "", 403},
		"profiles to a page with a rebound name":    {"GET", "/debug/pprof/heap", "127.0.0.1:4000", "evil.example.com:9464", "", 403},
		"the command line, which may hold a key":    {"GET", "/debug/pprof/cmdline", "127.0.0.1:4000", "localhost:9464", "", 404},
		"jobs here":                                 {"GET", "/jobs/", "127.0.0.1:4000", "127.0.0.1:9464", "", 200},
		"jobs from another machine":                 {"GET", "/jobs/", "192.0.2.7:4000", "127.0.0.1:9464", "", 403},
		"a job cancelled by a page of another site": {"POST", cancel, "127.0.0.1:4000", "localhost:9464", "https://evil.example.com", 403},
		"a job cancelled by the console":            {"POST", cancel, "127.0.0.1:4000", "localhost:9464", "http://localhost:9464", 200},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, c.path, nil)
			r.RemoteAddr, r.Host = c.from, c.host
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("status %d, want %d: %s", w.Code, c.want, w.Body)
			}
		})
	}
}
