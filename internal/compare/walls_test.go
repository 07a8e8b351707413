package compare

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/internal/egress"
	"afterimage/internal/page"
)

// drawnWalls are walls that only a browser tells from pages: by what lies above what. Each is a kind, and a document.
var drawnWalls = []string{
	"age " + behind(`position:fixed;inset:0;background:#111;color:#fff`,
		`<h2>Are you over 18?</h2><button>Yes</button><button>No</button>`),
	"age " + behind(`position:absolute;inset:0;height:100vh;z-index:1000;background:#fffffff2`,
		`<h2>Please verify your age</h2><a href=/>Enter</a>`),
	"age " + behind(`position:fixed;top:0;left:0;width:100vw;height:100vh;background:#000`, `<p>20歳以上ですか？</p><button>はい</button>`),
	"consent " + behind(`position:fixed;inset:0;background:#fff`, `<h2>We value your privacy</h2><button>OK</button>`),
	`loading <style>.spinner{width:40px;height:40px;border:4px solid #ccc;border-top-color:#06c;border-radius:50%;
		animation:a 1s linear infinite}@keyframes a{to{rotate:1turn}}</style><div id="app"><div class="spinner"></div></div>`,
	`loading <style>.x{margin:20px;height:80px;background:#eee}</style><div id="root"><div class="x"></div><div class="x"></div></div>`,
	`loading <noscript>You need JavaScript to run this app.</noscript><div id="__next"></div><script></script>`,
	`loading <body style="background:#123"><main class="shell"><div></div></main><script></script>`,
	`loading <style>#__nuxt{min-height:100vh;background:linear-gradient(#fff,#def)}</style><div id="__nuxt"></div><script></script>`,
	`loading <my-shop></my-shop><script></script>`,
	`loading <div id="svelte"><i></i></div><style>i{display:block;margin:200px auto;width:40px;height:40px;border:4px solid #ccc;
		border-top-color:red;animation:a 1s infinite}@keyframes a{to{rotate:1turn}}</style><script></script>`,
	`loading <div class="shell"><svg width="60" height="60"><circle r="9" cx="20" cy="20">
		<animate attributeName="r" values="9;20;9" dur="1s" repeatCount="indefinite"/></circle></svg></div><script></script>`,
	`loading <body></body>`,
	`loading <div id="root"><header><img width="140" height="40" alt="Acme" src="data:image/svg+xml,` +
		`%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"></header></div><script src="/main.js"></script>`,
	`loading <app-root><img width="64" height="64" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"></app-root>
		<script type="module">import "/none.js"</script>`,
	`loading <div id="app"><svg class="spin" width="50" height="50"><circle cx="25" cy="25" r="20" stroke="red" fill="none"/></svg></div>`,
}

// drawnPages look like those, and are pages.
var drawnPages = []string{
	behind(`position:fixed;bottom:0;left:0;right:0;background:#fff`, `<p>Are you over 18? Then see our wines.</p><button>Yes</button>`),
	behind(`position:fixed;inset:0;background:#0004`, `<p>Are you over 18?</p><button>Yes</button>`),
	`<body style="background:#fff"><main style="position:absolute;inset:0;background:#fff"><h1>Age verification</h1><p>` +
		strings.Repeat("What shops have to know about it. ", 40) + `</p><button>Continue</button></main>`,
	`<div id="app"><div class="spinner" style="width:9px;height:9px;background:red"></div><h1>Tea of the day: Assam</h1></div>`,
	`<div id="root"><img width="90" height="90" alt="Tea" src="data:image/svg+xml,` +
		`%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"></div><script></script>`,
	`<div id="logo"><img width="90" height="90" alt="Tea" src="data:image/svg+xml,` +
		`%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"></div><script src="/count.js"></script>`,
	`<div id="root"><img width="90" height="90" alt="Tea" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E">
		<p>Tea from the hills</p></div><script src="/count.js"></script>`,
	`<div id="__next"><video width="90" height="60"></video></div><script></script>`,
	`<div id="q"></div><script>q.attachShadow({mode: 'closed'}).innerHTML = '<h1>Tea of the day</h1>'</script>`,
	`<tea-day></tea-day><script>customElements.define('tea-day', class extends HTMLElement { constructor() { super();
		this.attachShadow({mode: 'closed'}).innerHTML = '<h1>Tea of the day</h1>' } })</script>`,
	`<main><div style="width:300px;height:200px;background:#2a6"></div></main><script></script>`,
	`<style>main{height:100vh;background:url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E")}</style><main></main>
		<script></script>`,
	`<body style="background:teal"></body>`,
	`<style>p::before{content:"Assam"}</style><p></p><script></script>`,
	`<iframe srcdoc="Tea of the day"></iframe><script></script>`,
	`<p contenteditable style="border:1px solid">&nbsp;</p><script></script>`,
	`<div id="root"><canvas width="800" height="500" style="background:#eee"></canvas></div>`,
}

