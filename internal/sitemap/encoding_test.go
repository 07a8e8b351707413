package sitemap

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/charset"
)

// inEncoding is a text in the encoding of a label.
func inEncoding(t *testing.T, label, text string) string {
	t.Helper()
	e, _ := charset.Lookup(label)
	raw, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// utf16 is a text of ASCII in UTF-16, which encoders of the web do not write.
func utf16(text string, big bool) string {
	var raw strings.Builder
	for _, b := range []byte(text) {
		if big {
			raw.WriteByte(0)
		}
		raw.WriteByte(b)
		if !big {
			raw.WriteByte(0)
		}
	}
	return raw.String()
}

func TestSitemapsAreReadInTheirEncoding(t *testing.T) {
	document := func(label string) string {
		return `<?xml version="1.0" encoding="` + label + `"?><urlset><!-- Übersicht --><url><loc>/grüße</loc></url></urlset>`
	}
	ascii := `<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>/a</loc></url></urlset>`
	unknown := `<?xml version="1.0" encoding="x-unheard-of"?><urlset/>`
	for name, c := range map[string]struct{ kind, file, path string }{ // no path where it cannot be read
		"declared":                 {"application/xml", inEncoding(t, "iso-8859-1", document("ISO-8859-1")), "/gr%C3%BC%C3%9Fe"},
		"declared with ISO's euro": {"text/xml", inEncoding(t, "iso-8859-15", document("iso-8859-15")), "/gr%C3%BC%C3%9Fe"},
		"declared for Windows":     {"", inEncoding(t, "windows-1252", document("windows-1252")), "/gr%C3%BC%C3%9Fe"},
		"by content type":          {"text/xml; charset=iso-8859-1", inEncoding(t, "iso-8859-1", document("UTF-8")), "/gr%C3%BC%C3%9Fe"},
		"mark before content type": {"text/xml; charset=iso-8859-1", "\ufeff" + document("iso-8859-1"), "/gr%C3%BC%C3%9Fe"},
		"UTF-16 little":            {"application/xml", "\xff\xfe" + utf16(ascii, false), "/a"},
		"UTF-16 big":               {"application/xml", "\xfe\xff" + utf16(ascii, true), "/a"},
		"UTF-16 without a mark":    {"application/xml", utf16(ascii, true), "/a"},
		"UTF-16 in name only":      {"application/xml", ascii, "/a"},
		"unknown":                  {"application/xml", unknown, ""},
		"unknown content type":     {"application/xml; charset=x-unheard-of", ascii, ""},
		"no declaration":           {"", "<urlset><url><loc>/grüße</loc></url></urlset>", "/gr%C3%BC%C3%9Fe"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &site{}
			s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/sitemap.xml" {
					http.NotFound(w, r)
					return
				}
				w.Header()["Content-Type"] = []string{c.kind}
				_, _ = w.Write([]byte(c.file))
			}))
			t.Cleanup(s.Server.Close)
			s.host = strings.TrimPrefix(s.URL, "http://")
			result, urls := s.read(t, s.host)
			told := strings.Contains(strings.Join(result.Problems, ""), "character encoding is not supported")
			if strings.Join(urls, " ") != c.path || told != (c.path == "") {
				t.Errorf("read %q: %+v", urls, result)
			}
		})
	}
}

func TestASitemapThatCannotBeReadIsNoneThatIsMissing(t *testing.T) {
	s := serve(t, map[string]string{"/sitemap.xml": "<urlset><url>"})
	result, _ := s.read(t, s.host)
	if len(result.Problems) == 0 || !strings.Contains(result.Problems[0], "not well-formed XML") ||
		slices.ContainsFunc(result.Problems, func(p string) bool { return strings.Contains(p, "has no sitemap") }) {
		t.Errorf("problems %q", result.Problems)
	}
}

func TestListedFilesThatAreNoPagesAreCounted(t *testing.T) {
	s := serve(t, map[string]string{"/sitemap.xml": urlset("$/a", "$/menu.pdf", "$/Photo.JPG", "$/b.php", "$/data.zip?x=1", "$/v1.2/c",
		"$/feed.xml", "$/api.json", "$/d.html", "$/price.list", "$/#/route", "$/#place")})
	result, urls := s.read(t, s.host)
	want := []string{"/a", "/b.php", "/v1.2/c", "/d.html", "/price.list", "/#/route", "/"}
	if !slices.Equal(urls, want) || result.NoPages != 5 {
		t.Errorf("read %q: %+v", urls, result)
	}
}
