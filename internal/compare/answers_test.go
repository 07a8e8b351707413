package compare

import (
	"net/http"
	"strings"
	"testing"

	"afterimage/internal/page"
)

// told is what the comparison of two visits says before it looks at the pictures; "" when they can be compared.
func told(t *testing.T, o *Options, before, after *page.Visit) string {
	t.Helper()
	p := &Pair{}
	r := newRun(nil, o, nil, nil)
	if r.comparable(p, before, after) {
		return ""
	}
	if p.Problem == "" {
		t.Fatalf("nothing is said: %+v", p.Findings)
	}
	return p.Problem
}

// kept is a baseline.
type kept struct{ Stored }

func at(address string) *page.Visit {
	return &page.Visit{Status: http.StatusOK, FinalURL: address, Content: &page.Content{Text: "Welcome"}}
}

func TestASideThatLeadsElsewhereIsNotCompared(t *testing.T) {
	production, preview := site(t, "https://www.example.com"), site(t, "https://preview.example.com")
	for name, c := range map[string]struct{ before, after, want string }{
		"as asked":            {"https://www.example.com/", "https://preview.example.com/", ""},
		"another path":        {"https://www.example.com/en/", "https://preview.example.com/en/", ""},
		"without www":         {"https://example.com/", "https://preview.example.com/", ""},
		"without TLS":         {"https://www.example.com/", "http://preview.example.com/", ""},
		"to production":       {"https://www.example.com/", "https://www.example.com/", "preview.example.com leads to another host"},
		"to a third":          {"https://www.example.com/", "https://example.org/", "preview.example.com leads to another host"},
		"to another port":     {"https://www.example.com/", "https://preview.example.com:8443/", "leads to another host"},
		"production has gone": {"https://example.net/", "https://preview.example.com/", "www.example.com leads to another host"},
		"to sign in":          {"https://www.example.com/", "https://id.example.com/login?next=x", "where visitors sign in"},
		"to a route":          {"https://www.example.com/", "https://preview.example.com/#/login", "where visitors sign in"},
	} {
		said := told(t, &Options{Before: production, After: preview}, at(c.before), at(c.after))
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q", name, said)
		}
	}
	for element, want := range map[page.Element]string{
		{Tag: "iframe", Source: "https://www.example.com/", Box: page.Box{Width: 1440, Height: 900}}:      "in a frame over the whole page",
		{Tag: "frame", Source: "https://WWW.example.com/a", Box: page.Box{Width: 1440, Height: 800}}:      "in a frame over the whole page",
		{Tag: "object", Source: "//www.example.com/", Box: page.Box{Width: 1400, Height: 900}}:            "in a frame over the whole page",
		{Tag: "iframe", Source: "https://www.example.com/map", Box: page.Box{Width: 600, Height: 400}}:    "",
		{Tag: "iframe", Source: "/app", Box: page.Box{Width: 1440, Height: 900}}:                          "",
		{Tag: "iframe", Source: "https://maps.example.org/", Box: page.Box{Width: 1440, Height: 900}}:     "",
		{Tag: "img", Source: "https://www.example.com/hero.jpg", Box: page.Box{Width: 1440, Height: 900}}: "",
	} {
		after := at("https://preview.example.com/")
		after.Manifest.Viewport = page.Viewport{Width: 1440, Height: 900}
		after.Content.Elements = []page.Element{element}
		said := told(t, &Options{Before: production, After: preview}, at("https://www.example.com/"), after)
		if (said != "") != (want != "") || !strings.Contains(said, want) {
			t.Errorf("%s of %s: %q", element.Tag, element.Source, said)
		}
	}
	folders := &Options{Before: site(t, "https://example.com/live"), After: site(t, "https://example.com/next")}
	live := at("https://example.com/live")
	if said := told(t, folders, live, live); !strings.Contains(said, "Both sides lead to") {
		t.Errorf("two folders of a host: %q", said)
	}
}

func TestAWallOnBothSidesIsNotEqual(t *testing.T) {
	o := &Options{Before: site(t, "https://www.example.com"), After: site(t, "https://preview.example.com")}
	showing := func(address, title, text string) *page.Visit {
		v := at(address)
		v.Title, v.Content.Text = title, text
		return v
	}
	const before, after = "https://www.example.com/", "https://preview.example.com/"
	closed := func(address string) *page.Visit {
		return showing(address, "Maintenance", "Our shop is down for maintenance")
	}
	stored := &Options{Before: o.Before, After: o.After, Stored: kept{}}
	both := "Both sides show a maintenance notice (“down for maintenance”)"
	if said := told(t, o, closed(before), closed(after)); !strings.Contains(said, both) {
		t.Errorf("maintenance on both: %q", said)
	}
	if said := told(t, o, at(before), closed(after)); said != "" {
		t.Errorf("maintenance on one side is a change and not %q", said)
	}
	if said := told(t, stored, closed(before), closed(after)); !strings.Contains(said, both) {
		t.Errorf("maintenance in the baseline and on the site: %q", said)
	}
	challenge := showing(after, "Just a moment...", "Verifying you are human. This may take a few seconds.")
	if said := told(t, o, at(before), challenge); !strings.Contains(said, "https://preview.example.com shows a bot check") {
		t.Errorf("a challenge on one side: %q", said)
	}
}

func TestAFileNameInAnAddressIsNoDetour(t *testing.T) {
	hosts := newTranslator(site(t, "http://localhost:1/index.html"), site(t, "http://localhost:2/index.html"))
	for address, want := range map[string]string{
		"http://localhost:2/index.html":     "http://localhost:1/index.html",
		"http://localhost:2/index.html?a=b": "http://localhost:1/index.html?a=b",
		"http://localhost:2/other.html":     "http://localhost:1/other.html",
	} {
		if got := hosts.address(address); got != want {
			t.Errorf("%s became %s, want %s", address, got, want)
		}
	}
}
