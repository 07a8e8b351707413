package chrome

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// TestWhatTellsReadersToWaitIsMissing: a part of a page that waits for data which never come is told, by the words or marks by which a
// reader knows; so is code that scripts ask for after the document has loaded. Pages that only keep a request open are not suspected, nor
// are such words where nothing is awaited.
func TestWhatTellsReadersToWaitIsMissing(t *testing.T) {
	endless := site.handle(t, "endless", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for _, name := range []string{"endless.mjs", "endless.css"} {
		site.handle(t, name, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	}
	asked := make(chan struct{})
	now := sync.OnceFunc(func() { close(asked) })
	site.handle(t, "now", func(http.ResponseWriter, *http.Request) { now() })
	late := site.handle(t, "late.mjs", func(w http.ResponseWriter, r *http.Request) {
		<-asked
		serve("text/javascript", "export default 1")(w, r)
	})
	waits := `<script>fetch("` + endless + `")</script>`
	for name, c := range map[string]struct{ html, want string }{
		"words":           {`<div>Loading prices…</div>` + waits, "parts of the page (“Loading prices…”)"},
		"words in German": {`<p>Preise</p><p>Wird geladen …</p>` + waits, "parts of the page (“Wird geladen …”)"},
		"a mark":          {`<section id="prices" aria-busy="true">Prices</section>` + waits, "parts of the page (#prices)"},
		"a skeleton":      {`<div class="card-skeleton" style="height:80px"></div>` + waits, "parts of the page (div.card-skeleton)"},
		"an open request": {`<p>Loading docks open at nine</p><a href="/laden">Laden</a><p hidden>Loading…</p>` + waits, ""},
		"code of a module": {`<p id=t></p><script>import("` + endless + `.mjs").then(() => { t.textContent = "€ 9.50" })</script>`,
			"parts of the page (endless.mjs)"},
		"a style sheet that a script adds": {`<script>onload = () => setTimeout(() => { const sheet = document.createElement("link");
			sheet.rel = "stylesheet"; sheet.href = "` + endless + `.css"; document.head.append(sheet) }, 50)</script>`,
			"parts of the page (endless.css)"},
		"code that comes late": {`<script>import("` + late + `"); setTimeout(() => fetch("` + strings.Replace(late, "late.mjs", "now", 1) +
			`"), 500)</script>`, ""},
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
