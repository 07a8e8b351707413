package causes

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"afterimage/capture"
)

// drawing is a picture of so many strokes.
func drawing(strokes int) string {
	var b strings.Builder
	b.WriteString(`<svg width="800" height="500" viewBox="0 0 800 500">`)
	for i := range strokes {
		fmt.Fprintf(&b, `<path d="M%d %dl9 4" stroke="#357"/>`, i*37%790, i/16*2)
	}
	return b.String() + `</svg>`
}

// boats is a list of so many equal entries.
func boats(n int) string { return `<ul>` + strings.Repeat(`<li>A boat</li>`, n) + `</ul>` }

// tiles are cards in a grid, with class names that a build makes.
func tiles(build string) string {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, `<article class="card_%s"><h3 class="title_%s">Boat %d</h3><p>Sails at %d.</p></article>`, build, build, i*i, i+7)
	}
	return `<main class="grid_` + build + `">` + b.String() + `</main>`
}

// tileLook is the style of tiles in columns.
func tileLook(build string, columns int) string {
	return fmt.Sprintf(`body{margin:0;font:16px/1.5 sans-serif}.grid_%[1]s{display:grid;grid-template-columns:repeat(%[2]d,1fr);gap:16px;
padding:20px}.card_%[1]s{background:#eef2ee;padding:14px}.title_%[1]s{margin:0}`, build, columns)
}

// framed is a page with another one in a frame.
func framed(text string) string {
	return sheet("Frame", `body{margin:20px;font:16px sans-serif}iframe{width:600px;height:200px;border:1px solid #aab}
@media(max-width:700px){iframe{width:320px}}`, `<p>`+prose+`</p><iframe title="Timetable" srcdoc="<p style='font:18px sans-serif'>`+
		text+`</p>"></iframe><p>`+prose+`</p>`)
}

// inShadow is a page with a part in a shadow tree.
func inShadow(text, colour string) string {
	return sheet("Shadow", `body{margin:20px;font:16px sans-serif}`, `<p>`+prose+`</p><boat-card><template shadowrootmode="open">
<style>section{background:`+colour+`;padding:20px}h2{margin:0}</style><section><h2>`+text+`</h2><slot></slot></section></template>
<p>Ready to sail.</p></boat-card><p>`+prose+`</p>`)
}

// flow is a page of paragraphs in columns, lines from top to bottom, or turned.
func flow(css, more string) string {
	return sheet("Flow", `body{margin:20px;font:16px/1.5 sans-serif}`+css, `<main>`+strings.Repeat(`<p>`+prose+`</p>`, 4)+`<p>The quay.`+
		more+`</p>`+strings.Repeat(`<p>`+prose+`</p>`, 5)+`</main><p>After all.</p>`)
}

// old and anew are the same content in two designs.
const bones = `<header><h1>Ferry</h1><nav><a href="#a">Tours</a> <a href="#b">Prices</a></nav></header><main><h2>Tours</h2><p>` + prose +
	`</p><ul><li>Seals</li><li>Wrecks</li><li>Birds</li></ul><button>Book</button></main><footer>Since 1911</footer>`

