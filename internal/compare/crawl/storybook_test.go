package crawl

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"afterimage/internal/compare"
	"afterimage/internal/egress"
)

func TestStoriesArePages(t *testing.T) {
	const known = `{"v": 5, "entries": {
		"button--primary": {"type": "story", "id": "button--primary"}, "button--docs": {"type": "docs"},
		"button--big": {"type": "story", "subtype": "story"}, "a b&c": {}}}`
	for index, want := range map[string]string{
		known: "/iframe.html?id=a+b%26c&viewMode=story " +
			"/iframe.html?id=button--big&viewMode=story /iframe.html?id=button--primary&viewMode=story",
		`{"entries": {}}`:                  "has no stories",
		`{"v": 3, "stories": {}}`:          "version 7 or newer",
		"<html>":                           "version 7 or newer",
		"":                                 "HTTP status 404",
		strings.Repeat(" ", maxDocument+1): "longer than",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if index == "" || r.URL.Path != "/book/index.json" {
				http.NotFound(w, r)
				return
			}
			fmt.Fprint(w, index)
		}))
		policy, err := egress.NewPolicy(strings.TrimPrefix(server.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		site, err := compare.ParseSite(server.URL + "/book/")
		if err != nil {
			t.Fatal(err)
		}
		paths, err := (&Crawler{Dialer: &egress.Dialer{Policy: policy}, Agent: "crawler"}).Stories(t.Context(), site)
		server.Close()
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%.40q: %v, want %q", index, err, want)
			}
			continue
		}
		if diff := cmp.Diff(strings.Split(want, " "), paths); diff != "" {
			t.Errorf("%.40q: %s", index, diff)
		}
	}
}
