package chrome

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// TestWhatSlidesShowOutOfSightIsTold: of a slide that no picture shows, its files, looks and layout are compared, wherever the files are.
func TestWhatSlidesShowOutOfSightIsTold(t *testing.T) {
	files := map[string]string{}
	for name, c := range map[string]struct {
		colour color.Color
		width  int
	}{"a/cup.png": {red, 300}, "b/cup.png": {red, 300}, "c/cup.png": {green, 300}, "d/cup.png": {red, 310}} {
		files[name] = site.handle(t, name, serve("image/png", flat(t, c.width, c.colour)))
	}
	elsewhere := strings.Replace(files["c/cup.png"], "127.0.0.1", "localhost", 1)
	slides := func(t *testing.T, styles, picture, text string) *capture.Shot {
		t.Helper()
		return take(t, capture.Request{URL: site.page(t, fmt.Sprintf(`<style>.strip{overflow:hidden;width:600px}.track{display:flex}
			.track>div{flex:0 0 600px;height:200px}h3{margin:0 0 20px}%s</style><div class="strip"><div class="track"><div>One</div>
			<div><h3>Cups</h3><img loading="lazy" src="%s" alt="A cup"><p class="offer">%s</p></div></div></div>`, styles, picture, text))})
	}
	plain := slides(t, "", files["a/cup.png"], "Two for one")
	if m := plain.Manifest.Missing; len(m) != 1 || m[0].Holds == "" {
		t.Fatalf("the slides were not read: %+v", m)
	}
	const (
		unlike  = "Out of sight, div.strip looks different or is in another order."
		another = "Out of sight, div.strip shows another picture called cup.png."
	)
	for name, c := range map[string]struct{ styles, picture, text, want string }{
		"the same file elsewhere": {"", files["b/cup.png"], "Two for one", ""},
		"another file":            {"", files["c/cup.png"], "Two for one", another},
		"of another site":         {"", elsewhere, "Two for one", another},
		"another size":            {"", files["d/cup.png"], "Two for one", another},
		"no file": {"", files["a/cup.png"] + "missing", "Two for one",
			"Out of sight, div.strip has the picture cup.pngmissing instead of the picture cup.png."},
		"another text": {"", files["a/cup.png"], "Two for three",
			"Out of sight, div.strip has “Two for three” instead of “Two for one”."},
		"another font":       {".offer{font-style:italic}", files["a/cup.png"], "Two for one", unlike},
		"less room":          {".offer{margin-top:60px}", files["a/cup.png"], "Two for one", unlike},
		"a smaller picture":  {"img{width:200px}", files["a/cup.png"], "Two for one", unlike},
		"a border":           {".track>:last-child{border-left:4px solid #080}", files["a/cup.png"], "Two for one", unlike},
		"a badge by a style": {".offer::after{content:'Sold out'}", files["a/cup.png"], "Two for one", unlike},
		"a background":       {".track>:last-child{background:url(" + files["c/cup.png"] + ")}", files["a/cup.png"], "Two for one", unlike},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shot := slides(t, c.styles, c.picture, c.text)
			if !bytes.Equal(shot.PNG, plain.PNG) {
				t.Fatal("it is in the picture")
			}
			if unseen := page.WhatNoneShows(plain.Manifest.Missing, shot.Manifest.Missing); unseen != "" {
				t.Errorf("not read: %s", unseen)
			}
			told := ""
			for _, change := range page.Compare(&plain.Visit, &shot.Visit) {
				if change.Kind == page.ChangedOutOfSight {
					told = change.Sentence
				}
			}
			if told != c.want {
				t.Errorf("it is told that %q, want %q", told, c.want)
			}
		})
	}
}

