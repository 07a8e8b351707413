package causes

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"afterimage/capture"
)

// look is the style of the pages of a site, with a layout of its own on narrow screens.
const look = `body{margin:0;font:17px/1.6 sans-serif}header,main,footer{padding:30px 60px}.wide{display:flex;gap:30px}
a{color:#1f5f7a}.note{background:#eef;padding:12px}aside{width:300px}section{min-height:200px}
@media(max-width:700px){.wide{display:block}header,main,footer{padding:12px}aside{width:auto}}`

// ends are the same on every page of a site; where they are in it differs.
const (
	top = `<header><a href="#a">Tours</a> <a href="#b">Prices</a></header>`
	end = `<footer><h3>Call us</h3><p>01 23 45</p><p>Ferries across the bay since 1911, in all weathers but fog and ice.</p>
<label><input type="checkbox"> Send me news</label></footer>`
)

// article is a page without links or notes, board one with several of them and deeper.
var (
	article = sheet("Article", look, top+`<main><h1>The ketch</h1><p>`+prose+prose+`</p><div><section><h2>Rigging</h2><p>`+prose+
		`</p></section><section><h2>Keel</h2><p>`+prose+`</p></section></div></main>`+end)
	board = sheet("Board", look, `<div id="page">`+top+`<div class="wide"><main><h1>Board</h1><p class="note">Bring <a href="#c">boots</a>
and a <a href="#d">coat</a>.</p><p class="note">Dogs are welcome on <a href="#e">all boats</a>.</p><div class="parts">
<section><h2>Rigging</h2><p>`+prose+`</p></section><section><h2>Keel</h2><p>`+prose+`</p></section></div></main>
<aside><p class="note">No ferry at night.</p></aside></div>`+end+`</div>`)
)

// siteEdits change both pages alike.
var siteEdits = strings.NewReplacer(
	"a{color:#1f5f7a}", "a{color:#8a1f5a}", "01 23 45", "01 23 99",
	"in all weathers but fog and ice", "in all weathers but fog, storm and ice",
	`type="checkbox"`, `type="checkbox" checked`,
	`<header>`,
	`<div style="background:#7a1f3d;color:#fff;padding:13px">The pier is closed on Friday, please use the slipway.</div><header>`,
	`<section><h2>Rigging</h2><p>`+prose+`</p></section><section><h2>Keel</h2><p>`+prose+`</p></section>`,
	`<section><h2>Keel</h2><p>`+prose+`</p></section><section><h2>Rigging</h2><p>`+prose+`</p></section>`,
)

// apart are pages of which the same could be said, although it is not the same change.
var apart = map[string][2]string{
	"/adults":   {sheet("A", look, `<h2>Adults</h2><p>10.00</p>`), sheet("A", look, `<h2>Adults</h2><p>12.00</p>`)},
	"/children": {sheet("C", look, `<h2>Children</h2><p>10.00</p>`), sheet("C", look, `<h2>Children</h2><p>12.00</p>`)},
	"/faded buy": {sheet("B", look, `<p>`+prose+`</p><button>Buy</button>`),
		sheet("B", look+`button{opacity:.2}`, `<p>`+prose+`</p><button>Buy</button>`)},
	"/faded ask": {sheet("Q", look, `<p>`+prose+`</p><button>Ask</button>`),
		sheet("Q", look+`button{opacity:.2}`, `<p>`+prose+`</p><button>Ask</button>`)},
	"/news": {sheet("N", look, `<main><p>`+prose+`</p></main>`),
		sheet("N", look, `<main><p>`+prose+`</p><section><h2>News of the bay</h2><p>`+prose+`All went well.</p></section></main>`)},
	"/bad news": {sheet("N", look, `<main><p>`+prose+`</p></main>`),
		sheet("N", look, `<main><p>`+prose+`</p><section><h2>News of the bay</h2><p>`+prose+`The ketch sank.</p></section></main>`)},
}

// TestOneEditOfASiteIsTheSameEverywhere: what was changed on all pages of a site is the same change on pages that have other parts, on wide
// and narrow screens; what only sounds alike is not.
func TestOneEditOfASiteIsTheSameEverywhere(t *testing.T) {
	before := map[string]string{"/article": article, "/board": board}
	after := map[string]string{"/article": siteEdits.Replace(article), "/board": siteEdits.Replace(board)}
	for path, states := range apart {
		path = pathOf(path[1:])
		before[path], after[path] = states[0], states[1]
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
	told := map[string][]string{} // by what is the same everywhere
	pages := map[string]int{}
	for _, path := range slices.Sorted(maps.Keys(before)) {
		for _, device := range []capture.Device{capture.Desktop, capture.Mobile} {
			j, err := studio.Judge(t.Context(), path, device)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range j.Entries() {
				if f.Same == "" {
					t.Errorf("%s on %s: nothing tells where else it is: %s", path, device, f.Description)
				}
				told[f.Same] = append(told[f.Same], path+" on "+string(device)+": "+f.Description)
				pages[path]++
			}
		}
	}
	const edits, views = 6, 4
	onSite, others := 0, 0
	for same, list := range told {
		switch {
		case strings.HasPrefix(list[0], "/article") || strings.HasPrefix(list[0], "/board"):
			onSite++
			if len(list) != views {
				t.Errorf("one edit of all pages is told of %d of %d views (%q):\n  %s", len(list), views, same, strings.Join(list, "\n  "))
			}
		default:
			others++
			if len(list) != 2 {
				t.Errorf("one edit of one page on two devices is told %d times:\n  %s", len(list), strings.Join(list, "\n  "))
			}
		}
	}
	if onSite != edits || others != len(apart) {
		t.Errorf("%d changes of the site, want %d; %d others, want %d", onSite, edits, others, len(apart))
	}
}
