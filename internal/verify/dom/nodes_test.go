package dom

import (
	"fmt"
	"image"
	"testing"

	"afterimage/internal/page"
)

// node is an element of a test page with what is in it.
type node struct {
	tag, classes, text string
	style              page.Style
	box                [4]float64
	in                 []node
}

// build lists the elements of a page in document order, and its styles.
func build(root node) (elements []page.Element, styles []page.Style) {
	var add func(n *node, parent int)
	add = func(n *node, parent int) {
		styles = append(styles, n.style)
		at := len(elements)
		elements = append(elements, page.Element{Tag: n.tag, Classes: n.classes, Text: n.text, Parent: parent, Style: len(styles),
			Selector: fmt.Sprint(n.tag, at), Exact: n.box,
			Box: page.Box{X: int(n.box[0]), Y: int(n.box[1]), Width: int(n.box[2]), Height: int(n.box[3])}})
		for i := range n.in {
			add(&n.in[i], at)
		}
	}
	add(&root, -1)
	return elements, styles
}

// matched pairs the elements of two pages.
func matched(t *testing.T, before, after node) *Matching {
	t.Helper()
	steps := NewSteps(t.Context(), 0)
	tree := func(root node) *Tree {
		elements, styles := build(root)
		return NewTree(steps, elements, styles, image.Pt(800, 600))
	}
	return Match(tree(before), tree(after))
}