// flat is a picture of one colour, 120 pixels high.
func flat(t *testing.T, width int, c color.Color) string {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, width, 120), color.Palette{c})
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// TestWhatControlsAndHiddenSlidesHoldIsTold: the end of a value that is longer than its field, the entries of a closed list, and slides of
// which only one is there at a time are compared, though no picture shows them. Passwords are not.
func TestWhatControlsAndHiddenSlidesHoldIsTold(t *testing.T) {
	picture := site.handle(t, "cup.png", serve("image/png", flat(t, 300, red)))
	const end = "which runs on beyond the field to the price of € "
	for name, c := range map[string]struct{ html, old, new, want string }{
		"a long value": {`<input id="offer" size="20" value="A long offer ` + end + `9">`, "€ 9", "€ 8",
			"Out of sight, #offer has “A long offer " + end + "8” instead of “A long offer " + end + "9”."},
		"a password":    {`<input type="password" value="0123456789012345678901234567890123456789">`, "89\"", "80\"", ""},
		"a short value": {`<input value="9"><input type="hidden" value="` + end + `9">`, "€ 9", "€ 8", ""},
		"an entry of a list": {`<select id="size"><option>Small<option>Large € 9</select>`, "€ 9", "€ 8",
			"Out of sight, #size has “Large € 8” instead of “Large € 9”."},
		"a group of a list": {`<select id="size"><optgroup label="Pots"><option>Small<option>Large</optgroup></select>`, "Pots", "Cups",
			"Out of sight, #size has “Cups:” instead of “Pots:”."},
		"an entry that is sold out": {`<select id="size"><option>Small<option>Large</select>`, "<option>Large", "<option disabled>Large",
			"Out of sight, #size has “Large (disabled)” instead of “Large”."},
		"slides of keys": {`<style>section{height:400px}section:not(.now){display:none}</style><main class="deck">
			<section class="now"><h2>One</h2></section><section><h2>Two</h2><p>€ 9</p></section><section><h2>Three</h2></section></main>`,
			"€ 9", "€ 8", "Out of sight, main.deck has “€ 8” instead of “€ 9”."},
		"a carousel that fades": {`<style>.carousel{position:relative;height:200px}.item{position:absolute;inset:0;opacity:0}
			.item.active{opacity:1}</style><div class="carousel"><div class="item active">One</div><div class="item"><img src="` + picture +
			`" alt=""><b>Tea</b></div></div>`, "<b>", "<b style='color:#080'>",
			"Out of sight, div.carousel looks different or is in another order."},
		"views": {`<style>.view{display:none;height:500px}.view:first-child{display:block}</style><div id="app"><div class="view">One</div>
			<div class="view">Two € 9</div><div class="view">Three</div></div>`, "€ 9", "€ 8",
			"Out of sight, #app has “Two € 8” instead of “Two € 9”."},
		"a dialog": {`<div id="app" style="height:500px">Tea</div><div hidden>Now € 9</div><div hidden>No cookies</div>`, "€ 9", "€ 8", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := takeEdited(t, c.html, c.old, c.new, nil)
			if unseen := page.WhatNoneShows(before.Manifest.Missing, after.Manifest.Missing); unseen != "" {
				t.Errorf("not read: %s", unseen)
			}
			if told := sentences(before, after); told != c.want {
				t.Errorf("it is told that %q, want %q", told, c.want)
			}
		})
	}
}

// takeEdited takes a page before and after an edit that no picture shows.
func takeEdited(t *testing.T, html, old, edited string, hide []string) (before, after *capture.Shot) {
	t.Helper()
	before = take(t, capture.Request{URL: site.page(t, html), Hide: hide})
	after = take(t, capture.Request{URL: site.page(t, strings.Replace(html, old, edited, 1)), Hide: hide})
	if !bytes.Equal(before.PNG, after.PNG) {
		t.Fatal("it is in the picture")
	}
	return before, after
}

// sentences is what is told of two visits.
func sentences(before, after *capture.Shot) (told string) {
	for _, change := range page.Compare(&before.Visit, &after.Visit) {
		told += change.Sentence
	}
	return told
}

