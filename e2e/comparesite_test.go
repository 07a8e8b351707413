package e2e

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// shopPages is how many pages the shop has.
const shopPages = 60

// outlet is one side of two: production, or a preview of its next release, which differs in planted ways and in harmless ones.
type outlet struct {
	preview bool
	server  *httptest.Server
	served  atomic.Int64 // documents so far
}

// planted is a difference that a comparison has to find. Its description has to contain some words.
type planted struct {
	name, kind, words string
	pages             []int // none for all
}

// shopDamages are the planted differences of the preview.
var shopDamages = []planted{
	{"price", "", "0.00", []int{3}},
	{"picture that does not load", "", "Picture", []int{5}},
	{"section gone", "vanished", "Related", []int{7}},
	{"promise of delivery", "text_changed", "10 days", []int{9}},
	{"colour of the button", "style_changed", "Add to basket", []int{11}},
	{"error of the server", "", "Fatal error", []int{13}},
	{"link gone", "vanished", "Returns", []int{15}},
	{"other picture", "image_replaced", "Picture", []int{17}},
	{"form field gone", "vanished", "Mail", []int{19}},
	{"missing page", "missing_page", "404", []int{21}},
	{"script error", "console", "totals is not defined", []int{23}},
	{"phone number", "text_changed", "0800 000002", nil},
}

