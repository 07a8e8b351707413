package web

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTheDashboardAnswersAtAllItsAddresses(t *testing.T) {
	files := fstest.MapFS{
		"app/index.html":              {Data: []byte("<!doctype html><title>Afterimage</title>")},
		"app/documents.json":          {Data: []byte(`{}`)},
		"app/assets/main-1a2b3c4d.js": {Data: []byte("export {};")},
	}
	mux := http.NewServeMux()
	for _, path := range AppPaths() {
		mux.Handle(path, appDocument(files))
	}
	mux.Handle(AppFiles, appAssets(files))
	for path, want := range map[string]int{
		"/": http.StatusOK, "/runs": http.StatusOK, "/runs/3?view=pages": http.StatusOK, "/settings/tokens": http.StatusOK,
		"/app/assets/main-1a2b3c4d.js": http.StatusOK,
		"/anything":                    http.StatusNotFound, "/app/": http.StatusNotFound, "/app/index.html": http.StatusNotFound,
		"/app/documents.json": http.StatusNotFound, "/app/assets/missing.js": http.StatusNotFound,
	} {
		if got := get(t, mux, path).StatusCode; got != want {
			t.Errorf("GET %s: status %d, want %d", path, got, want)
		}
	}
	router, err := os.ReadFile(filepath.Join("app", "router.tsx"))
	if err != nil {
		t.Fatal(err)
	}
	routes := regexp.MustCompile(`path: '(/[^']*)'`).FindAllStringSubmatch(string(router), -1)
	if len(routes) < 14 {
		t.Errorf("the router has %d routes", len(routes))
	}
	for _, route := range routes {
		if got := get(t, mux, route[1]).StatusCode; got != http.StatusOK {
			t.Errorf("GET %s, a route of the dashboard: status %d", route[1], got)
		}
	}
	response := get(t, mux, "/runs/3")
	if got := response.Header.Get("Cache-Control"); got != revalidate {
		t.Errorf("the document has Cache-Control %q", got)
	}
	policy := response.Header.Get("Content-Security-Policy")
	for _, want := range []string{"require-trusted-types-for 'script'", "trusted-types 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %q: %s", want, policy)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy allows unsafe sources: %s", policy)
	}
}

func TestDocumentsOfTheDashboard(t *testing.T) {
	found, err := appDocuments(fstest.MapFS{"app/documents.json": {Data: []byte(`{"abc": "query { viewer { lastEvent } }"}`)}})
	if err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
	if found, err := appDocuments(fstest.MapFS{}); err != nil || len(found) != 0 {
		t.Errorf("without a build: %v, %v", found, err)
	}
	if _, err := appDocuments(fstest.MapFS{"app/documents.json": {Data: []byte("[]")}}); err == nil {
		t.Error("a list was taken for an object")
	}
	ours, err := AppDocuments()
	if err != nil || Built() != (len(ours) > 0) {
		t.Errorf("%d documents in the build, %v", len(ours), err)
	}
}
