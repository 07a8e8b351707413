package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// walls are what a site shows instead of its pages, by their paths, with status 200.
var walls = map[string]string{
	"/challenge": `<title>Just a moment...</title><h1>shop.test</h1><p>Verify you are human by completing the action below.</p>`,
	"/parked":    `<title>shop.test</title><h1>shop.test</h1><p>This domain is for sale. Buy this domain.</p>`,
	"/closed":    `<title>Maintenance</title><h1>We'll be back soon</h1><p>Our site is down for maintenance.</p>`,
	"/members": `<title>Protected</title><p>This content is password protected. To view it please enter your password below.</p>
		<input type="password">`,
}

// TestAWallIsNoPage: a comparison with what stands before a page is no comparison, and never fine.
func TestAWallIsNoPage(t *testing.T) {
	t.Parallel()
	var walled atomic.Bool
	walled.Store(true)
	host := pages(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if wall := walls[r.URL.Path]; wall != "" && walled.Load() {
			fmt.Fprint(w, "<!doctype html>", wall)
			return
		}
		fmt.Fprintf(w, `<!doctype html><title>Tea house</title><h1>Tea house</h1><p>Please verify your order at %s.</p>`, r.URL.Path)
	}))
	s := lodge(t)
	urls := []string{"http://" + host + "/page"}
	for path := range walls {
		urls = append(urls, "http://"+host+path)
	}
	group := s.desktop(urls...)
	s.await(s.take(group, "pre"))
	for after, want := range map[bool]string{true: "Both screenshots show ", false: "The earlier screenshot shows "} {
		walled.Store(after)
		batch := s.take(group, "post")
		for _, e := range s.await(batch) {
			if e.ScType != "compare" {
				continue
			}
			told := e.ErrorMsg != nil && strings.HasPrefix(*e.ErrorMsg, want) && e.Status == "failed"
			if page := strings.HasSuffix(e.URLLink, "/page"); told == page {
				t.Errorf("%s: %s, %v", e.URLLink, e.Status, e.ErrorMsg)
			}
		}
		if made := s.comparisons(batch); len(made) != 1 {
			t.Errorf("%d comparisons were made, want that of the page", len(made))
		}
	}
}