// harmless are the differences of single pages, between the sides or from visit to visit, that nobody should be told of. Each takes
// the side and the number of the visit.
var shopHabits = map[int]struct {
	name string
	html func(s *outlet, visit int64) string
}{
	1: {"absolute links in text", func(s *outlet, _ int64) string {
		return `<p>Share this page: ` + s.server.URL + `/p/1</p>`
	}},
	2: {"time of the server", func(s *outlet, v int64) string {
		return fmt.Sprintf(`<p class="updated">Updated 23 Nov 2026, 10:%02d:%02d</p>`, side(s, 10, 41), v%60)
	}},
	4: {"views", func(s *outlet, v int64) string {
		return fmt.Sprintf(`<p class="views">%d views</p>`, side(s, 1204, 1377)+int(v))
	}},
	6: {"age of a post", func(s *outlet, _ int64) string {
		return fmt.Sprintf(`<p class="age">Posted %d minutes ago</p>`, side(s, 3, 8))
	}},
	8: {"advertisement", func(_ *outlet, v int64) string {
		return fmt.Sprintf(`<div class="ad-slot"><svg width="300" height="250"><rect width="300" height="250" fill="%s"/></svg></div>`,
			colour(v))
	}},
	10: {"recommendations dealt out at each visit", func(_ *outlet, v int64) string {
		names := []string{"Kettle", "Lamp", "Chair", "Clock", "Mirror"}
		return fmt.Sprintf(`<section class="recommendations"><h2>You may also like</h2><p>%s</p><p>%s</p></section>`,
			names[v%5], names[(v+2)%5])
	}},
	12: {"session in a text", func(_ *outlet, v int64) string {
		return fmt.Sprintf(`<p class="session">Session %08x</p>`, v*2654435761%0xffffffff)
	}},
	14: {"build number", func(s *outlet, _ int64) string {
		return fmt.Sprintf(`<p class="build">Build %d</p>`, side(s, 4711, 4712))
	}},
	16: {"clock in the page", func(*outlet, int64) string {
		return `<p id="clock"></p><script>setInterval(() => { clock.textContent = new Date().toISOString() }, 50)</script>`
	}},
	18: {"chance in the page", func(*outlet, int64) string {
		return `<p id="chance"></p><script>chance.textContent = 'Offer ' + Math.floor(Math.random() * 1e6)</script>`
	}},
	20: {"chance of the cryptographer", func(*outlet, int64) string {
		return `<p id="key"></p><script>key.textContent = 'Request ' + crypto.getRandomValues(new Uint32Array(1))[0]</script>`
	}},
	22: {"numbered classes", func(s *outlet, _ int64) string {
		return fmt.Sprintf(`<p class="css-%d">Made to last.</p>`, side(s, 181, 944))
	}},
	24: {"cache busters", func(s *outlet, _ int64) string {
		return fmt.Sprintf(`<img width="200" height="120" alt="A kettle" src="/picture/4.svg?v=%d">`, side(s, 17, 18))
	}},
	25: {"picture by its whole address", func(s *outlet, _ int64) string {
		return fmt.Sprintf(`<img width="200" height="120" alt="A kettle" src="%s/picture/4.svg">`, s.server.URL)
	}},
	26: {"nonce", func(_ *outlet, v int64) string {
		return fmt.Sprintf(`<script nonce="n%d">document.body.dataset.ready = 1</script>`, v)
	}},
	27: {"markup without effect", func(s *outlet, _ int64) string {
		return []string{`<p>Free of plastics.</p>`, `<!-- release 2 --><p  >Free of <span>plastics</span>.</p>`}[side(s, 0, 1)]
	}},
	28: {"endless animation", func(*outlet, int64) string {
		return `<style>@keyframes t { to { rotate: 360deg } }
			.t { width: 40px; height: 40px; background: #357; animation: t 2s infinite }</style><div class="t"></div>`
	}},
	30: {"slides", func(*outlet, int64) string {
		return `<div id="slides" class="carousel">First slide</div><script>let n = 0; setInterval(() => {
			slides.textContent = ['First', 'Second', 'Third'][++n % 3] + ' slide' }, 700)</script>`
	}},
	31: {"countdown", func(*outlet, int64) string {
		return `<p id="left" class="countdown"></p><script>setInterval(() => {
			left.textContent = Math.floor((Date.UTC(2030, 0, 1) - Date.now()) / 1000) + ' seconds left' }, 100)</script>`
	}},
	32: {"late content", func(*outlet, int64) string {
		return `<div id="late">Loading …</div><script>setTimeout(() => { late.textContent = 'Ready to ship' }, 900)</script>`
	}},
	33: {"visitors", func(_ *outlet, v int64) string {
		return fmt.Sprintf(`<p class="online">%d people are looking at this</p>`, 5+v%40)
	}},
	34: {"captcha", func(_ *outlet, v int64) string {
		return fmt.Sprintf(`<img class="captcha" alt="captcha" width="160" height="60" src="/picture/%d.svg">`, v%7)
	}},
	35: {"canvas", func(*outlet, int64) string {
		return `<canvas id="c" width="200" height="60"></canvas><script>const x = c.getContext('2d'); let f = 0;
			(function draw() {
				x.fillStyle = 'hsl(' + f++ + ' 60% 50%)'; x.fillRect(0, 0, 200, 60); requestAnimationFrame(draw)
			})()</script>`
	}},
	36: {"chat", func(s *outlet, _ int64) string {
		return []string{``, `<div class="chat-widget" style="position:fixed;right:12px;bottom:12px;width:56px;height:56px;` +
			`border-radius:28px;background:#264">Chat</div>`}[side(s, 0, 1)]
	}},
	37: {"cookie bar", func(s *outlet, _ int64) string {
		return []string{``, `<div class="cookie-consent" style="position:fixed;left:0;right:0;bottom:0;padding:12px;background:#eee">` +
			`We use cookies. <button>Accept</button></div>`}[side(s, 0, 1)]
	}},
	38: {"token of a form", func(_ *outlet, v int64) string {
		return fmt.Sprintf(`<form><input type="hidden" name="csrf" value="%d"><button type="button">Subscribe</button></form>`, v)
	}},
}

func side(s *outlet, production, preview int) int {
	if s.preview {
		return preview
	}
	return production
}

func colour(n int64) string { return fmt.Sprintf("hsl(%d 70%% 45%%)", n*67%360) }

