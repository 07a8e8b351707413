package web

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

const script = "graphiql/assets/main-1a2b3c4d.js"

func build() fstest.MapFS {
	return fstest.MapFS{
		"signin/index.html":                 {Data: []byte("<!doctype html><title>Sign in</title>")},
		"graphiql/index.html":               {Data: []byte("<!doctype html><title>GraphiQL</title>")},
		script:                              {Data: []byte(strings.Repeat("export const answer = 42;\n", 100))},
		"graphiql/assets/text-5e6f7a8b.css": {Data: []byte("p{}")},
		"graphiql/assets/font-9c0d1e2f.ttf": {Data: []byte("font")},
	}
}

func get(t *testing.T, handler http.Handler, path string, header ...string) *http.Response {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Result()
}

func body(t *testing.T, reader io.Reader) string {
	t.Helper()
	content, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestPageServesItsOwnFolderOnly(t *testing.T) {
	page := newPage(build(), "graphiql", graphiQLPolicy)
	for path, want := range map[string]int{
		"/graphiql/":                         http.StatusOK,
		"/graphiql/index.html":               http.StatusOK,
		"/" + script:                         http.StatusOK,
		"/graphiql/assets/":                  http.StatusNotFound,
		"/graphiql/assets/missing.js":        http.StatusNotFound,
		"/graphiql/../signin/index.html":     http.StatusNotFound,
		"/signin/index.html":                 http.StatusNotFound,
		"/":                                  http.StatusNotFound,
		"/graphiql/assets/font-9c0d1e2f.ttf": http.StatusOK,
	} {
		if got := get(t, page, path).StatusCode; got != want {
			t.Errorf("GET %s: status %d, want %d", path, got, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	page := newPage(build(), "graphiql", graphiQLPolicy)
	for _, c := range []struct{ path, contentType, cache string }{
		{"/graphiql/", "text/html; charset=utf-8", revalidate},
		{"/" + script, "text/javascript; charset=utf-8", immutable},
		{"/graphiql/assets/text-5e6f7a8b.css", "text/css; charset=utf-8", immutable},
		{"/graphiql/assets/font-9c0d1e2f.ttf", "font/ttf", immutable},
	} {
		header := get(t, page, c.path).Header
		if got := header.Get("Content-Type"); got != c.contentType {
			t.Errorf("%s: Content-Type %q, want %q", c.path, got, c.contentType)
		}
		if got := header.Get("Cache-Control"); got != c.cache {
			t.Errorf("%s: Cache-Control %q, want %q", c.path, got, c.cache)
		}
	}
}

func TestSecurityHeadersAreOnEveryAnswer(t *testing.T) {
	built := newPage(build(), "graphiql", graphiQLPolicy)
	absent := newPage(fstest.MapFS{}, "graphiql", graphiQLPolicy)
	for name, response := range map[string]*http.Response{
		"page":      get(t, built, "/graphiql/"),
		"not found": get(t, built, "/graphiql/nothing"),
		"not built": get(t, absent, "/graphiql/"),
	} {
		policy := response.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: Content-Security-Policy %q", name, policy)
		}
		if got := response.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options %q", name, got)
		}
	}
}

// Only styles may be inline, and no directive may name another origin.
func TestPoliciesStayStrict(t *testing.T) {
	for _, policy := range []string{signInPolicy, graphiQLPolicy} {
		for directive := range strings.SplitSeq(policy, "; ") {
			if strings.Contains(directive, "unsafe") && directive != "style-src 'self' 'unsafe-inline'" {
				t.Errorf("relaxed directive %q", directive)
			}
			if strings.ContainsAny(directive, "*/") || strings.Contains(directive, "blob:") {
				t.Errorf("directive %q allows more than this origin", directive)
			}
		}
	}
}

func TestEntityTagsAnswerNotModified(t *testing.T) {
	page := newPage(build(), "graphiql", graphiQLPolicy)
	tag := get(t, page, "/"+script).Header.Get("ETag")
	if tag == "" {
		t.Fatal("no tag")
	}
	for _, known := range []string{tag, "W/" + tag} { // the second is that of a compressed response
		if again := get(t, page, "/"+script, "If-None-Match", known); again.StatusCode != http.StatusNotModified {
			t.Errorf("If-None-Match %s: status %d, want 304", known, again.StatusCode)
		}
	}
}

func TestOnlyReading(t *testing.T) {
	page := newPage(build(), "signin", signInPolicy)
	recorder := httptest.NewRecorder()
	page.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, "/signin/", strings.NewReader("token=x")))
	if recorder.Code != http.StatusMethodNotAllowed || recorder.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: status %d, Allow %q", recorder.Code, recorder.Header().Get("Allow"))
	}
}

