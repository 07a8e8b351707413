package devtools

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
)

// Page is a page that is open in a browser, as it was when it had been loaded.
type Page struct {
	browser *Browser
	target  string
	session string
	content struct {
		Elements   []Element  `json:"elements"`
		Styles     [][]string `json:"styles"`
		Everything string     `json:"everything"` // all text, also what cannot be seen now
	}
}

// Element is what the browser says of an element.
type Element struct {
	Parent      int        `json:"parent"` // the nearest one around it that can be seen, -1 for none
	Tag         string     `json:"tag"`
	ID          string     `json:"id"`
	Classes     string     `json:"classes"`
	Text        string     `json:"text"` // its own
	All         string     `json:"all"`  // with that of what is in it
	Value       string     `json:"value"`
	Placeholder string     `json:"placeholder"`
	Checked     bool       `json:"checked"`
	Disabled    bool       `json:"disabled"`
	Alternative string     `json:"alternative"`
	Source      string     `json:"source"`
	Box         [4]float64 `json:"box"` // x, y, width, height
	Style       int        `json:"style"`
	Before      int        `json:"before"` // style of its generated content, -1 for none
	After       int        `json:"after"`
}

// properties are the computed styles by which something may look different.
var properties = []string{
	"color", "background-color", "background-image", "background-size", "background-position", "background-repeat",
	"font-family", "font-size", "font-weight", "font-style", "line-height", "letter-spacing", "word-spacing",
	"text-transform", "text-decoration-line", "text-decoration-color", "text-decoration-thickness", "text-underline-offset",
	"text-align", "text-indent", "text-shadow", "white-space", "vertical-align", "direction", "writing-mode",
	"border-top-width", "border-right-width", "border-bottom-width", "border-left-width",
	"border-top-style", "border-right-style", "border-bottom-style", "border-left-style",
	"border-top-color", "border-right-color", "border-bottom-color", "border-left-color", "border-radius",
	"outline-width", "outline-style", "outline-color", "box-shadow", "opacity", "filter", "backdrop-filter", "mix-blend-mode",
	"clip-path", "mask-image", "transform", "translate", "rotate", "scale", "visibility", "display", "float", "position",
	"padding", "margin", "gap", "flex-direction", "flex-wrap", "justify-content", "align-items", "align-self", "order",
	"grid-template-columns", "object-fit", "object-position", "list-style-type", "list-style-image", "fill", "stroke", "stroke-width",
	"appearance", "accent-color", "text-overflow", "overflow", "column-count", "z-index", "border-collapse", "border-spacing",
	"-webkit-text-fill-color", "-webkit-text-stroke-width", "hyphens", "max-width", "inset",
}

// inherited are those that elements take over from what is around them.
var inherited = map[string]bool{"color": true, "font-family": true, "font-size": true, "font-weight": true, "font-style": true,
	"line-height": true, "letter-spacing": true, "word-spacing": true, "text-transform": true, "text-align": true, "text-indent": true,
	"text-shadow": true, "white-space": true, "direction": true, "writing-mode": true, "visibility": true, "list-style-type": true,
	"list-style-image": true, "fill": true, "stroke": true, "stroke-width": true, "border-collapse": true, "border-spacing": true,
	"-webkit-text-fill-color": true, "-webkit-text-stroke-width": true, "hyphens": true, "accent-color": true,
	"text-underline-offset": true}

var places = func() map[string]int {
	at := make(map[string]int, len(properties))
	for i, name := range properties {
		at[name] = i
	}
	return at
}()

// Close closes the tab.
func (p *Page) Close(ctx context.Context) error {
	return p.browser.call(ctx, "", "Target.closeTarget", map[string]any{"targetId": p.target}, nil)
}

// style is a computed style of an element.
func (p *Page) style(i int, property string) string {
	at, known := places[property]
	if !known {
		return ""
	}
	return p.content.Styles[p.content.Elements[i].Style][at]
}

// find is the place of the element that a selector names, -1 for none that can be seen.
func (p *Page) find(ctx context.Context, selector string) int {
	quoted, err := json.Marshal(selector)
	at := -1
	if err != nil || p.evaluate(ctx, "placeOf("+string(quoted)+")", &at) != nil {
		return -1
	}
	return at
}

// picture is what a part of the page looks like.
func (p *Page) picture(ctx context.Context, box [4]float64) (image.Image, error) {
	var shot struct {
		Data []byte `json:"data"`
	}
	clip := map[string]any{"x": box[0], "y": box[1], "width": box[2], "height": box[3], "scale": 1}
	err := p.browser.call(ctx, p.session, "Page.captureScreenshot", map[string]any{"clip": clip, "captureBeyondViewport": true}, &shot)
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(shot.Data))
}
