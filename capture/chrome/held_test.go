package chrome

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
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
