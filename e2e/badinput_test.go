package e2e

import (
	"fmt"
	"net/http"
	"testing"
)

// hostileSite holds pages that cannot be captured. Each path has the words that the site's owner must read.
var hostilePages = map[string]string{
	"/pdf":    "not a web page",
	"/loop":   "redirects endlessly",
	"/hang":   "ready in time",
	"/secret": "user name and password",
	"/inward": "non-public",
}

func hostileSite() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"not": "a page"}`)
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/loop?"+r.URL.RawQuery+"x", http.StatusFound)
	})
	mux.Handle("/inward", http.RedirectHandler("http://127.0.0.1:1/", http.StatusFound))
	mux.HandleFunc("/hang", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><title>hang</title><script>%s</script>`, endlessScript())
	})
	mux.HandleFunc(heldPath, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/secret", func(w http.ResponseWriter, r *http.Request) {
		if user, password, ok := r.BasicAuth(); !ok || user != "guest" || password != "pass word" {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `<!doctype html><title>inside</title><p>Welcome`)
	})
	mux.HandleFunc("/good", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>good</title><p>Hello`)
	})
	return mux
}

// TestPagesThatCannotBeCaptured wants a reason that a site's owner understands, and a batch that finishes all the same.
func TestPagesThatCannotBeCaptured(t *testing.T) {
	t.Parallel()
	host := pages(t, hostileSite())
	nobody := closedPort(t)
	s := serve(t, []string{host, nobody}, "--capture-deadline=20s", "--retry-delay=100ms")
	urls := []string{"http://" + host + "/good", "http://" + nobody + "/"}
	for path := range hostilePages {
		urls = append(urls, "http://"+host+path)
	}
	want := map[string]string{"http://" + nobody + "/": "accept a connection", "http://" + nobody: "accept a connection"}
	for path, words := range hostilePages {
		want["http://"+host+path] = words
	}
	batchID := s.take(s.group(nil, urls...), "pre")
	for _, e := range s.await(batchID) {
		if e.URLLink == "http://"+host+"/good" {
			if e.Status != "done" {
				t.Errorf("the good page is %s: %v", e.Status, e.ErrorMsg)
			}
			continue
		}
		if e.Status != "failed" || e.ErrorMsg == nil || !contains(*e.ErrorMsg, want[e.URLLink]) || want[e.URLLink] == "" {
			t.Errorf("%s %s is %s: %v, want failed with %q", e.URLLink, e.Device, e.Status, deref(e.ErrorMsg), want[e.URLLink])
		}
	}
	b := must[data[batch]](s, http.MethodGet, "/batches/"+batchID, nil).Data
	if b.FinishedAt == nil || b.QueuesCount.Failed != 2*(len(urls)-1) {
		t.Errorf("batch = %+v", b)
	}
	s.check()
	t.Run("with its password the protected page opens", func(t *testing.T) {
		inside := lodge(t) // which waits longer
		fields := map[string]any{"basic_auth_user": "guest", "basic_auth_password": "pass word"}
		for _, e := range inside.await(inside.take(inside.group(fields, "http://"+host+"/secret"), "pre")) {
			if e.Status != "done" {
				t.Errorf("%s is %s: %v", e.Device, e.Status, deref(e.ErrorMsg))
			}
		}
	})
}

// TestInvalidRequests looks at the decided forms of refusal.
func TestInvalidRequests(t *testing.T) {
	t.Parallel()
	s := lodge(t)
	for _, c := range []struct {
		method, path string
		body         any
		status       int
		want         string
	}{
		{"POST", "/groups", map[string]any{}, 422, `"errors":{"name":["The name field is required."]}`},
		{"POST", "/groups", map[string]any{"name": "x", "screenshot_delay": 6}, 422, "must be between 7 and 60."},
		{"POST", "/groups", map[string]any{"name": "x", "interval_in_h": 5}, 422,
			`"interval_in_h":["The selected interval in h is invalid."]`},
		{"POST", "/urls", map[string]any{"url": "ftp://example.com"}, 422, `"url":`},
		{"POST", "/urls", map[string]any{"url": "http://127.0.0.1:1/"}, 422, `"url":["The url field must have a public host`},
		{"POST", "/urls", map[string]any{"url": "nowhere"}, 422, `"url":["The url field must have a public host`},
		{"GET", "/groups/6ba7b810-9dad-41d1-80b4-00c04fd430c8", nil, 404,
			`No query results for model [Group] 6ba7b810-9dad-41d1-80b4-00c04fd430c8`},
		{"GET", "/nowhere", nil, 404, "could not be found."},
		{"DELETE", "/batches", nil, 405, "message"},
		{"POST", "/screenshots/take", map[string]any{"sc_type": "pre", "group_ids": []string{"6ba7b810-9dad-41d1-80b4-00c04fd430c8"}}, 422,
			`"group_ids.0":`},
		{"POST", "/screenshots/take", map[string]any{"sc_type": "sideways", "group_ids": []string{}}, 422, `"sc_type":`},
		{"GET", "/queues?batch_id=nonsense", nil, 200, `"data":[]`},
	} {
		a := s.call(c.method, c.path, c.body)
		if a.status != c.status || !contains(string(a.body), c.want) {
			t.Errorf("%s %s: status %d, body %s; want %d with %s", c.method, c.path, a.status, a.body, c.status, c.want)
		}
	}
	t.Run("what old clients send", func(t *testing.T) {
		same := *s
		same.t = t
		oldClients(&same)
	})
	s.token = "0000000000000000000000000000000000000000"
	if a := s.call("GET", "/account", nil); a.status != 401 || string(a.body) != `{"message":"Unauthenticated."}` {
		t.Errorf("unknown token: %d %s", a.status, a.body)
	}
}