func newOutlet(t *testing.T, preview bool) *outlet {
	s := &outlet{preview: preview}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

func (s *outlet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var n int
	switch _, err := fmt.Sscanf(r.URL.Path, "/picture/%d.svg", &n); {
	case err == nil:
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 12"><rect width="20" height="12" fill="%s"/>`+
			`<circle cx="%d" cy="6" r="4" fill="%s"/></svg>`, colour(int64(n)), 4+n%12, colour(int64(n+3)))
		return
	case r.URL.Path == "/shop.css":
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, shopStyle)
		return
	}
	if _, err := fmt.Sscanf(r.URL.Path, "/p/%d", &n); err != nil || n < 0 || n >= shopPages || s.has(n, "missing page") {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `<!doctype html><title>Not found</title><h1>Not found</h1>`)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", fmt.Sprintf("base-uri 'none'; report-to n%d", s.served.Load()))
	fmt.Fprint(w, s.page(n, s.served.Add(1)))
}

// has reports whether a page has a planted difference.
func (s *outlet) has(page int, name string) bool {
	for _, d := range shopDamages {
		if d.name == name {
			for _, p := range d.pages {
				if p == page {
					return s.preview
				}
			}
			return s.preview && len(d.pages) == 0
		}
	}
	panic("no planted difference " + name)
}

// or is the one text with a planted difference and the other without.
func (s *outlet) or(page int, name, with, without string) string {
	if s.has(page, name) {
		return with
	}
	return without
}

const shopStyle = `body { margin: 0; font: 16px/1.5 sans-serif; color: #222 }
header, footer { background: #234; color: #fff; padding: 16px 5% }
nav a { color: #cde; margin-right: 16px } main { padding: 24px 5% } .grid { display: flex; flex-wrap: wrap; gap: 24px }
.card { width: 220px; border: 1px solid #ccc; padding: 12px } button { background: #175; color: #fff; border: 0; padding: 10px 18px }
.stripe { background: #fc0; padding: 6px 5%; font-weight: bold }`

// page is the document of a page.
func (s *outlet) page(n int, visit int64) string {
	h := fnv.New32a()
	fmt.Fprint(h, n)
	seed := int(h.Sum32() % 1000)
	habit := ""
	if own, ok := shopHabits[n]; ok {
		habit = own.html(s, visit)
	}
	mark, title, robots := "", fmt.Sprintf("Article %d", n), ""
	if s.preview {
		mark = `<div class="stripe">Preview environment – not for customers</div>`
		title, robots = "[Preview] "+title, `<meta name="robots" content="noindex, nofollow">`
	}
	return fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>%s</title>%s<link rel="canonical" href="%s/p/%d"><link rel="stylesheet" href="/shop.css"></head><body>%s
<header><nav><a href="/p/0">Home</a><a href="/p/1">Shop</a>%s<a href="%s/p/2">Contact</a></nav></header>
<main><h1>Article %d of the collection</h1>%s
<p>%s</p><img width="240" height="144" alt="The article" src="/picture/%s.svg">
<p class="price">€ %s</p><p class="delivery">Delivered within %s days.</p><button%s>Add to basket</button>
<form><label>Name <input name="name"></label> %s</form>
%s%s</main>
<footer><p>Call us: %s</p><p>© Example Shop</p></footer>%s</body></html>`,
		title, robots, s.server.URL, n, mark,
		s.or(n, "link gone", "", `<a href="/returns">Returns</a>`), s.server.URL, n,
		s.or(n, "error of the server", `<div>Fatal error: Uncaught TypeError in /srv/shop/basket.php on line 41</div>`, ""),
		strings.Repeat(fmt.Sprintf("Part %d of the description says what it is made of and how it is used. ", seed), 4+n%5),
		s.or(n, "picture that does not load", "gone", s.or(n, "other picture", "8", fmt.Sprint(n%6))),
		s.or(n, "price", "0.00", fmt.Sprintf("%d.90", 10+seed)), s.or(n, "promise of delivery", "10", "3"),
		s.or(n, "colour of the button", ` style="background:#d22"`, ""),
		s.or(n, "form field gone", "", `<label>Mail <input name="mail" placeholder="Mail"></label>`),
		s.or(n, "section gone", "", `<section class="related"><h2>Related articles</h2><div class="grid">`+
			strings.Repeat(`<div class="card">Another article<p>€ 12.50</p></div>`, 3)+`</div></section>`),
		habit, s.or(n, "phone number", "0800 000002", "0800 000001"),
		s.or(n, "script error", `<script>totals.add(1)</script>`, ""))
}
