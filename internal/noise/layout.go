package noise

import (
	"strings"

	"afterimage/internal/page"
)

// layout is a page's elements, indexed by what they are recognised by.
type layout struct {
	elements   []page.Element
	paths      []uint32         // by element; 0 for those without a selector
	places     []int            // by element: among those of its path
	byPath     map[uint32][]int // elements in document order
	bySelector map[string]int
	children   [][]int
}

func newLayout(elements []page.Element) *layout {
	n := len(elements)
	l := &layout{
		elements: elements, paths: make([]uint32, n), places: make([]int, n),
		byPath: make(map[uint32][]int, n/2), bySelector: make(map[string]int, n), children: make([][]int, n),
	}
	for i := range elements {
		e := &elements[i]
		if p := l.parent(i); p >= 0 {
			l.children[p] = append(l.children[p], i)
		}
		if e.Selector == "" || len(e.Selector) > MaxSelector {
			continue
		}
		path := pathOf(e)
		l.paths[i], l.places[i] = path, len(l.byPath[path])
		l.byPath[path] = append(l.byPath[path], i)
		l.bySelector[e.Selector] = i
	}
	return l
}

// pathOf is a hash of the element's tag, role and path without the positions among siblings.
func pathOf(e *page.Element) uint32 {
	var path strings.Builder
	rest := e.Selector
	for {
		before, after, found := strings.Cut(rest, ":nth-of-type(")
		path.WriteString(before)
		if !found {
			return hash(e.Tag, e.Role, path.String())
		}
		_, rest, _ = strings.Cut(after, ")")
	}
}

// parent is the index of the nearest visible ancestor, -1 for none.
func (l *layout) parent(i int) int {
	if p := l.elements[i].Parent; p >= 0 && p < i {
		return p
	}
	return -1
}

// find returns the element that a part is now, -1 for none.
func (l *layout) find(p *Part) int {
	if alike := l.byPath[p.Path]; p.Path != 0 && len(alike) == p.Of && p.Place < len(alike) {
		return alike[p.Place]
	}
	if i, ok := l.bySelector[p.Selector]; ok && (p.Tag == "" || l.elements[i].Tag == p.Tag && l.elements[i].Role == p.Role) {
		return i
	}
	return -1
}

// top is how far an element lies below the top of its parent, in pixels.
func (l *layout) top(i int) int {
	if p := l.parent(i); p >= 0 {
		return l.elements[i].Box.Y - l.elements[p].Box.Y
	}
	return l.elements[i].Box.Y
}

// beside is the text of an element's siblings and of what they contain directly, without numbers: what a price belongs to.
func (l *layout) beside(i int) uint32 {
	p := l.parent(i)
	if p < 0 {
		return 0
	}
	var text strings.Builder
	for n, sibling := range l.children[p] {
		if sibling == i || n > maxBeside {
			continue
		}
		text.WriteString(mask(l.elements[sibling].Text) + "\n")
		for m, child := range l.children[sibling] {
			if m > maxBeside {
				break
			}
			text.WriteString(mask(l.elements[child].Text) + "\n")
		}
	}
	if strings.TrimSpace(text.String()) == "" {
		return 0
	}
	return hash(text.String())
}

// maxBeside limits the siblings, and the children of each, whose text distinguishes an item.
const maxBeside = 8

// empty reports whether an element has neither text nor picture in it, itself included.
func (l *layout) empty(i int) bool {
	e := &l.elements[i]
	if FormOf(e.Text) != FormEmpty || e.Source != "" || drawn[e.Tag] {
		return false
	}
	for _, child := range l.children[i] {
		if !l.empty(child) {
			return false
		}
	}
	return true
}

// inside are the elements within one, at most one more than maxInside.
func (l *layout) inside(i int) []int {
	list := []int{}
	for next := append([]int(nil), l.children[i]...); len(next) > 0 && len(list) <= maxInside; next = next[1:] {
		list = append(list, next[0])
		next = append(next, l.children[next[0]]...)
	}
	return list
}

// drawn are the elements that show something without text.
var drawn = map[string]bool{"img": true, "svg": true, "canvas": true, "video": true, "iframe": true, "object": true, "embed": true}

// covering is the smallest element that covers a box, -1 for none.
func (l *layout) covering(box page.Box) int {
	smallest := -1
	for i := range l.elements {
		if b := l.elements[i].Box; b.Covers(box) && (smallest < 0 || b.Width*b.Height <= area(l.elements[smallest].Box)) {
			smallest = i
		}
	}
	return smallest
}

// around is the lowest element whose rows include those from top to bottom, -1 for none.
func (l *layout) around(top, bottom int) int {
	lowest := -1
	for i := range l.elements {
		b := l.elements[i].Box
		if b.Y <= top && b.Y+b.Height >= bottom && (lowest < 0 || b.Height <= l.elements[lowest].Box.Height) {
			lowest = i
		}
	}
	return lowest
}

func area(b page.Box) int { return b.Width * b.Height }
