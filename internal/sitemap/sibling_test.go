package sitemap

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// packed is a file as gzip has it.
func packed(t *testing.T, text string) string {
	t.Helper()
	var file bytes.Buffer
	packer := gzip.NewWriter(&file)
	if _, err := packer.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := packer.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// TestSitemapsAsSitesHaveThem: unusual ones that the rules of XML, HTTP and the protocol allow, and some that they do not.
func TestSitemapsAsSitesHaveThem(t *testing.T) {
	const (
		latin = `<?xml version="1.0" encoding="windows-1252"?><urlset><url><loc>/grüße</loc></url></urlset>`
		wide  = `<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>/wide</loc></url></urlset>`
		both  = "/gr%C3%BC%C3%9Fe /wide"
	)
	for name, c := range map[string]struct {
		kind  string // of all files
		files map[string]string
		want  string
	}{
		"UTF-16, packed": {"application/gzip", map[string]string{"/sitemap.xml": packed(t, "\xff\xfe"+utf16(wide, false))}, "/wide"},
		"Windows, packed": {"application/x-gzip", map[string]string{"/sitemap.xml": packed(t, inEncoding(t, "windows-1252", latin))},
			"/gr%C3%BC%C3%9Fe"},
		"Windows by HTTP": {`text/plain; charset="Windows-1252"`,
			map[string]string{"/sitemap.xml": inEncoding(t, "windows-1252", "$/grüße\n")}, "/gr%C3%BC%C3%9Fe"},
		"text in UTF-16":   {"text/plain", map[string]string{"/sitemap.xml": "\xfe\xff" + utf16("$/a\r\n\r\n$/b", true)}, "/a /b"},
		"text with a mark": {"text/plain", map[string]string{"/sitemap.xml": "\ufeff$/a\n"}, "/a"},
		"text with notes":  {"text/plain", map[string]string{"/sitemap.xml": "# pages\n$/a\n  $/b  \n"}, "/a /b"},
		"an index of mixed files": {"text/xml", map[string]string{
			"/sitemap.xml": `<sitemapindex><sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>/two.xml.gz</loc></sitemap></sitemapindex>`,
			"/one.xml":     inEncoding(t, "windows-1252", latin), "/two.xml.gz": packed(t, "\xff\xfe"+utf16(wide, false))}, both},
		"a prefix": {"text/xml", map[string]string{"/sitemap.xml": `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"
			xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><s:url><s:loc> /a </s:loc>
			<i:image><i:loc>/a.jpg</i:loc></i:image></s:url>
			<s:url><s:loc><![CDATA[/b?x=1&y=2]]></s:loc></s:url></s:urlset>`}, "/a /b?x=1&y=2"},
		"a picture beside its page": {"text/xml", map[string]string{"/sitemap.xml": `<urlset
			xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
			<url><loc>/a</loc><image:loc>/photo</image:loc></url></urlset>`}, "/a"},
		"a style and space": {"text/xml", map[string]string{"/sitemap.xml": "\n\n<?xml-stylesheet href='a.xsl'?>\n<!-- made by hand -->" +
			"<urlset><url><loc>/a</loc></url></urlset>"}, "/a"},
		"an RSS feed": {"application/rss+xml", map[string]string{"/sitemap.xml": `<rss version="2.0"><channel><link>$/</link><item>
			<title>A</title><link>$/a</link><guid>$/?p=1</guid></item><item><link>$/b</link><atom:link
			xmlns:atom="http://www.w3.org/2005/Atom" rel="replies" href="$/c"/></item></channel></rss>`}, "/a /b"},
		"an Atom feed": {"application/atom+xml", map[string]string{"/sitemap.xml": `<feed
			xmlns="http://www.w3.org/2005/Atom"><link href="$/"/>
			<entry><link rel="edit" href="$/edit"/><link href="$/a"/></entry>
			<entry><link rel="alternate" href="$/b"/></entry></feed>`}, "/a /b"},
		"pages and others": {"text/xml", map[string]string{"/sitemap.xml": `<urlset><url><loc>/a</loc></url><url><loc>/price.PDF</loc></url>
			<url><loc>/a.webp</loc></url><url><loc>/feed.rss</loc></url><url><loc>/a.avif</loc></url></urlset>`}, "/a"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &site{}
			s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				file, ok := c.files[r.URL.Path]
				if !ok {
					http.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Type", c.kind)
				for from, to := range map[string]string{"$": s.URL, utf16("$", true): utf16(s.URL, true)} {
					if !strings.Contains(file, "\x1f\x8b") && (from != "$" || !strings.HasPrefix(file, "\xfe\xff")) {
						file = strings.ReplaceAll(file, from, to)
					}
				}
				_, _ = w.Write([]byte(file))
			}))
			t.Cleanup(s.Server.Close)
			s.host = strings.TrimPrefix(s.URL, "http://")
			result, urls := s.read(t, s.host)
			if got := strings.Join(urls, " "); got != c.want || result.Foreign != 0 {
				t.Errorf("read %q, want %q: %+v", got, c.want, result)
			}
		})
	}
}
