package verify

import (
	"image"
	"testing"

	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
)

// TestNoTextIsQuotedTwice: what names an element is not repeated by what is said of it.
func TestNoTextIsQuotedTwice(t *testing.T) {
	const (
		long  = "All other houses and the whole garden stay open."
		entry = "Under 16 free. On the first Monday of the month free for everybody."
		now   = "Under 16 free. After five o'clock everybody pays half of what they would otherwise."
	)
	at := func(tag, role, text string, parent int) page.Element {
		return page.Element{Box: page.BoxOf(image.Rect(0, 0, 100, 20)), Tag: tag, Role: role, Selector: tag, Text: text, Parent: parent}
	}
	steps := dom.NewSteps(t.Context(), 0)
	tree := dom.NewTree(steps, []page.Element{
		at("aside", "complementary", "", -1), at("p", "paragraph", long, 0), at("p", "paragraph", "The café has moved.", 0),
		at("section", "", "", -1), at("h2", "heading", "Entry", 3), at("p", "paragraph", entry, 3),
		at("p", "paragraph", entry, -1),
	}, nil, image.Point{})
	v := &view{Matching: &dom.Matching{BeforeTree: tree, AfterTree: tree}}
	for got, want := range map[string]string{
		v.tellPart(tree, 0, "is new", tree.Words(0)): "Sidebar is new: “All other houses and the whole garden stay open. The café h…”.",
		v.tellPart(tree, 1, "is gone", long):         "Paragraph is gone: “All other houses and the whole garden stay open.”.",
		v.tellPart(tree, 2, "is new", tree.Words(2)): "Paragraph “The café has moved.” is new.",
		v.tellPart(tree, 3, "is new", tree.Words(3)): "Section “Entry” is new: “Under 16 free. On the first Monday of the " +
			"month free for ev…”.",
		v.tellText(5, entry, now): "Paragraph under “Entry”: “Under 16 free. On the first Monday of the month free for ev…” → " +
			"“Under 16 free. After five o'clock everybody pays half of wh…”.",
		v.tellText(6, "one two three four "+entry, "one two three four "+now): "Paragraph “one two three four Under 16 free. On th…”: " +
			"“… Under 16 free. On the first Monday of the month free for…” → " +
			"“… Under 16 free. After five o'clock everybody pays half of…”.",
	} {
		if got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}