// TestWhatOnlyAClickShowsIsCompared: answers, tabs and parts that a button opens are compared by their words, and make no page
// incomplete. What is to be ignored is not.
func TestWhatOnlyAClickShowsIsCompared(t *testing.T) {
	const question = `<h1>Questions</h1><details><summary>Price?</summary><p>It is € 9.</p></details><details open><summary>Size?</summary>
		<p>Small</p></details>`
	const tabs = `<div role="tablist"><button role="tab" aria-controls="p1" aria-selected="true">One</button>
		<button role="tab" aria-controls="p2" aria-selected="false">Two</button></div>
		<div id="panels"><div id="p1" role="tabpanel">Tea</div>
		<div id="p2" role="tabpanel" hidden>Cups <b>€ 9</b><script>let a = '€ 9'</script></div></div>`
	for name, c := range map[string]struct {
		html, old, new, want string
		hide                 []string
	}{
		"an answer": {question, "€ 9", "€ 8", "1 word was added to the page's text and 1 removed.", nil},
		"a tab":     {tabs, "<b>€ 9", "<b>€ 8", "Out of sight, #panels has “€ 8” instead of “€ 9”.", nil},
		"a script":  {tabs, "'€ 9", "'€ 8", "", nil},
		"panes of tabs": {`<style>.tab-pane{display:none}.tab-pane.active{display:block}</style><div id="panes">
			<div class="tab-pane active">A</div><div class="tab-pane">B</div><div class="tab-pane">€ 9</div></div>`, "€ 9", "€ 8",
			"Out of sight, #panes has “€ 8” instead of “€ 9”.", nil},
		"what a button opens": {`<main id="faq"><h3><button aria-expanded="false" aria-controls="a1">Price?</button></h3>
			<div id="a1" hidden><p>€ 9</p></div></main>`, "€ 9", "€ 8", "Out of sight, #faq has “€ 8” instead of “€ 9”.", nil},
		"large panes": {`<style>.tab-pane{display:none;height:500px}.tab-pane.active{display:block}</style><div id="panes">
			<div class="tab-pane active">A</div><div class="tab-pane">B</div><div class="tab-pane">€ 9</div></div>`, "€ 9", "€ 8",
			"Out of sight, #panes has “€ 8” instead of “€ 9”.", nil},
		"a part without height": {`<style>#a{max-height:0;overflow:hidden}</style>
			<button aria-expanded="false" aria-controls="a">Price?</button><div id="a"><p>€ 9</p></div>`, "€ 9", "€ 8",
			"1 word was added to the page's text and 1 removed.", nil},
		"an ignored answer": {question, "€ 9", "€ 8", "", []string{"details p"}},
		"an ignored tab":    {tabs, "<b>€ 9", "<b>€ 8", "", []string{"#p2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := takeEdited(t, c.html, c.old, c.new, c.hide)
			if m := before.Manifest; (m.Complete == nil || !*m.Complete) && name != "large panes" {
				t.Errorf("the page is incomplete: %+v", m.Missing)
			}
			if told := sentences(before, after); told != c.want {
				t.Errorf("it is told that %q, want %q", told, c.want)
			}
		})
	}
}

// TestIconsThatNoFontDrawsAreTold: a page whose icon font did not load has boxes in their place. One of which it did is whole.
func TestIconsThatNoFontDrawsAreTold(t *testing.T) {
	const icon = `<style>@font-face{font-family:Icons;src:%s}i{font-family:Icons}i::before{content:"%s"}</style><p><i></i> Basket</p>`
	missing := site.handle(t, "icons.woff2", func(w http.ResponseWriter, _ *http.Request) { http.NotFound(w, nil) })
	loaded := `local("Liberation Sans")` // which has two icons
	for name, c := range map[string]struct{ html, want string }{
		"a font that failed":    {fmt.Sprintf(icon, `url("`+missing+`")`, `\e001`), "U+E001"},
		"a font that loaded":    {fmt.Sprintf(icon, loaded, `\f001`), ""},
		"no font":               {"<p>\ue001 Basket \U000f0001</p>", "U+E001 U+F0001"},
		"a font of the machine": {"<p style=\"font-family:'Liberation Sans'\">\uf001 Basket</p>", ""},
		"no icon":               {fmt.Sprintf(icon, `url("`+missing+`")`, `+`), ""},
		"hidden":                {"<p hidden>\ue001</p><p>Basket</p>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := ""
			for _, m := range take(t, capture.Request{URL: site.page(t, c.html)}).Manifest.Missing {
				if m.Kind == page.MissingGlyphs {
					told += m.Text
				}
			}
			if told != c.want {
				t.Errorf("it is told that %q are missing, want %q", told, c.want)
			}
		})
	}
}
