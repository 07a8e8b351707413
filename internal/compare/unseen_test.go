package compare

import (
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// TestWhatWasNotSeenIsTold: two equal pictures of which each lacks a part are equal as far as seen, and no more where all is wanted.
func TestWhatWasNotSeenIsTold(t *testing.T) {
	shot := &capture.Shot{}
	shot.Manifest.Missing = []page.Missing{{Kind: page.MissingScrolled, Element: "#strip", Side: "right", Pixels: 700}}
	r := &run{}
	pair := Pair{Path: "/", Unseen: r.unseen(shot, shot)}
	result := Collect("a", "b", "", []Pair{pair, {Path: "/whole", Unseen: r.unseen(&capture.Shot{}, &capture.Shot{})}})
	const strip = "700 px of #strip are not shown"
	if p := result.Pairs[0]; p.Outcome != Equal || p.Unseen != strip || result.Pairs[1].Unseen != "" || result.Unseen() != 1 {
		t.Errorf("outcome %s, unseen %q, %q", p.Outcome, p.Unseen, result.Pairs[1].Unseen)
	}
	if code := result.ExitCode(FailOnUnsure); code != ExitEqual {
		t.Errorf("the exit code is %d", code)
	}
	result.RequireComplete = true
	if code := result.ExitCode(FailOnUnsure); code != ExitUnknown {
		t.Errorf("with all required the exit code is %d", code)
	}
}

// TestWhatThePreviewTakesFromProductionIsTold: with a <base>, or absolute addresses, a preview shows the style sheets and scripts that
// production has now. What a release changes in them is in neither picture.
func TestWhatThePreviewTakesFromProductionIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		files         []string
		want          string
		elements      []page.Element
		data          []string
	}{
		"its own": {"https://www.example.com", "https://preview.example.com", []string{"https://preview.example.com/a.css"}, "", nil,
			[]string{"https://api.example.com/prices"}},
		"one": {"https://www.example.com", "https://preview.example.com", []string{"https://WWW.example.com/theme/a.css?v=2",
			"https://cdn.example.com/b.js"}, "the page after loads a style sheet or script from www.example.com (a.css)", nil, nil},
		"frames": {"https://www.example.com", "https://preview.example.com", nil,
			"the page after shows 2 frames with pages of www.example.com", []page.Element{{Tag: "iframe", Source: "//www.example.com/map"},
				{Tag: "embed", Source: "https://www.example.com/b"}, {Tag: "iframe", Source: "/own"}}, nil},
		"pictures": {"https://www.example.com", "https://preview.example.com", nil,
			"the page after loads 2 pictures from www.example.com (cup.jpg, film.mp4)", []page.Element{
				{Tag: "img", Source: "https://www.example.com/img/cup.jpg"}, {Tag: "img", Source: "//www.example.com/img/cup.jpg"},
				{Tag: "video", Source: "https://www.example.com/film.mp4"}, {Tag: "img", Source: "/own.jpg"}, {Tag: "img"}}, nil},
		"data": {"https://www.example.com", "https://preview.example.com", nil,
			"the page after loads data from www.example.com (prices)", nil,
			[]string{"https://api.example.com/tea", "https://www.example.com/api/prices"}},
		"four": {"https://www.example.com", "https://preview.example.com", []string{"https://www.example.com/a.css",
			"https://www.example.com/b.css", "https://www.example.com/c.js", "https://www.example.com/d.js"},
			"the page after loads 4 style sheets and scripts from www.example.com (a.css, b.css, c.js, …)", nil, nil},
		"two ports": {"http://localhost:8001", "http://localhost:8002", []string{"http://localhost:8002/a.css"}, "", nil, nil},
		"two folders of a host": {"https://www.example.com", "https://www.example.com/next",
			[]string{"https://www.example.com/a.css"}, "", nil, nil},
	} {
		var sites [2]Site
		for i, address := range []string{c.before, c.after} {
			site, err := ParseSite(address)
			if err != nil {
				t.Fatal(err)
			}
			sites[i] = site
		}
		r := &run{before: side{site: sites[0]}, after: side{site: sites[1]}}
		shot := &capture.Shot{}
		shot.Content, shot.FinalURL = &page.Content{Elements: c.elements, Data: c.data}, c.after
		for _, file := range c.files {
			shot.Content.Assets = append(shot.Content.Assets, page.Asset{Kind: "style", URL: file})
		}
		if got := r.unseen(&capture.Shot{}, shot); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