func TestWithoutABuild(t *testing.T) {
	page := newPage(fstest.MapFS{".gitkeep": {}}, "graphiql", graphiQLPolicy)
	response := get(t, page, "/graphiql/")
	if response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d, want 503", response.StatusCode)
	}
	if text := body(t, response.Body); !strings.Contains(text, "make build") {
		t.Errorf("the page does not name the remedy:\n%s", text)
	}
}

// The embedded build is there or not, depending on how the test binary was
// made; either way the public functions must agree with each other.
func TestEmbeddedBuild(t *testing.T) {
	want := http.StatusServiceUnavailable
	if Built() {
		want = http.StatusOK
	}
	if got := get(t, SignIn(), "/signin/").StatusCode; got != want {
		t.Errorf("sign-in: status %d, want %d", got, want)
	}
	if got := get(t, GraphiQL(), "/graphiql/").StatusCode; got != want {
		t.Errorf("GraphiQL: status %d, want %d", got, want)
	}
}

// A page that referred to a file outside its own folder would break as soon
// as the two are guarded differently.
func TestBuiltPagesReferToTheirOwnFolder(t *testing.T) {
	for folder, assets := range map[string]string{"signin": "./assets/", "graphiql": "./assets/", "app": "/app/assets/"} {
		content, err := fs.ReadFile(Files(), folder+"/index.html")
		if err != nil {
			if Built() {
				t.Errorf("built, but %v", err)
			}
			continue
		}
		for reference := range strings.SplitSeq(string(content), `"`) {
			if strings.Contains(reference, "/assets/") && !strings.HasPrefix(reference, assets) {
				t.Errorf("%s/index.html refers to %s", folder, reference)
			}
		}
		for _, remote := range []string{"src=\"http", "href=\"http", "src=\"//", "href=\"//"} {
			if strings.Contains(string(content), remote) {
				t.Errorf("%s/index.html refers to another origin (%s)", folder, remote)
			}
		}
	}
}

func TestBrotliCopies(t *testing.T) {
	files := fstest.MapFS{
		"app/index.html":              {Data: []byte("<!doctype html>")},
		"app/assets/main-1a2b.js":     {Data: []byte("export {};")},
		"app/assets/main-1a2b.js.br":  {Data: []byte("packed")},
		"app/assets/small-1a2b.js":    {Data: []byte("0;")},
		"app/assets/stray-1a2b.js.br": {Data: []byte("a copy of nothing")},
	}
	page := newPage(files, "app", appPolicy)
	for _, c := range []struct{ path, accepted, encoding, body string }{
		{"/app/assets/main-1a2b.js", "gzip, deflate, br", "br", "packed"},
		{"/app/assets/main-1a2b.js", "gzip", "", "export {};"},
		{"/app/assets/main-1a2b.js", "br;q=0", "", "export {};"},
		{"/app/assets/main-1a2b.js", "", "", "export {};"},
		{"/app/assets/small-1a2b.js", "br", "", "0;"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.path, nil)
		r.Header.Set("Accept-Encoding", c.accepted)
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding"); got != c.encoding || w.Body.String() != c.body {
			t.Errorf("%s for %q: %q in the encoding %q", c.path, c.accepted, w.Body, got)
		}
		if strings.Contains(c.path, "main") && w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s does not vary by encoding", c.path)
		}
	}
	for _, path := range []string{"/app/assets/main-1a2b.js.br", "/app/assets/stray-1a2b.js"} {
		if got := get(t, page, path).StatusCode; got != http.StatusNotFound {
			t.Errorf("GET %s: status %d", path, got)
		}
	}
}
