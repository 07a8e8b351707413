package dom

import (
	"image"
	"slices"
	"testing"

	"afterimage/internal/page"
)

// TestWhatLiesUponWhat: a level counts within what makes a context of its own, which what is only positioned does not.
func TestWhatLiesUponWhat(t *testing.T) {
	style := func(words ...string) page.Style {
		s := page.Style{}
		for i := 0; i < len(words); i += 2 {
			s[words[i]] = words[i+1]
		}
		return s
	}
	relative, raised := style("position", "relative"), style("position", "absolute", "z-index", "1000")
	menu := node{tag: "ul", style: raised}
	body := func(in ...node) node { return node{tag: "body", in: in} }
	for name, c := range map[string]struct {
		page node
		want []int
	}{
		"a menu of a bar above a card": {body(node{tag: "nav", style: relative, in: []node{menu}}, node{tag: "div", style: relative}),
			[]int{2, 3, 1, 0}},
		"a menu in a veiled bar": {body(node{tag: "nav", style: style("position", "relative", "opacity", "0.9"), in: []node{menu}},
			node{tag: "div", style: relative}), []int{3, 2, 1, 0}},
		"a menu in a bar of a level": {body(node{tag: "nav", style: style("position", "relative", "z-index", "1"), in: []node{menu}},
			node{tag: "div", style: style("position", "relative", "z-index", "2")}), []int{3, 2, 1, 0}},
		"words of a bar and a card": {body(node{tag: "nav", style: relative, in: []node{{tag: "b"}}}, node{tag: "div"}), []int{2, 1, 3, 0}},
		"a level that counts in a row": {body(node{tag: "div", style: style("display", "flex"),
			in: []node{{tag: "a", style: style("z-index", "3")}, {tag: "a", style: relative}}}), []int{2, 3, 1, 0}},
		"a level without a position": {body(node{tag: "a", style: style("z-index", "3")}, node{tag: "b", style: relative}), []int{2, 1, 0}},
		"what lies behind": {body(node{tag: "nav", style: relative, in: []node{{tag: "i", style: style("position", "absolute",
			"z-index", "-1")}}}, node{tag: "p"}), []int{1, 3, 2, 0}},
	} {
		elements, styles := build(c.page)
		if got := NewTree(NewSteps(t.Context(), 0), elements, styles, image.Pt(800, 600)).PaintOrder(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