// behind is a page with something above it.
func behind(style, inside string) string {
	return `<title>Tea house</title><h1>Tea house</h1><p>` + strings.Repeat("We sell tea from the hills. ", 60) +
		`</p><div style="` + style + `">` + inside + `</div>`
}

// document is one that a site shows under a path.
type document struct{ kind, path, html string }

// documentsIn reads those of a file of the page package, with a kind or without; every so many.
func documentsIn(t *testing.T, name string, kinds bool, every int) []document {
	t.Helper()
	text, err := os.ReadFile("../page/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []document
	n := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if n++; n%every != 0 {
			continue
		}
		d := document{}
		if kinds {
			d.kind, line, _ = strings.Cut(line, " ")
		}
		d.path, d.html, _ = strings.Cut(strings.TrimSpace(line), " ")
		all = append(all, d)
	}
	return all
}

// TestWallsAreToldOnRealPages captures what sites show instead of their pages, and pages with similar words: a wall on both sides is
// never equal, one that hides a page from us is told on one side, too, and no page is taken for a wall. AFTERIMAGE_SOAK=1 takes all that
// the page package tests as text.
func TestWallsAreToldOnRealPages(t *testing.T) {
	every := 3
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		every = 1
	}
	walls, pages := documentsIn(t, "walls.txt", true, every), documentsIn(t, "ordinary.txt", false, every)
	for _, text := range drawnWalls {
		kind, html, _ := strings.Cut(text, " ")
		walls = append(walls, document{kind, "/", html})
	}
	for _, html := range drawnPages {
		pages = append(pages, document{"", "/", html})
	}
	if len(walls) < 40 || len(pages) < 40 {
		t.Errorf("only %d walls and %d pages", len(walls), len(pages))
	}
	visits := captureAll(t, append(walls, pages...))
	o := &Options{Before: site(t, "https://www.example.com"), After: site(t, "https://preview.example.com")}
	both := func(before, after *page.Visit, path string) string {
		was, is := *before, *after
		was.FinalURL, is.FinalURL = o.Before.Address(path), o.After.Address(path)
		p := &Pair{asked: path}
		if newRun(nil, o, nil, nil).comparable(p, &was, &is) {
			return ""
		}
		return p.Problem
	}
	plain := at("https://www.example.com/")
	for i, w := range walls {
		if said := both(&visits[i].Visit, &visits[i].Visit, w.path); said == "" {
			t.Errorf("a wall (%s) on both sides is compared: %s", w.kind, w.html)
		}
		found := visits[i].Wall(o.After.Address(w.path))
		switch said := both(plain, &visits[i].Visit, w.path); {
		case found == nil || string(found.Kind) != w.kind:
			t.Errorf("%+v is found, want %s: %s", found, w.kind, w.html)
		case found.Hides() != (said != ""):
			t.Errorf("a wall (%s) on one side: %q", w.kind, said)
		}
	}
	for i, p := range pages {
		if said := both(&visits[len(walls)+i].Visit, &visits[len(walls)+i].Visit, p.path); said != "" {
			t.Errorf("a page is not compared: %s: %s", said, p.html)
		}
	}
}

// captureAll captures documents.
func captureAll(t *testing.T, documents []document) []*capture.Shot {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html>"+strings.ReplaceAll(documents[n].html, "LONG", strings.Repeat("More about it in other words. ", 30)))
	}))
	t.Cleanup(server.Close)
	policy, err := egress.NewPolicy(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	const lanes = 2
	pool, err := chrome.Start(t.Context(), chrome.Config{Lanes: lanes, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	shots := make([]*capture.Shot, len(documents))
	var wait sync.WaitGroup
	for lane := range lanes {
		wait.Go(func() {
			for n := lane; n < len(documents); n += lanes {
				request := capture.Request{URL: fmt.Sprintf("%s/%d", server.URL, n), Device: capture.Desktop, Deadline: 5 * time.Minute}
				shot, err := pool.Capture(t.Context(), request)
				if err != nil {
					t.Errorf("%s: %v", documents[n].html, err)
					shots[n] = &capture.Shot{Visit: *at("")}
					continue
				}
				shots[n] = shot
			}
		})
	}
	wait.Wait()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	return shots
}
