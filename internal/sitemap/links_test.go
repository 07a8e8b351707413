package sitemap

import (
	"slices"
	"strings"
	"testing"
)

func TestWithoutASitemapTheLinksOfTheStartPageAreRead(t *testing.T) {
	page := `<a href="/lamps">Lamps</a> <a href="chairs?page=2#first">Chairs</a> <a href="/lamps">again</a>
		<a href="https://other.test/">elsewhere</a>
		<a href="/price list.pdf">to download</a> <a href="/lamp.JPG"><img src=x></a> <a href="mailto:info@example.com">mail</a>`
	s := serve(t, map[string]string{"/": page})
	result, urls := s.readBy(t, (*Reader).ReadOrLinks, s.host)
	if want := []string{"/", "/lamps", "/chairs?page=2"}; !slices.Equal(urls, want) || result.URLs != 3 || len(result.Problems) != 0 {
		t.Errorf("read %q: %+v", urls, result)
	}
	moved := serve(t, map[string]string{"/": "-> $/en/", "/en/": `<a href="about">About</a>`})
	if _, urls := moved.readBy(t, (*Reader).ReadOrLinks, moved.host); !slices.Equal(urls, []string{"/en/", "/en/about"}) {
		t.Errorf("after a redirect, read %q", urls)
	}
}

func TestASitemapGoesBeforeLinks(t *testing.T) {
	s := serve(t, map[string]string{"/": `<a href="/linked">x</a>`, "/sitemap.xml": urlset("$/listed")})
	if _, urls := s.readBy(t, (*Reader).ReadOrLinks, s.host); !slices.Equal(urls, []string{"/listed"}) {
		t.Errorf("read %q", urls)
	}
}

func TestAStartPageThatCannotBeReadIsAProblem(t *testing.T) {
	s := serve(t, nil)
	result, urls := s.readBy(t, (*Reader).ReadOrLinks, s.host)
	if len(urls) != 0 || len(result.Problems) != 1 || !strings.Contains(result.Problems[0], "the site answered with status 404") {
		t.Errorf("read %q: %+v", urls, result)
	}
}

func TestAStartPageOfLinksWithoutEndEnds(t *testing.T) {
	s := serve(t, map[string]string{"/": strings.Repeat(`<a href="/a">a</a>`, maxLinks) + `<a href="/late">late</a>`})
	if _, urls := s.readBy(t, (*Reader).ReadOrLinks, s.host); !slices.Equal(urls, []string{"/", "/a"}) {
		t.Errorf("read %q", urls)
	}
}
