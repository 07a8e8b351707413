package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
)

// TestManage runs the tests of web/e2e/manage: somebody with an empty account adds a site, webhooks, people and tokens. The
// service has an address with a name, to which passkeys can belong.
func TestManage(t *testing.T) {
	t.Parallel()
	inAnEmptyAccount(t, "manage")
}

// TestScreens runs the test of web/e2e/screens: every screen and dialog of the dashboard, with names in them that try to become code.
func TestScreens(t *testing.T) {
	t.Parallel()
	inAnEmptyAccount(t, "screens")
}

// inAnEmptyAccount runs tests of web/e2e that have a site, a receiver of webhooks and mails.
func inAnEmptyAccount(t *testing.T, folder string) {
	t.Helper()
	site := &reviewSite{}
	host := pages(t, linked{site})
	receiver := pages(t, http.HandlerFunc(receiveOrRefuse))
	s := lodge(t)
	control := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		site.after.Store(r.URL.Query().Get("release") == "next")
	}))
	t.Cleanup(control.Close)
	s.inBrowser(folder, "SITE="+host, "RECEIVER=http://"+receiver, "CONTROL="+control.URL,
		"MAILS="+filepath.Join(s.dir, "mails"))
}

// linked is a site without a sitemap, whose start page links to the pages of another handler.
type linked struct{ pages http.Handler }

func (l linked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for _, path := range reviewPages {
			fmt.Fprintf(w, "<a href=%q>%[1]s</a>", path)
		}
		_, _ = io.WriteString(w, `<a href="/price-list.pdf">Prices</a><a href="https://other.test/">elsewhere</a>`)
	case "/robots.txt", "/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml":
		http.NotFound(w, r)
	default:
		l.pages.ServeHTTP(w, r)
	}
}

// receiveOrRefuse is the other side of webhooks; it refuses for good what asks for that, with an answer that tries to become code.
func receiveOrRefuse(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("refuse") {
		w.WriteHeader(http.StatusGone)
		_, _ = io.WriteString(w, hostile)
	}
}
