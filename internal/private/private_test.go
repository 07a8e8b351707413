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
	h := private.Handler(private.Config{
		Health: health.New(slog.New(slog.DiscardHandler)), Figures: answered, Tools: map[string]http.Handler{"/queue": answered},
	})
	for name, c := range map[string]struct {
		path, from, host string
		want             int
	}{
		"figures from another machine":           {"/metrics", "192.0.2.7:4000", "10.0.0.1:9464", 200},
		"health from another machine":            {"/healthz", "192.0.2.7:4000", "10.0.0.1:9464", 200},
		"profiles here":                          {"/debug/pprof/", "127.0.0.1:4000", "localhost:9464", 200},
		"profiles here by IPv6":                  {"/debug/pprof/", "[::1]:4000", "[::1]:9464", 200},
		"profiles from another machine":          {"/debug/pprof/heap", "192.0.2.7:4000", "127.0.0.1:9464", 403},
		"profiles to a page with a rebound name": {"/debug/pprof/heap", "127.0.0.1:4000", "evil.example.com:9464", 403},
		"a tool here":                            {"/queue", "127.0.0.1:4000", "localhost:9464", 200},
		"a tool's pages here":                    {"/queue/jobs", "127.0.0.1:4000", "localhost:9464", 200},
		"a tool from another machine":            {"/queue", "192.0.2.7:4000", "localhost:9464", 403},
		"a tool to a page with a rebound name":   {"/queue/jobs", "127.0.0.1:4000", "evil.example.com:9464", 403},
		"the command line, which may hold a key": {"/debug/pprof/cmdline", "127.0.0.1:4000", "localhost:9464", 404},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, c.path, nil)
			r.RemoteAddr, r.Host = c.from, c.host
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("status %d, want %d: %s", w.Code, c.want, w.Body)
			}
		})
	}
}
