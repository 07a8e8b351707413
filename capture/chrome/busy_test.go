package chrome

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// TestWhatTellsReadersToWaitIsMissing: a part of a page that waits for data which never come is told, by the words or marks by which a
// reader knows; so is code that scripts ask for after the document has loaded. Such words
// mean nothing where nothing is awaited.
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
	poll := site.handle(t, "poll", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	waits := `<script>fetch("` + endless + `")</script>`
	for name, c := range map[string]struct{ html, want string }{
		"words":           {`<div>Loading prices…</div>` + waits, "parts of the page (“Loading prices…”)"},
		"words in German": {`<p>Preise</p><p>Wird geladen …</p>` + waits, "parts of the page (“Wird geladen …”)"},
		"a mark":          {`<section id="prices" aria-busy="true">Prices</section>` + waits, "parts of the page (#prices)"},
		"a skeleton":      {`<div class="card-skeleton" style="height:80px"></div>` + waits, "parts of the page (div.card-skeleton)"},
		"an open request": {`<p>Loading docks open at nine</p><a href="/laden">Laden</a><p hidden>Loading…</p>` +
			strings.ReplaceAll(waits, endless, poll), ""},
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

// TestDataThatNeverComesIsMissing: without a word about it, what a page asks for as it begins and does not get is told with its address.
// What is kept open until something happens, asked again and again, or asked of another site is not.
func TestDataThatNeverComesIsMissing(t *testing.T) {
	never := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise it is not told that the browser has gone
		<-r.Context().Done()
	}
	data := site.handle(t, "prices", never)
	more := site.handle(t, "more", never)
	poll := site.handle(t, "messages/long-poll", never)
	events := site.handle(t, "events", never)
	half := site.handle(t, "half.json", func(w http.ResponseWriter, r *http.Request) {
		serve("application/json", `{"price": `)(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	stream := site.handle(t, "lines", func(w http.ResponseWriter, r *http.Request) {
		serve("text/plain", "first line\n")(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	var turns sync.Map
	again := site.handle(t, "turns", func(w http.ResponseWriter, r *http.Request) {
		if _, asked := turns.LoadOrStore(r.UserAgent(), true); asked {
			<-r.Context().Done()
		}
		serve("application/json", "{}")(w, r)
	})
	elsewhere := strings.Replace(data, "127.0.0.1", "localhost", 1)
	// A browser has six connections to a host at most: a page that keeps more open would never get the answer that has a beginning.
	const json = `, {method: "POST", headers: {"Content-Type": "application/json"}, body: "{}"})`
	for name, c := range map[string]struct {
		script string
		want   []string
	}{
		"as it begins": {`fetch("` + data + `?shop=1").then((answer) => answer.text()).then((text) => { p.textContent = text });
			fetch("` + half + `").then((answer) => answer.json()); addEventListener("DOMContentLoaded", () => fetch("` + more + `"))`,
			[]string{half, more, data}},
		"in other ways": {`const x = new XMLHttpRequest(); x.open("GET", "` + more + `"); x.send(); fetch("` + data + `"` + json,
			[]string{more, data}},
		"news": {`const ask = () => fetch("` + again + `?" + Math.random()).then(ask); ask(); fetch("` + poll + `");
			fetch("` + data + `?last_event_id=4"); fetch("` + data + `?transport=polling"); new EventSource("` + events + `")`, nil},
		"visits and others": {`fetch("` + events + `", {headers: {Accept: "text/event-stream"}});
			fetch("` + stream + `").then((answer) => answer.text()); navigator.sendBeacon("` + data + `", "{}");
			fetch("` + events + `"` + json + `; fetch("` + elsewhere + `", {mode: "no-cors"});
			fetch("` + data + `", {method: "POST", body: new URLSearchParams({visit: 1})})`, nil},
		"a poll that begins later": {`onload = () => setTimeout(() => fetch("` + data + `"), 1000)`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shot := take(t, capture.Request{URL: site.page(t, `<h1>Tea house</h1><p id=p></p><script>`+c.script+`</script>`)})
			want := ""
			if c.want != nil {
				want = "parts of the page (" + strings.ReplaceAll(strings.Join(c.want, ", "), "http://"+site.hostPort(), "") +
					") were still loading"
			}
			if told := page.WhatIsMissing(shot.Manifest.Missing); told != want {
				t.Errorf("it is told that %q, want %q", told, want)
			}
		})
	}
}

// TestDataOfOtherHostsIsRecorded: where scripts read something that is not the page's own, two sites may have it in common.
func TestDataOfOtherHostsIsRecorded(t *testing.T) {
	own := site.handle(t, "own", serve("application/json", "{}"))
	other := strings.Replace(site.handle(t, "prices", serve("application/json", "{}")), "127.0.0.1", "localhost", 1)
	lost := strings.Replace(own, "own", "lost", 1)
	shot := take(t, capture.Request{URL: site.page(t, `<p>Tea</p><script>for (const address of ["`+own+`", "`+other+`?shop=1", "`+
		strings.Replace(lost, "127.0.0.1", "localhost", 1)+`"]) fetch(address, {mode: "no-cors"})</script>`)})
	if got := shot.Content.Data; len(got) != 1 || got[0] != other {
		t.Errorf("recorded %q, want %q", got, other)
	}
}
