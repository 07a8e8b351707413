package hyperlink

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestLinksAreListedInTheirOrder(t *testing.T) {
	base, err := url.Parse("https://example.com/shop/?page=2")
	if err != nil {
		t.Fatal(err)
	}
	document := `<a href="lamps#top">1</a><a name=x>no link</a><a href="">empty</a><map><area href="/about"></map>
		<a href="http://%zz">broken</a>
		<base href="https://www.example.com/new/"><a href=" chairs ">3</a><A HREF='mailto:a@example.com'>4</A><!-- <a href="/hidden"> -->
		<link href="/style.css">
		<a href="https://other.test/?a=1&amp;b=2"/><a href="#/about">route</a><a href="/#!about">route</a><a href="#about">place</a>`
	var links []string
	for link := range All(base, strings.NewReader(document)) {
		links = append(links, link.String())
	}
	want := []string{"https://example.com/shop/lamps", "https://example.com/about", "https://www.example.com/new/chairs",
		"mailto:a@example.com", "https://other.test/?a=1&b=2", "https://www.example.com/new/#/about", "https://www.example.com/#!about",
		"https://www.example.com/new/"}
	if !slices.Equal(links, want) {
		t.Errorf("links %q, want %q", links, want)
	}
	if base.String() != "https://example.com/shop/?page=2" {
		t.Errorf("the base became %s", base)
	}
}

func TestOnlyWhatIsAskedForIsRead(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "example.com"}
	for link := range All(base, strings.NewReader(strings.Repeat(`<a href="/again">again</a>`, 1000))) {
		if link.Path != "/again" {
			t.Errorf("link %s", link)
		}
		break
	}
}
