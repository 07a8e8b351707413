package chrome

import (
	"net/http"
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// TestFramesThatDoNotLoadAreMissing: what a browser or a server shows instead of the document in a frame is told, of this site and others.
// Frames that nobody sees are not.
func TestFramesThatDoNotLoadAreMissing(t *testing.T) {
	answer := func(name, header, value string, status int, body string) string {
		return site.handle(t, name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			if header != "" {
				w.Header().Set(header, value)
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body)) // an error shows in the picture
		})
	}
	const body, never = "<!doctype html><p>Opening hours", "iframe did not load (no answer that can be shown)"
	fine := answer("fine", "", "", 200, body)
	denied := answer("denied", "X-Frame-Options", "DENY", 200, body)
	policy := answer("policy", "Content-Security-Policy", "frame-ancestors 'none'", 200, body)
	lost := answer("lost", "", "", 404, body)
	broken := answer("broken", "", "", 500, body)
	empty := answer("empty", "", "", 500, "")
	elsewhere := func(address string) string { return strings.Replace(address, "127.0.0.1", "localhost", 1) }
	frame := func(address string) string {
		return `<iframe width=400 height=200 scrolling=no src="` + address + `"></iframe>`
	}
	shown := func(address string) string { return `<iframe width=400 height=200 src="` + address + `"></iframe>` }
	for name, c := range map[string]struct{ html, want string }{
		"X-Frame-Options":         {shown(denied), never},
		"of another site":         {shown(elsewhere(denied)), never},
		"frame-ancestors":         {shown(policy), never},
		"beside one that loads":   {shown(elsewhere(fine)) + shown(denied), "did not load"},
		"404":                     {shown(lost), "iframe did not load (HTTP status 404)"},
		"404 of another site":     {shown(elsewhere(lost)), "did not load (HTTP status 404)"},
		"500":                     {shown(broken), "iframe did not load (HTTP status 500)"},
		"500 without a page":      {shown(empty), "did not load"},
		"one that loads":          {shown(fine), ""},
		"another that loads":      {shown(elsewhere(fine)), ""},
		"nothing":                 {`<iframe width=400 height=200></iframe>`, ""},
		"a document of its own":   {`<iframe width=400 height=200 srcdoc="Tea"></iframe>`, ""},
		"about:blank":             {shown("about:blank"), ""},
		"a pixel":                 {`<iframe width=1 height=1 src="` + denied + `"></iframe>`, ""},
		"a pixel of 404":          {`<iframe width=1 height=1 src="` + lost + `"></iframe>`, ""},
		"one that is not drawn":   {`<iframe style="display:none" src="` + denied + `"></iframe>`, ""},
		"one that is not visible": {`<div style="visibility:hidden">` + frame(lost) + `</div>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			shot := take(t, capture.Request{URL: site.page(t, "<!doctype html><h1>Tea house</h1>"+c.html)})
			told := page.WhatIsMissing(shot.Manifest.Missing)
			if c.want == "" && told != "" || !strings.Contains(told, c.want) {
				t.Errorf("it is told that %q, want %q", told, c.want)
			}
		})
	}
}

// TestTextsOfFramesAreThoseOfTheirElements: as far as people see them, with those of the frames in a frame.
func TestTextsOfFramesAreThoseOfTheirElements(t *testing.T) {
	inner := site.handle(t, "inner", serve("text/html", "<!doctype html><p>Assam</p><p hidden>Ceylon</p><p>1.00</p>"))
	outer := site.handle(t, "outer", serve("text/html", `<!doctype html><h2>Prices</h2><iframe src="`+inner+`"></iframe><p>per pound</p>`))
	shot := take(t, capture.Request{URL: site.page(t, `<!doctype html><iframe src="`+outer+`"></iframe><iframe srcdoc="Tea"></iframe>
		<iframe></iframe>`)})
	var texts []string
	for i := range shot.Content.Elements {
		if e := &shot.Content.Elements[i]; e.Tag == "iframe" {
			texts = append(texts, e.Value)
		}
	}
	if got := strings.Join(texts, "|"); got != "Prices Assam 1.00 per pound|Tea|" {
		t.Errorf("the texts of the frames are %q", got)
	}
}
