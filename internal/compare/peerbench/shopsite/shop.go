// Package shopsite is a small site and the preview of its next release, on which comparisons are tried: the preview differs in
// planted ways, which have to be found, and both differ in ways that nobody should be told of.
package shopsite

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"sync/atomic"
)

// Pages is how many pages the shop has: /p/0 to /p/59.
const Pages = 60

// Shop serves production, or the preview of its next release.
type Shop struct {
	Preview bool
	// Quiet leaves out what the preview shows on all pages: the ribbon, the mark in the title, and the new phone number.
	Quiet  bool
	served atomic.Int64 // documents so far
}

// view is a shop as somebody sees it who reached it by an origin.
type view struct {
	*Shop
	origin string
}

func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var n int
	switch _, err := fmt.Sscanf(r.URL.Path, "/picture/%d.svg", &n); {
	case err == nil:
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 12"><rect width="20" height="12" fill="%s"/>`+
			`<circle cx="%d" cy="6" r="4" fill="%s"/></svg>`, colour(int64(n)), 4+n%12, colour(int64(n+3)))
		return
	case r.URL.Path == "/shop.css":
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, style)
		return
	}
	if _, err := fmt.Sscanf(r.URL.Path, "/p/%d", &n); err != nil || n < 0 || n >= Pages || s.has(n, "missing page") {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `<!doctype html><title>Not found</title><h1>Not found</h1>`)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", fmt.Sprintf("base-uri 'none'; report-to n%d", s.served.Load()))
	fmt.Fprint(w, view{Shop: s, origin: "http://" + r.Host}.page(n, s.served.Add(1)))
}

const style = `body { margin: 0; font: 16px/1.5 sans-serif; color: #222 }
header, footer { background: #234; color: #fff; padding: 16px 5% }
nav a { color: #cde; margin-right: 16px } main { padding: 24px 5% } .grid { display: flex; flex-wrap: wrap; gap: 24px }
.card { width: 220px; border: 1px solid #ccc; padding: 12px } button { background: #175; color: #fff; border: 0; padding: 10px 18px }
.stripe { background: #fc0; padding: 6px 5%; font-weight: bold }`

// page is the document of a page.
func (s view) page(n int, visit int64) string {
	h := fnv.New32a()
	fmt.Fprint(h, n)
	seed := int(h.Sum32() % 1000)
	habit := ""
	if own, ok := Habits[n]; ok {
		habit = own.html(s, visit)
	}
	mark, title, robots := "", fmt.Sprintf("Article %d", n), ""
	if s.Preview && !s.Quiet {
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
		title, robots, s.origin, n, mark,
		s.or(n, "link gone", "", `<a href="/returns">Returns</a>`), s.origin, n,
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
