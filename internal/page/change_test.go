package page

import (
	"fmt"
	"strings"
	"testing"
)

func TestPagesAreComparedBesideTheirPixels(t *testing.T) {
	page := func(change func(*Visit)) Visit {
		p := Visit{Status: 200, FinalURL: "https://example.test/a", Title: "A", Content: &Content{Text: "one two"}}
		if change != nil {
			change(&p)
		}
		return p
	}
	status := func(n int) Visit { return page(func(p *Visit) { p.Status = n }) }
	address := func(a string) Visit { return page(func(p *Visit) { p.FinalURL = a }) }
	title := func(title string) Visit { return page(func(p *Visit) { p.Title = title }) }
	robots := func(r string) Visit { return page(func(p *Visit) { p.Content.Robots = r }) }
	canonical := func(c string) Visit { return page(func(p *Visit) { p.Content.Canonical = c }) }
	text := func(s string) Visit { return page(func(p *Visit) { p.Content.Text = s }) }
	language := func(tag string) Visit { return page(func(p *Visit) { p.Content.Language = tag }) }
	body := func(classes string) Visit {
		return page(func(p *Visit) { p.Content.Elements = []Element{{Tag: "body", Classes: classes}} })
	}
	styles := func(paths ...string) Visit {
		return page(func(p *Visit) {
			for _, path := range paths {
				p.Content.Assets = append(p.Content.Assets, Asset{Kind: "style", URL: "https://example.test" + path})
			}
		})
	}
	unknown := page(func(p *Visit) { p.Status, p.FinalURL, p.Content = 0, "", nil })
	long := strings.Repeat("a b c d e ", 10)
	for name, c := range map[string]struct {
		before, after Visit
		want          string
	}{
		"nothing": {page(nil), page(nil), ""},
		"unknown": {unknown, page(nil), ""},
		"turned 500": {status(200), status(500),
			"status alarm: The page answers with HTTP status 500 (Internal Server Error) instead of 200 (OK)."},
		"turned 404": {status(301), status(404),
			"status alarm: The page answers with HTTP status 404 (Not Found) instead of 301 (Moved Permanently)."},
		"another error": {status(404), status(599),
			"status warning: The page answers with HTTP status 599 instead of 404 (Not Found)."},
		"recovered": {status(503), status(200),
			"status notice: The page answers with HTTP status 200 (OK) instead of 503 (Service Unavailable)."},
		"another host": {page(nil), address("https://b.test/a"),
			"address warning: The page leads to https://b.test/a instead of https://example.test/a."},
		"another path": {page(nil), address("https://example.test/login"),
			"address warning: The page leads to https://example.test/login instead of https://example.test/a."},
		"no longer secure": {page(nil), address("http://example.test/a"),
			"address warning: The page leads to http://example.test/a instead of https://example.test/a."},
		"a slash": {page(nil), address("https://example.test/a/"),
			"address notice: The page leads to https://example.test/a/ instead of https://example.test/a."},
		"a number": {address("https://example.test/a?t=1"), address("https://example.test/a?t=2"), ""},
		"another query": {address("https://example.test/a?t=x"), address("https://example.test/a?t=y"),
			"address notice: The page leads to https://example.test/a?t=y instead of https://example.test/a?t=x."},
		"title":      {page(nil), title(" B\n"), "title notice: The title is “B” instead of “A”."},
		"title lost": {page(nil), title(""), "title warning: The page has lost its title, which was “A”."},
		"title got":  {title(""), page(nil), "title notice: The page now has a title: “A”."},
		"noindex": {robots("index, follow"), robots("NOINDEX,follow"),
			"robots alarm: The page now asks search engines not to index it (robots: noindex)."},
		"none": {page(nil), robots("none"),
			"robots alarm: The page now asks search engines not to index it (robots: nofollow, noindex)."},
		"index again": {robots("noindex"), page(nil),
			"robots notice: The page allows search engines to index it again; it did not before (robots: noindex)."},
		"nofollow": {robots("max-snippet:1"), robots("nofollow, max-snippet:1"),
			"robots warning: The page now asks search engines not to follow its links (robots: max-snippet:1, nofollow)."},
		"other robots": {robots("nosnippet"), robots("noarchive"),
			"robots notice: The robots directives of the page changed (robots: noarchive instead of nosnippet)."},
		"robots, another way": {robots("all"), robots("follow,index"), ""},
		"canonical": {canonical("/a"), canonical("/b"),
			"canonical warning: The canonical URL of the page is https://example.test/b instead of https://example.test/a."},
		"canonical lost": {canonical("/a"), page(nil),
			"canonical warning: The page no longer has a canonical URL; it was https://example.test/a."},
		"canonical got":      {page(nil), canonical("/a"), "canonical notice: The page now has a canonical URL: https://example.test/a."},
		"canonical, spelled": {canonical("/a"), canonical("https://example.test/a"), ""},
		"canonical, broken": {canonical("/a"), canonical(":"),
			"canonical warning: The canonical URL of the page is : instead of https://example.test/a."},
		"language": {language("en-US"), language("de"),
			"language warning: The page declares the language “de” instead of “en-US”."},
		"region": {language("en_US"), language("en-GB"),
			"language notice: The page declares the language “en-GB” instead of “en_US”."},
		"language, spelled": {language("en-us"), language("en-US"), ""},
		"language, unsaid":  {page(nil), language("en-US"), ""},
		"theme": {body("home wp-theme-ash"), body("home wp-theme-oak"),
			"theme warning: The page uses the theme oak instead of ash."},
		"child theme": {body("wp-theme-ash wp-child-theme-elm"), body("wp-theme-ash"),
			"theme warning: The page uses the theme ash instead of ash, elm."},
		"theme by its folder": {styles("/wp-content/themes/ash/style.css?ver=1", "/wp-content/plugins/a/themes.css"),
			styles("/wp-content/themes/oak/a/b.css"), "theme warning: The page uses the theme oak instead of ash."},
		"theme of Drupal": {styles("/themes/custom/ash/a.css"), styles("/core/themes/oak/a.css"),
			"theme warning: The page uses the theme oak instead of ash."},
		"a theme's child is missing": {styles("/wp-content/themes/ash/a.css", "/wp-content/themes/elm/a.css"),
			styles("/wp-content/themes/ash/a.css"), ""},
		"theme, said differently": {body("wp-theme-ash"), styles("/wp-content/themes/oak/a.css"), ""},
		"a word":                  {page(nil), text("one three two"), "text notice: 1 word was added to the page's text."},
		"words":                   {page(nil), text("three four"), "text notice: 2 words were added to the page's text and 2 removed."},
		"less":                    {page(nil), text("two"), "text notice: 1 word was removed from the page's text."},
		"white space":             {page(nil), text("one\ntwo"), ""},
		"most is gone": {text(long), text("a b"),
			"text warning: Most of the page's text is gone: 48 words were removed from the page's text."},
		"replaced": {text(long), text(strings.ToUpper(long)),
			"text notice: 50 words were added to the page's text and 50 removed."},
	} {
		got := ""
		for _, change := range Compare(&c.before, &c.after) {
			got += fmt.Sprintf("%s %s: %s", change.Kind, change.Severity, change.Sentence)
		}
		if got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWhatIsKeptOfAPageIsBounded(t *testing.T) {
	long := strings.Repeat("Ω ", 100_000)
	page := func(s string) *Visit {
		return &Visit{Status: 200, FinalURL: "https://" + s + ".test/" + strings.Repeat("p", 100_000), Title: s + long,
			Content: &Content{Robots: s, Canonical: s + long, Text: s + long}}
	}
	for _, c := range Compare(page("a"), page("b")) {
		if size := len(c.Before) + len(c.After) + len(c.Sentence); size > 4*maxPageAddress+200 {
			t.Errorf("%s has %d bytes", c.Kind, size)
		}
	}
}
