package crawl

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"afterimage/capture"
	"afterimage/internal/compare"
	"afterimage/internal/egress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// linked is a site whose pages link to each other, to files, to other sites and to what is not there.
func linked(t *testing.T, foreign string) *httptest.Server {
	pages := map[string]string{
		"/shop/":    `<a href="a">A</a> <a href="/shop/b?x=1#part">B</a> <a href="../blog">elsewhere</a> <a href="mailto:a@b.test">m</a>`,
		"/shop/a":   `<base href="/shop/deep/"><a href="c">C</a><a href="/shop/b?x=1">B again</a><a href="` + foreign + `/">F</a>`,
		"/shop/b":   `<AREA HREF="/shop/file.pdf"><a href="/shop/gone">gone</a><a href="/shop/moved">m</a><a href="/shop/away">away</a>`,
		"/shop/new": `<a href="/shop/">start</a><a>no address</a><a href="http://[">broken</a>`,
	}
	pages["/shop/deep/c"] = `<a href="/shop/new">N</a>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "anna" || password != "secret" || r.Header.Get("X-Key") != "k" ||
			r.Header.Get("Cookie") != "s=1" || r.UserAgent() != "crawler" {
			http.Error(w, "who is there?", http.StatusUnauthorized)
			return
		}
		switch r.URL.Path {
		case "/shop/moved":
			http.Redirect(w, r, "/shop/new", http.StatusFound)
		case "/shop/away":
			http.Redirect(w, r, foreign, http.StatusFound)
		case "/shop/file.pdf":
			w.Header().Set("Content-Type", "application/pdf")
		default:
			if pages[r.URL.Path] == "" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, pages[r.URL.Path])
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func TestLinksAreFollowedWithinTheSite(t *testing.T) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	server := linked(t, other.URL)
	policy, err := egress.NewPolicy(strings.TrimPrefix(server.URL, "http://"), strings.TrimPrefix(other.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	crawler := &Crawler{
		Dialer: &egress.Dialer{Policy: policy}, Agent: "crawler", Headers: []capture.Header{{Name: "X-Key", Value: "k"}},
		Cookies: []capture.Cookie{{Name: "s", Value: "1"}}, Credentials: &capture.Credentials{User: "anna", Password: "secret"},
	}
	site, err := compare.ParseSite(server.URL + "/shop")
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"/", "/a", "/b?x=1", "/deep/c", "/new"}
	for _, n := range []int{1, 3, 50} {
		got, err := crawler.Find(t.Context(), site, n)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all[:min(n, len(all))], got); diff != "" {
			t.Errorf("%d pages: %s", n, diff)
		}
	}
	if asked > 0 {
		t.Error("another site was asked")
	}
	for _, n := range []int{0, MaxPages + 1} {
		if _, err := crawler.Find(t.Context(), site, n); err == nil {
			t.Errorf("%d pages were looked for", n)
		}
	}
	crawler.Credentials = nil
	if _, err := crawler.Find(t.Context(), site, 5); err == nil || !strings.Contains(err.Error(), "status 401") {
		t.Errorf("without a password: %v", err)
	}
}
