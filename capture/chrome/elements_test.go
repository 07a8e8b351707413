package chrome

import (
	"encoding/json"
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

func TestElements(t *testing.T) {
	address := site.page(t, `<!doctype html><html lang=en><head><title>t</title><meta name=Robots content="noindex, nofollow">`+
		`<link rel=canonical href="/home">
		<style>body{margin:0} *{box-sizing:border-box} h1::before{content:"\2192"} h1::after{content:"Part " attr(lang)}</style></head>
		<body>
		<nav id=top style="height:50px"><ul style="margin:0;padding:0;list-style:none"><li style="height:20px">Home</li>`+
		`<li style="height:20px"><a href="/s">Our <b>best</b> services</a></li></ul></nav>
		<h1 lang=en style="height:50px;margin:0">A   heading
			in two lines</h1>
		<img alt="a picture" style="display:block;width:40px;height:40px" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
		<p style="display:none">not there</p><p style="visibility:hidden">hidden</p><div style="opacity:0"><p>clear</p></div>`+
		`<p style="position:absolute;left:-900px;width:10px">away</p>
		<svg width=20 height=20 style="display:block"><rect width=20 height=20 /></svg>
		<input type=checkbox><div role="Tablist presentation">tabs</div>
		<div id=twice>one</div><div id=twice>two</div><div id="b:d">odd</div>
		<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML = '<p id=top>inside</p><section><p>deep</p>`+
		`</section>'</script>`)
	shot := take(t, capture.Request{URL: address})
	if shot.Content.Robots != "noindex, nofollow" || shot.Content.Canonical != "/home" || shot.Content.Language != "en" {
		t.Errorf("robots %q, canonical %q, language %q", shot.Content.Robots, shot.Content.Canonical, shot.Content.Language)
	}
	if want := "Home\nOur\nbest\nservices\nA heading in two lines\ntabs\none\ntwo\nodd\ninside\ndeep"; shot.Content.Text != want {
		t.Errorf("text %q, want %q", shot.Content.Text, want)
	}
	found := make(map[string]page.Element)
	for _, e := range shot.Content.Elements {
		if _, twice := found[e.Selector]; twice {
			t.Errorf("two elements have the selector %q", e.Selector)
		}
		found[e.Selector] = e
	}
	wide := func(y, height int) page.Box { return page.Box{X: 0, Y: y, Width: 1440, Height: height} }
	for selector, want := range map[string]page.Element{
		"#top":                                  {Tag: "nav", Role: "navigation", Box: wide(0, 50)},
		"#top > ul > li:nth-of-type(1)":         {Tag: "li", Role: "listitem", Text: "Home", Box: wide(0, 20)},
		"#top > ul > li:nth-of-type(2) > a":     {Tag: "a", Role: "link", Text: "Our services"},
		"#top > ul > li:nth-of-type(2) > a > b": {Tag: "b", Text: "best"},
		"html > body > h1":                      {Tag: "h1", Role: "heading", Text: "A heading in two lines Part en", Box: wide(50, 50)},
		"html > body > img": {Tag: "img", Role: "img", Text: "a picture",
			Box: page.Box{X: 0, Y: 100, Width: 40, Height: 40}},
		"html > body > svg":                {Tag: "svg", Role: "img"},
		"html > body > input":              {Tag: "input", Role: "checkbox"},
		"html > body > div:nth-of-type(2)": {Tag: "div", Role: "tablist", Text: "tabs"},
		"html > body > div:nth-of-type(4)": {Tag: "div", Text: "two"},
		"html > body > div:nth-of-type(5)": {Tag: "div", Text: "odd"},
		"#host >>> #top":                   {Tag: "p", Role: "paragraph", Text: "inside"},
		"#host >>> section > p":            {Tag: "p", Role: "paragraph", Text: "deep"},
	} {
		got, ok := found[selector]
		if want.Box == (page.Box{}) {
			want.Box = got.Box
		}
		want.Selector = selector
		want.Parent, want.Classes, want.Source, want.Fixed = got.Parent, got.Classes, got.Source, got.Fixed // see below
		want.Color, want.Background, want.Font = got.Color, got.Background, got.Font
		want.Exact, want.Style = got.Exact, got.Style
		if !ok || got != want {
			t.Errorf("%s is %+v, want %+v", selector, got, want)
		}
	}
	for _, e := range shot.Content.Elements {
		if strings.Contains("not there hidden clear away below", e.Text) && e.Text != "" {
			t.Errorf("%+v cannot be seen", e)
		}
	}
	if text, err := json.Marshal(shot.Content.Elements); err != nil || !strings.Contains(string(text),
		`{"box":{"x":0,"y":100,"width":40,"height":40},"selector":"html \u003e body \u003e img"`) {
		t.Errorf("as JSON %s (%v)", text, err)
	}
}

// TestElementsTellHowTheyLook: classes, sources, places in the tree, colours and fonts.
func TestElementsTellHowTheyLook(t *testing.T) {
	shot := take(t, capture.Request{URL: site.page(t, `<!doctype html><body style="margin:0;font:16px monospace"><main id=m>
		<p id=p class=" price   sale" style="color:rgb(1,2,3);background:#ff0000">1</p><i id=i style="background:rgba(0,0,255,.5)">2</i>`+
		`</main>
		<div style="position:fixed;bottom:0"><b id=b>3</b></div><img id=g alt=x src="/missing.png?v=1">`+
		`<img id=d alt=x src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`+
		`<img id=o alt=x src="data:image/gif;base64,R0lGODlhAQABAAAAADs=">`)})
	found := make(map[string]page.Element)
	for _, e := range shot.Content.Elements {
		found[e.Selector] = e
	}
	p := found["#p"]
	if p.Classes != "price sale" || p.Color != "#010203" || p.Background != "#ff0000" || p.Font != "16px monospace" || p.Fixed ||
		shot.Content.Elements[p.Parent].Selector != "#m" || shot.Content.Elements[found["#m"].Parent].Selector != "html > body" {
		t.Errorf("a paragraph is %+v", p)
	}
	if i := found["#i"]; i.Background != "#0000ff80" {
		t.Errorf("a half transparent background is %q", i.Background)
	}
	if !found["#b"].Fixed {
		t.Errorf("what is in a fixed box is %+v", found["#b"])
	}
	if g, d := found["#g"].Source, found["#d"].Source; g != "/missing.png?v=1" ||
		d != "data:image/gif;base64,(20 bytes, checksum ed9a9e2b)" {
		t.Errorf("sources are %q and %q", g, d)
	}
	if d, o := found["#d"].Source, found["#o"].Source; d == o {
		t.Errorf("two pictures of 20 bytes are both %q", o)
	}
}

// TestElementsTellWhatTheyDrawBeyondTheirBox: outlines only where there are any, text that sticks out, the shadow of what stands beside the
// page, and the colours of those sides of a border that are drawn.
func TestElementsTellWhatTheyDrawBeyondTheirBox(t *testing.T) {
	shot := take(t, capture.Request{URL: site.page(t, `<!doctype html>
		<body style="margin:0;font:16px monospace;color:#111;overflow-x:hidden">
		<p id=none>1</p><p id=thick style="outline:3px dashed red">2</p><i id=long style="display:block;width:20px">elephantine</i>
		<b id=beside style="position:fixed;top:0;right:-210px;width:200px;height:90px;box-shadow:0 0 30px 4px black"></b>
		<b id=away style="position:fixed;top:0;right:-210px;width:200px;height:90px;box-shadow:0 0 2px rgb(90,90,90)"></b>
		<u id=bottom style="display:block;border:2px solid #111;border-width:0 0 2px;border-bottom-color:rgba(0, 0, 255, .5)">3</u>
		<u id=mixed style="display:block;border:2px solid #00ff00;border-left-color:#ff0000">4</u>`)})
	found := make(map[string]*page.Element)
	for i := range shot.Content.Elements {
		found[shot.Content.Elements[i].Selector] = &shot.Content.Elements[i]
	}
	style := func(id string) page.Style { return found[id].StyleIn(shot.Content.Styles) }
	if width := style("#none")["outline-width"]; width != "" {
		t.Errorf("an element without an outline has one of %s", width)
	}
	if s := style("#thick"); s["outline-width"] != "3px" || s["outline-style"] != "dashed" || s["outline-color"] != "#ff0000" {
		t.Errorf("an outline is %v", s)
	}
	if e := found["#long"]; e.Letters.Width < 60 || e.Letters.X != e.Box.X || found["#none"].Letters != (page.Box{}) {
		t.Errorf("a long word in a narrow box is at %+v, a short one at %+v", e.Letters, found["#none"].Letters)
	}
	if e := found["#beside"]; e == nil || e.Box.Width < 20 || e.Place().X < float64(shot.Width) || found["#away"] != nil {
		t.Errorf("what casts a shadow onto the page is %+v, what casts none so far %+v", e, found["#away"])
	}
	if one, two := style("#bottom")["border-color"], style("#mixed")["border-color"]; one != "#0000ff80" || two != "#00ff00 #ff0000" {
		t.Errorf("the colours of borders are %q and %q", one, two)
	}
}
