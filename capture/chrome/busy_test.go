package chrome

import (
	"net/http"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// TestWhatTellsReadersToWaitIsMissing: a part of a page that waits for data which never come is told, by the words or marks by which a
// reader knows. Pages that only keep a request open are not suspected, nor are such words where nothing is awaited.
func TestWhatTellsReadersToWaitIsMissing(t *testing.T) {
	endless := site.handle(t, "endless", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	waits := `<script>fetch("` + endless + `")</script>`
	for name, c := range map[string]struct{ html, want string }{
		"words":              {`<div>Loading prices…</div>` + waits, "parts of the page (“Loading prices…”)"},
		"words in German":    {`<p>Preise</p><p>Wird geladen …</p>` + waits, "parts of the page (“Wird geladen …”)"},
		"a mark":             {`<section id="prices" aria-busy="true">Prices</section>` + waits, "parts of the page (#prices)"},
		"a skeleton":         {`<div class="card-skeleton" style="height:80px"></div>` + waits, "parts of the page (div.card-skeleton)"},
		"an open request":    {`<p>Loading docks open at nine</p><a href="/laden">Laden</a><p hidden>Loading…</p>` + waits, ""},
		"nothing is awaited": {`<div>Loading prices…</div>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.want != "" {
				c.want += " were still loading"
			}
			shot := take(t, capture.Request{URL: site.page(t, `<h1>Tea house</h1>`+c.html)})
			if told := page.WhatIsMissing(shot.Manifest.Missing); told != c.want {
				t.Errorf("it is told that %q, want %q", told, c.want)
			}
		})
	}
}
