package sitemap

import (
	"strings"
	"testing"
)

// TestASiteWithoutURLsSaysWhy is named after an import that failed without a word, since the sitemap named another host only.
func TestASiteWithoutURLsSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		files   map[string]string
		path    string
		orLinks bool
		problem string
	}{
		"another host": {map[string]string{"/sitemap.xml": urlset("https://shop.example.com/a", "https://shop.example.com/b")}, "", false,
			"lists only 2 URLs on other hosts (shop.example.com). Import the site under the host name"},
		"many hosts": {map[string]string{
			"/sitemap.xml": urlset("https://a.test/", "https://b.test/", "https://c.test/", "https://d.test/")}, "", false,
			"lists only 4 URLs on other hosts (a.test, b.test, c.test)"},
		"a host that turns the text": {map[string]string{"/sitemap.xml": urlset("https://a\u202eb.test/")}, "", false, "(a\uFFFDb.test)"},
		"another folder": {map[string]string{"/sitemap.xml": urlset("$/blog/a")}, "/shop", false,
			"lists 1 URL, but none below "},
		"no addresses":            {map[string]string{"/sitemap.xml": urlset("mailto:a@b.test", "ftp:")}, "", false, "must look like"},
		"empty":                   {map[string]string{"/sitemap.xml": urlset()}, "", false, "lists no pages"},
		"empty index":             {map[string]string{"/sitemap.xml": index()}, "", false, "lists no pages"},
		"a start page that moved": {map[string]string{"/": "-> https://elsewhere.test/"}, "", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.files)
			read := (*Reader).Read
			if c.orLinks {
				read = (*Reader).ReadOrLinks
			}
			result, urls := s.readBy(t, read, s.host+c.path)
			if len(urls) != 0 || len(result.Problems) != 1 || !strings.Contains(result.Problems[0], c.problem) {
				t.Errorf("read %q: %+v", urls, result)
			}
		})
	}
}
