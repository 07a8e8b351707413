package dom

import (
	"testing"

	"afterimage/internal/page"
)

// TestStylesOfPlaces: what has another place because something came or went looks as what had that place before, without a change of its
// own. Another style, another class or a place of its own is a change.
func TestStylesOfPlaces(t *testing.T) {
	first := page.Style{"color": "#000000"}
	later := page.Style{"color": "#000000", "padding": "0px 0px 0px 8px", "::before box": "12 × 21"}
	own := page.Style{"color": "#000000", "padding": "0px 0px 0px 4px"} // of its class
	odd, even := page.Style{"background-color": "#ffffff"}, page.Style{"background-color": "#f2f2f2"}
	item := func(text string, style page.Style) node { return node{tag: "li", text: text, style: style} }
	marked := func(text string, style page.Style) node {
		return node{tag: "li", classes: "here", text: text, style: style}
	}
	row := func(text string, style page.Style) node {
		return node{tag: "tr", in: []node{{tag: "th", text: text, style: style}, {tag: "td", text: "at eight o'clock", style: style}}}
	}
	list := func(tag string, in ...node) node { return node{tag: tag, in: in} }
	for name, c := range map[string]struct {
		before, after node
		own           int // elements with a change of style of their own
	}{
		"the first of a path went": {list("ol", item("Home", first), item("Pages", later), item("Tables", later)),
			list("ol", item("Pages", first), item("Tables", later)), 0},
		"the first of a path, with a distance of its own, went": {list("ol", item("Home", own), item("Tables", later)),
			list("ol", item("Tables", first)), 0},
		"one came before the first": {list("ol", item("Pages", first), item("Tables", later)),
			list("ol", item("Home", first), item("Pages", later), item("Tables", later)), 0},
		"a row came into stripes": {list("tbody", row("Monday", odd), row("Tuesday", even), row("Friday", odd)),
			list("tbody", row("Sunday", odd), row("Monday", even), row("Tuesday", odd), row("Friday", even)), 0},
		"a row left stripes": {list("tbody", row("Monday", odd), row("Tuesday", even), row("Friday", odd)),
			list("tbody", row("Tuesday", odd), row("Friday", even)), 0},
		"another colour beside what went": {list("ol", item("Home", first), item("Pages", later), item("Tables", later)),
			list("ol", item("Pages", page.Style{"color": "#cc0000"}), item("Tables", later)), 1},
		"a class beside what went": {list("ol", marked("Home", own), item("Pages", later)), list("ol", marked("Pages", own)), 1},
		"nothing came or went": {list("ol", item("Home", first), item("Pages", later)),
			list("ol", item("Home", later), item("Pages", later)), 1},
		"no place is another": {list("ol", item("Home", first), item("Pages", later), item("Tables", later)),
			list("ol", item("Home", first), item("Pages", first)), 1},
	} {
		expectOwn(t, name, matched(t, c.before, c.after), c.own)
	}
}
