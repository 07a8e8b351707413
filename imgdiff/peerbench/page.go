package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// change says in what a page differs from its plain form.
type change struct {
	words  bool // a few words and numbers are others, of the same length
	images bool // every third picture is another
	shift  bool // text lies a third of a pixel further right
	theme  bool // backgrounds are slightly other colours
	banner bool // a banner of 40 px stands above everything
	reflow bool // paragraphs are slightly wider, so that they break elsewhere
}

// pictures is how many different photographs a page may show.
const pictures = 24

// words make up all text; a run of syllables is enough for glyphs, kerning
// and line breaks.
var words = strings.Fields(`garden season water under light bright stone early winter border path autumn
	shade meadow flower leaf branch root morning evening river open closed guided visit ticket map south north
	greenhouse collection seed grass orchard bench signal spring summer rain cloud hill valley sand clay peat
	moss fern lily iris rose maple birch willow oak pine cedar a of the and in on with for by from to at`)

// writePage returns the page. Equal arguments give equal pages.
func writePage(c change) string {
	w := writer{r: rand.New(rand.NewPCG(3, 1)), change: c} //nolint:gosec // a page that must come out the same each time
	w.printf("<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>Field " +
		"guide</title>\n")
	w.printf("<style>%s</style>\n", style(c))
	if c.banner {
		w.printf("<div class=banner>The lower entrance stays closed until Thursday.</div>\n")
	}
	w.printf("<header><b>Field guide</b><nav>")
	for range 7 {
		w.printf("<a>%s</a>", w.title(1))
	}
	w.printf("</nav></header>\n<div class=hero><img src=0.jpg><div><h1>%s</h1><p>%s</p></div></div>\n<main>\n", w.title(5), w.text(30))
	for section := range 14 {
		w.section(section)
	}
	w.printf("</main><footer>")
	for range 60 {
		w.printf("<p>%s</p>", w.text(40))
	}
	w.printf("</footer></html>\n")
	return w.b.String()
}

// writer writes one page.
type writer struct {
	b      strings.Builder
	r      *rand.Rand
	change change
	images int
	numbs  int
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

// section writes a row of cards, an article or a table.
func (w *writer) section(n int) {
	w.printf("<section><h2>%s</h2>\n", w.title(4))
	switch n % 3 {
	case 0:
		w.printf("<div class=cards>")
		for range 6 {
			w.printf("<article><img src=%s><h3>%s</h3><p>%s</p><small>%s</small></article>\n", w.image(), w.title(3),
				w.text(24), w.number())
		}
		w.printf("</div>")
	case 1:
		w.printf("<div class=wide><img src=%s><div>", w.image())
		for range 4 {
			w.printf("<p>%s</p>", w.text(55))
		}
		w.printf("</div></div>")
	default:
		w.printf("<table>")
		for range 14 {
			w.printf("<tr><td>%s<td>%s<td>%s", w.title(2), w.text(6), w.number())
		}
		w.printf("</table>")
	}
	w.printf("</section>\n")
}

// image is the file of the next picture.
func (w *writer) image() string {
	w.images++
	n := w.images % (pictures / 2)
	if w.change.images && w.images%3 == 0 {
		n += pictures / 2
	}
	return fmt.Sprintf("%d.jpg", n)
}

// number is a price; some are other ones where words changed. The digits are
// of equal width, so nothing moves.
func (w *writer) number() string {
	w.numbs++
	n := 10 + w.r.IntN(89)
	if w.change.words && w.numbs%9 == 0 {
		n = 109 - n
	}
	return fmt.Sprintf("€ %d.%02d", n, w.r.IntN(100))
}

// title is a few words with a capital.
func (w *writer) title(n int) string {
	text := w.text(n)
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".")
}

// text is n words and a full stop.
func (w *writer) text(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = words[w.r.IntN(len(words))]
	}
	return strings.Join(parts, " ") + "."
}

// style is the style sheet.
func style(c change) string {
	page, card, line := "#ffffff", "#f7f7f4", "#dddddd"
	if c.theme {
		page, card, line = "#fbfaf6", "#f2f4f0", "#aeb8c6"
	}
	extra := ""
	if c.shift {
		extra += "h2,h3,p,td,small{transform:translateX(.33px)}"
	}
	if c.reflow {
		extra += "p{letter-spacing:.012em}"
	}
	return `*{box-sizing:border-box}body{margin:0;font:16px/1.5 "Liberation Sans",sans-serif;color:#222;background:` + page + `}
.banner{height:40px;padding:8px 24px;background:#0b5;color:#fff}
header{display:flex;flex-wrap:wrap;gap:24px;padding:16px 24px;border-bottom:1px solid ` + line + `}nav{display:flex;flex-wrap:wrap;` +
		`gap:18px;color:#064}
.hero{position:relative;height:420px;overflow:hidden}.hero img{width:100%;height:100%;object-fit:cover}
.hero div{position:absolute;left:24px;bottom:24px;max-width:640px;color:#fff;text-shadow:0 1px 4px #000}
main{max-width:1200px;margin:auto;padding:0 24px}h2{margin:40px 0 16px;font-size:28px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:24px}
article{background:` + card + `;border:1px solid ` + line + `;border-radius:12px;overflow:hidden;padding-bottom:12px}article ` +
		`img{width:100%;height:200px;object-fit:cover}
article>:not(img){margin:10px 16px}small{color:#777}
.wide{display:flex;flex-wrap:wrap;gap:24px}.wide img{width:480px;max-width:100%;height:340px;object-fit:cover;border-radius:50% 12px}` +
		`.wide div{flex:1 1 320px}
table{width:100%;border-collapse:collapse}td{padding:9px 12px;border-bottom:1px solid ` + line + `}` +
		`tr:nth-child(odd){background:` + card + `}
footer{padding:32px;background:#233;color:#cdd}` + extra
}
