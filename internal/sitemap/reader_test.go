package sitemap

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"afterimage/internal/egress"
)

// site serves files; a text with $ in it has the site's address in that place.
type site struct {
	*httptest.Server
	host  string
	asked []string
}

func serve(t *testing.T, files map[string]string) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked = append(s.asked, r.URL.Path)
		file, ok := files[r.URL.Path]
		target, moved := strings.CutPrefix(file, "-> ")
		switch {
		case !ok:
			http.NotFound(w, r)
		case moved:
			http.Redirect(w, r, strings.ReplaceAll(target, "$", s.URL), http.StatusFound)
		default:
			_, _ = io.WriteString(w, strings.ReplaceAll(file, "$", s.URL))
		}
	}))
	t.Cleanup(s.Server.Close)
	s.host = strings.TrimPrefix(s.URL, "http://")
	return s
}

func (s *site) read(t *testing.T, domain string) (Result, []string) {
	t.Helper()
	return s.readBy(t, (*Reader).Read, domain)
}

func (s *site) readBy(t *testing.T, read func(*Reader, context.Context, string, func([]string) error) (Result, error),
	domain string) (Result, []string) {
	t.Helper()
	policy, err := egress.NewPolicy("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	r := New(&egress.Dialer{Policy: policy}, "test")
	defer r.Close()
	var urls []string
	result, err := read(r, t.Context(), domain, func(some []string) error {
		for _, u := range some {
			urls = append(urls, strings.TrimPrefix(u, s.URL))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return result, urls
}

func urlset(locations ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, l := range locations {
		fmt.Fprintf(&b, "<url><loc>%s</loc><lastmod>2026-01-01</lastmod></url>", l)
	}
	return b.String() + "</urlset>"
}

func index(locations ...string) string {
	var b strings.Builder
	b.WriteString("\ufeff<sitemapindex>")
	for _, l := range locations {
		fmt.Fprintf(&b, "<sitemap><loc> %s\n</loc></sitemap>", l)
	}
	return b.String() + "</sitemapindex>"
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

func TestWhatRobotsNamesIsRead(t *testing.T) {
	s := serve(t, map[string]string{
		"/robots.txt": "User-agent: *\nSITEMAP : $/index.xml\nSitemap: $/plain.txt\nSitemap: ftp://example.com/x",
		"/index.xml":  index("$/a.xml", "$/b.xml.gz", "$/gone.xml", "$/index.xml", "$/moved.xml"),
		"/a.xml":      urlset("$/one", "$/one#part", " $/two?a=1&amp;b=2 ", "https://other.test/x", "$/three", "ftp://x/y", ""),
		"/b.xml.gz":   zipped(zipped(urlset("/relative", "$/zipped") /* $ does not reach what is packed */)),
		"/moved.xml":  "-> $/target.xml", "/target.xml": urlset("$/moved"),
		"/plain.txt": "$/text\n\n$/one\n",
	})
	result, urls := s.read(t, s.host)
	want := []string{"/one", "/two?a=1&b=2", "/three", "/relative", "/$/zipped", "/moved", "/text"}
	if !slices.Equal(urls, want) || result.URLs != 7 || result.Files != 5 || result.Foreign != 3 || result.Cut {
		t.Errorf("read %q: %+v", urls, result)
	}
	if len(result.Problems) != 2 || !strings.Contains(result.Problems[0], "/gone.xml: the site answered with status 404.") {
		t.Errorf("problems %q", result.Problems)
	}
}

func TestWithoutRobotsTheUsualPlacesAreTried(t *testing.T) {
	s := serve(t, map[string]string{"/wp-sitemap.xml": urlset("$/shop/a", "$/shopping", "$/shop", "$/other")})
	if result, urls := s.read(t, s.host+"/shop"); !slices.Equal(urls, []string{"/shop/a", "/shop"}) || len(result.Problems) != 0 {
		t.Errorf("read %q: %+v", urls, result)
	}
	if result, _ := serve(t, nil).read(t, s.host); result.URLs != 4 {
		t.Errorf("read %+v", result)
	}
	empty := serve(t, nil)
	if result, _ := empty.read(t, empty.host); len(result.Problems) != 1 || !strings.Contains(result.Problems[0], "has no sitemap") {
		t.Errorf("read %+v", result)
	}
	empty.Server.Close()
	if result, _ := empty.read(t, empty.host); len(result.Problems) != 1 || !strings.Contains(result.Problems[0], "could not be reached") {
		t.Errorf("read %+v", result)
	}
}

func TestHostileSitesAreSurvived(t *testing.T) {
	laughs := `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><urlset><url><loc>$/&b;</loc></url></urlset>`
	for name, c := range map[string]struct {
		file, problem string
		urls          int
	}{
		"entities": {laughs, "not well-formed XML", 0},
		"external": {`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>$/&a;</loc></url></urlset>`,
			"not well-formed XML", 0},
		"nesting":      {"<urlset>" + strings.Repeat("<a>", 1000), "nested too deeply", 0},
		"a page":       {"<!doctype html><html></html>", "not a sitemap", 0},
		"prose":        {"hello", "not a sitemap", 0},
		"broken off":   {strings.TrimSuffix(urlset("$/a", "$/b"), "</urlset>"), "not well-formed XML", 2},
		"inside":       {"-> http://10.0.0.1/sitemap.xml", "internal", 0},
		"metadata":     {"-> http://169.254.169.254/latest", "internal", 0},
		"file":         {"-> file:///etc/passwd", "neither http nor https", 0},
		"circle":       {"-> $/sitemap.xml", "too many redirects", 0},
		"not UTF-8":    {"<urlset><url><loc>/\xfcbersicht</loc></url></urlset>", "it is not in UTF-8", 0},
		"no gzip":      {"\x1f\x8b neither is this, whatever it says", "gzip", 0},
		"bomb":         {zipped("<urlset>" + strings.Repeat(" ", 60<<20)), "longer than 50 MB", 0},
		"endless text": {"http" + strings.Repeat("x", 1<<20), "could not be read", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, map[string]string{"/robots.txt": "Sitemap: $/sitemap.xml", "/sitemap.xml": c.file})
			result, _ := s.read(t, s.host)
			if result.URLs != c.urls || len(result.Problems) != 1 || !strings.Contains(result.Problems[0], c.problem) {
				t.Errorf("read %+v", result)
			}
		})
	}
}

func TestLimitsEndTheReading(t *testing.T) {
	var many []string
	for i := range MaxURLs + 10 {
		many = append(many, fmt.Sprintf("$/%d", i))
	}
	s := serve(t, map[string]string{"/robots.txt": "Sitemap: $/a.xml\nSitemap: $/b.xml", "/a.xml": urlset(many...),
		"/b.xml": urlset("$/more")})
	result, urls := s.read(t, s.host)
	if len(urls) != MaxURLs || result.URLs != MaxURLs || !result.Cut || slices.Contains(s.asked, "/b.xml") {
		t.Errorf("%d URLs: %+v", len(urls), result)
	}
	deep := serve(t, map[string]string{
		"/robots.txt": "Sitemap: $/0.xml", "/0.xml": index("$/1.xml"), "/1.xml": index("$/2.xml"), "/2.xml": index("$/3.xml"),
		"/3.xml": index("$/4.xml"), "/4.xml": urlset("$/a"),
	})
	if result, urls := deep.read(t, deep.host); len(urls) != 0 || !result.Cut || slices.Contains(deep.asked, "/4.xml") {
		t.Errorf("%q: %+v", urls, result)
	}
}

func TestTheReadersOwnErrorsEndIt(t *testing.T) {
	s := serve(t, map[string]string{"/sitemap.xml": urlset("$/a")})
	policy, err := egress.NewPolicy("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	r := New(&egress.Dialer{Policy: policy}, "test")
	defer r.Close()
	ours := errors.New("ours")
	if _, err := r.Read(t.Context(), s.host, func([]string) error { return ours }); !errors.Is(err, ours) {
		t.Errorf("error %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Read(ended, s.host, func([]string) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	strict := New(&egress.Dialer{}, "test")
	defer strict.Close()
	if result, err := strict.Read(t.Context(), s.host, func([]string) error { return ours }); err != nil || result.URLs != 0 {
		t.Errorf("a site inside was read: %+v, %v", result, err)
	}
}
