package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// watchedSite is a small shop whose pages do as the test's script says.
type watchedSite struct {
	mu     sync.Mutex
	look   int             // of the prices: 0 as ever, others changed
	down   bool            // the prices do not answer
	flicks map[string]bool // devices that see another start page on their next visit, and only then
}

func (s *watchedSite) change(do func(s *watchedSite)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do(s)
}

// flick lets each device see another start page once.
func (s *watchedSite) flick() { s.flicks = map[string]bool{"desktop": true, "mobile": true} }

func (s *watchedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	device := "desktop"
	if strings.Contains(r.UserAgent(), "Mobile") {
		device = "mobile"
	}
	var title, main string
	switch {
	case r.URL.Path == "/" && s.flicks[device]:
		delete(s.flicks, device)
		title, main = "Corner shop", `<p class="notice">We are being updated. Come back in a minute.</p>`
	case r.URL.Path == "/":
		title, main = "Corner shop", `<p>Bread, cheese and olives. Open from nine to five.</p>`
	case r.URL.Path == "/prices" && s.down:
		panic(http.ErrAbortHandler)
	case r.URL.Path == "/prices":
		title, main = "Prices", prices[s.look]
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>%[1]s</title><link rel="icon" href="data:,">`+
		`<meta name="viewport" content="width=device-width">
<style>body{margin:0;font:18px/1.5 sans-serif;color:#223}header{background:#1d4d43;color:#fff;padding:28px 32px}h1{margin:0}
main{padding:24px 32px 300px;max-width:800px}td{padding:10px 32px 10px 0;border-bottom:1px solid #ccd}.notice{background:#fde8c8;`+
		`padding:20px}
.sold{background:#b3261e;color:#fff;padding:2px 10px;border-radius:4px}</style></head>
<body><header><h1>%[1]s</h1></header><main>%[2]s</main></body></html>`, title, main)
}

var prices = []string{
	`<table><tr><td>Sourdough bread</td><td>4.20</td></tr><tr><td>Goat cheese</td><td>7.80</td></tr><tr><td>Olives</td><td>3.50</td></tr>` +
		`</table>`,
	`<p class="notice">Our prices have risen a little.</p><table><tr><td>Sourdough bread</td><td>4.90</td></tr>
<tr><td>Goat cheese</td><td><span class="sold">sold out</span></td></tr><tr><td>Olives</td><td>3.80</td></tr></table>`,
	`<table><tr><td>Sourdough bread</td><td><span class="sold">sold out</span></td></tr><tr><td>Olives</td><td>3.80</td></tr></table>`,
}