// unusual are pages of kinds that explanations get lost in, each with one edit.
var unusual = []Case{
	{Name: "a word in columns", Before: flow("main{columns:3}", ""), After: flow("main{columns:3}", " It is closed."), Most: 1,
		Words: []string{"It is closed."}},
	{Name: "a paragraph more in columns", Before: flow("main{columns:3}", ""),
		After: flow("main{columns:3}", "</p><p>It is closed from the first of May until the pier is mended."), Most: 1,
		Words: []string{"It is closed"}},
	{Name: "a sentence in vertical lines", Before: flow("main{writing-mode:vertical-rl;height:400px}", ""),
		After: flow("main{writing-mode:vertical-rl;height:400px}", " "+prose+prose+prose), Most: 1, Words: []string{"The quay."}},
	{Name: "a sentence in what is turned", Before: flow("main{transform:rotate(3deg);transform-origin:0 0}", ""),
		After: flow("main{transform:rotate(3deg);transform-origin:0 0}", " "+prose+prose+prose), Most: 1, Words: []string{"The quay."}},
	{Name: "a sentence in what is made larger", Before: flow("main{transform:scale(1.2);transform-origin:0 0}body{overflow-x:hidden}", ""),
		After: flow("main{transform:scale(1.2);transform-origin:0 0}body{overflow-x:hidden}", " "+prose+prose+prose), Most: 1,
		Words: []string{"The quay."}},
	{Name: "a sentence in what is zoomed", Before: flow("main{zoom:1.25}", ""),
		After: flow("main{zoom:1.25}", " "+prose+prose+prose), Most: 1, Words: []string{"The quay."}},
	{Name: "another zoom", Before: flow("main{zoom:1}", ""), After: flow("main{zoom:1.1}", ""), Most: 2},
	{Name: "another turn", Before: flow("main{transform:rotate(0deg)}", ""), After: flow("main{transform:rotate(2deg)}", ""), Most: 1,
		Words: []string{"transformation"}},
	{Name: "a word in a shadow tree", Before: inShadow("The sloop", "#eef2ee"), After: inShadow("The ketch", "#eef2ee"), Most: 1,
		Words: []string{"The sloop", "The ketch"}},
	{Name: "a colour in a shadow tree", Before: inShadow("The sloop", "#eef2ee"), After: inShadow("The sloop", "#ffcc99"), Most: 1,
		Words: []string{"background #eef2ee → #ffcc99"}},
	{Name: "a word in a frame", Before: framed("Ferries at 8 and 10."), After: framed("Ferries at 9 and 11."), Most: 1},
	{Name: "strokes of a drawing", Before: sheet("Drawing", `body{margin:0}`, drawing(4000)),
		After: sheet("Drawing", `body{margin:0}`, drawing(3900)), Most: 1},
	{Name: "a strip above a drawing", Before: sheet("Drawing", `body{margin:0}`, drawing(4000)),
		After: sheet("Drawing", `body{margin:0}`, `<div style="background:#7a1f3d;color:#fff;padding:13px">No ferry.</div>`+
			drawing(4000)), Most: 1, Words: []string{"No ferry."}},
	{Name: "an entry more of many equal ones", Before: sheet("Boats", `body{margin:0}li{font:8px/9px sans-serif}`, boats(1200)),
		After: sheet("Boats", `body{margin:0}li{font:8px/9px sans-serif}`, boats(1201)), Most: 1, Words: []string{"new"}},
	{Name: "two columns instead of three", Before: sheet("Tiles", tileLook("a1", 3), tiles("a1")),
		After: sheet("Tiles", tileLook("a1", 2), tiles("a1")), Most: 1, Words: []string{"columns 3 → 2"}},
	{Name: "class names of another build", Before: sheet("Tiles", tileLook("a1", 3), tiles("a1")),
		After: sheet("Tiles", tileLook("b2", 3), tiles("b2")), Most: 0},
	{Name: "a word and class names of another build", Before: sheet("Tiles", tileLook("a1", 3), tiles("a1")),
		After: strings.Replace(sheet("Tiles", tileLook("b2", 3), tiles("b2")), "Sails at 11.", "Sunk.", 1), Most: 1,
		Words: []string{"Sails at 11.", "Sunk."}},
	{Name: "a redesign", Before: sheet("Ferry", `body{margin:0;font:16px/1.5 serif;background:#fff}header{background:#eef;padding:20px}
a{color:#339}main{padding:20px}footer{background:#eee;padding:20px}`, bones),
		After: sheet("Ferry", `body{margin:0;font:18px/1.7 sans-serif;background:#102030;color:#eee}
header{display:flex;gap:40px;padding:50px}h1{font-size:40px;color:#fc6}nav a{color:#8cf;text-decoration:none;padding:10px}
main{display:grid;grid-template-columns:1fr 2fr;padding:50px}
ul{list-style:none;display:flex;gap:20px}button{background:#fc6;border:0;border-radius:20px;padding:12px 30px}
footer{border-top:1px solid #456;padding:50px}`, bones), Most: 14},
}

// TestUnusualPagesAreToldInAFewEntries: what is drawn turned, in columns or from top to bottom, in trees of its own, or many times, is told
// as on other pages. All are seen on both screens with AFTERIMAGE_SOAK=1, and otherwise every fourth on a wide one.
func TestUnusualPagesAreToldInAFewEntries(t *testing.T) {
	before, after := make(map[string]string), make(map[string]string)
	for _, c := range unusual {
		before[pathOf(c.Name)], after[pathOf(c.Name)] = c.Before, c.After
	}
	studio, err := Open(t.Context(), 2, Pages(before), Pages(after))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := studio.Close(); err != nil {
			t.Error(err)
		}
	}()
	devices := []capture.Device{capture.Desktop, capture.Mobile}
	soak := os.Getenv("AFTERIMAGE_SOAK") != ""
	if !soak {
		devices = devices[:1]
	}
	for i, c := range unusual {
		if c.Not = append(c.Not, falsehoods...); !soak && i%4 != 0 {
			continue
		}
		for _, device := range devices {
			j, err := studio.Judge(t.Context(), pathOf(c.Name), device)
			if err != nil {
				t.Fatal(err)
			}
			if problem := c.problem(j); problem != "" {
				t.Errorf("%s on %s: %s (%d pixels differ):\n  %s", c.Name, device, problem, j.Changed, j.Told())
			}
		}
	}
}
