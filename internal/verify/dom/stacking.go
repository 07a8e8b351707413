package dom

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// level is one step on the way to where an element is painted: how high it lies within what surrounds it, then its order in the page.
type level struct{ height, order int }

// stacking is the order in which the elements of a page are painted, as far as it follows from their position and level. What is
// not positioned is painted with what surrounds it.
type stacking struct {
	t       *Tree
	path    [][]level // by element: of the contexts around it, and of the positioned element that it is or is painted with
	context [][]level // by element: of the contexts around it, and of itself if it is one: within the last one, levels are compared
}

// PaintOrder lists the elements, those first that lie upon the others.
func (t *Tree) PaintOrder() []int {
	s := stacking{t, make([][]level, len(t.Content)), make([][]level, len(t.Content))}
	order := make([]int, len(s.path))
	for a := range order {
		order[a] = a
		s.place(a)
	}
	t.steps.Take(2 * len(order))
	slices.SortFunc(order, func(a, b int) int { return -s.compare(a, b) })
	return order
}

// place finds where an element is painted; that of its parent is known. One that is positioned without a level lies upon what is not
// positioned, with all that is in it, but for what has a level or is positioned itself: that is compared with what is around both.
func (s *stacking) place(a int) {
	parent := s.t.Parent(a)
	if parent >= 0 {
		s.path[a], s.context[a] = s.path[parent], s.context[parent]
	}
	e := s.t.Element(a)
	style := e.StyleIn(s.t.Styles)
	position := style["position"]
	positioned := position != "" && position != "static"
	height, err := strconv.Atoi(style["z-index"]) // auto is as 0
	leveled := err == nil && (positioned || parent >= 0 && s.arranges(parent))
	if !leveled {
		height = 0
	}
	within := func() []level { return append(s.context[a][:len(s.context[a]):len(s.context[a])], level{height, a}) }
	switch {
	case leveled, position == "fixed", position == "sticky", e.Fixed && (parent < 0 || !s.t.Element(parent).Fixed),
		style["opacity"] != "", style["transform"] != "", style["filter"] != "", style["backdrop-filter"] != "":
		s.path[a] = within()
		s.context[a] = s.path[a]
	case positioned:
		s.path[a] = within()
	}
}

// arranges reports whether an element puts its children into rows or a grid, in which they may have levels without being positioned.
func (s *stacking) arranges(a int) bool {
	display := s.t.Element(a).StyleIn(s.t.Styles)["display"]
	return strings.HasSuffix(display, "flex") || strings.HasSuffix(display, "grid")
}

// compare orders elements by which is painted first.
func (s *stacking) compare(a, b int) int {
	is, other := s.path[a], s.path[b]
	for i := range min(len(is), len(other)) {
		if is[i] != other[i] {
			return cmp.Or(cmp.Compare(is[i].height, other[i].height), cmp.Compare(is[i].order, other[i].order))
		}
	}
	// One of them is painted with what surrounds the other, which lies below it if its level is below zero.
	switch {
	case len(is) > len(other):
		return s.upon(is[len(other)], b)
	case len(is) < len(other):
		return -s.upon(other[len(is)], a)
	}
	return cmp.Compare(a, b)
}

// upon orders an element at a level against one that is painted with what surrounds that level: one below zero lies behind all but
// the positioned element itself that surrounds both, or the page.
func (s *stacking) upon(at level, around int) int {
	path, tag := s.path[around], s.t.Element(around).Tag
	holds := len(path) > 0 && path[len(path)-1].order == around || tag == "html" || tag == "body"
	if at.height < 0 && !holds {
		return -1
	}
	return 1
}
