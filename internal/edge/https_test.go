package edge

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func fine(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

func TestClientsAreSentToTLS(t *testing.T) {
	proxies, err := ParseProxies([]string{"192.0.2.7"})
	if err != nil {
		t.Fatal(err)
	}
	policy := HTTPS{Public: true, Machines: []string{"/api/v2/", "/graphql"}}
	handler := proxies.Handler(policy.Handler(policy.Insist(http.HandlerFunc(fine))))
	for _, c := range []struct {
		method, path, told string
		status             int
		location           string
	}{
		{"GET", "/graphiql/?a=b%20c", "http", 308, "https://own.test/graphiql/?a=b%20c"},
		{"HEAD", "/", "http", 308, "https://own.test/"},
		{"POST", "/signin/", "http", 403, ""},
		{"GET", "/api/v2/groups", "http", 403, ""},
		{"POST", "/graphql", "http", 403, ""},
		{"POST", "/graphql", "https", 200, ""},
		{"GET", "/", "https", 200, ""},
		{"GET", "//evil.test/x", "http", 308, "https://own.test//evil.test/x"},
	} {
		r := httptest.NewRequest(c.method, "http://own.test"+c.path, nil)
		r.RemoteAddr = "192.0.2.7:1"
		r.Header.Set("X-Forwarded-Proto", c.told)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != c.status || w.Header().Get("Location") != c.location {
			t.Errorf("%s %s by %s: %d %q, want %d %q", c.method, c.path, c.told, w.Code, w.Header().Get("Location"), c.status, c.location)
		}
		if w.Header().Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("%s: no HSTS", c.path)
		}
	}
}

func TestRedirectsKeepTheHost(t *testing.T) {
	for host, want := range map[string]string{
		"own.test": "https://own.test:8443/x", "own.test:80": "https://own.test:8443/x", "[::1]:80": "https://[::1]:8443/x",
		"[::1]": "https://[::1]:8443/x", "a b": "",
	} {
		r := httptest.NewRequest("GET", "/x", nil)
		r.Host = host
		w := httptest.NewRecorder()
		HTTPS{}.Redirect("8443").ServeHTTP(w, r)
		if w.Header().Get("Location") != want {
			t.Errorf("%s: %q, want %q", host, w.Header().Get("Location"), want)
		}
	}
}

func TestPlainServersDoNotInsist(t *testing.T) {
	w := httptest.NewRecorder()
	Proxies(nil).Handler(HTTPS{}.Handler(http.HandlerFunc(fine))).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if got := w.Header().Get("Strict-Transport-Security"); got != "" {
		t.Errorf("HSTS without TLS: %q", got)
	}
}

func TestEveryAnswerHasAnIDOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("X-Request-Id", "mine")
		w := httptest.NewRecorder()
		RequestIDs(http.HandlerFunc(fine)).ServeHTTP(w, r)
		id := w.Header().Get("X-Request-Id")
		if len(id) < 20 || seen[id] || id == "mine" {
			t.Fatalf("id %q", id)
		}
		seen[id] = true
	}
}
