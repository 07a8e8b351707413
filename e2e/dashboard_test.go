package e2e

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"afterimage/internal/webtest"
)

// TestDashboard runs the tests of web/e2e/dashboard: a browser uses the dashboard as people do, on a run of four pages of which
// all show one change, and one shows another.
func TestDashboard(t *testing.T) {
	t.Parallel()
	site := &reviewSite{}
	host := pages(t, site)
	s := lodge(t)
	var urls []string
	for _, path := range reviewPages {
		urls = append(urls, "http://"+host+path)
	}
	group := s.group(nil, urls...)
	s.await(s.take(group, "pre"))
	site.after.Store(true)
	run := s.take(group, "post")
	s.await(run)
	must[any](s, http.MethodPut, "/groups/"+group, map[string]any{"name": "Lamps " + hostile})
	s.inBrowser("dashboard", "RUN="+run, "GROUP="+group, "PAGE="+urls[0])
}

// inBrowser runs tests of web/e2e against the service.
func (s *service) inBrowser(folder string, environment ...string) {
	s.t.Helper()
	webtest.Run(s.t, folder, s.url, append(environment, "TOKEN="+s.token)...)
}

// TestDashboardThroughARestart restarts the service while a browser follows a run.
func TestDashboardThroughARestart(t *testing.T) {
	t.Parallel()
	count, held := sized(4, 10), sized[int64](3, 6)
	restarted := make(chan struct{})
	var second atomic.Bool
	var asked atomic.Int64
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The second run waits for the restart once it has captured a few pages.
		if second.Load() && asked.Add(1) > held {
			select {
			case <-restarted:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>%[1]s</title><h1>%[1]s</h1>", html.EscapeString(r.URL.Path))
	})
	host := pages(t, site)
	listen := []string{"--listen", closedPort(t)}
	s := serve(t, []string{host}, listen...)
	var urls []string
	for i := range count {
		urls = append(urls, fmt.Sprintf("http://%s/%d", host, i))
	}
	group := s.group(nil, urls...)
	before := s.take(group, "pre")
	s.await(before)
	second.Store(true)
	control := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		s.stop()
		s.open("serve", []string{host}, listen...)
		close(restarted)
	}))
	t.Cleanup(control.Close)
	s.inBrowser("restart", "CONTROL="+control.URL, "SCREENSHOTS="+itoa(2*count), "RUN="+before, "GROUP="+group, "PAGE="+urls[0])
}
