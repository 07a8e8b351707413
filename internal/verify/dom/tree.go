package dom

import (
	"hash/maphash"
	"image"
	"slices"
	"strings"

	"afterimage/internal/page"
)

// Tree is a page's elements with derived data.
type Tree struct {
	steps    *Steps
	Elements []page.Element
	Styles   []page.Style
	Size     image.Point // of the page, 0 when unknown
	Children [][]int
	roots    []int
	hollow   []bool   // by element: neither it nor anything in it has a size, so whether it is recorded depends on how its place is rounded
	Content  []uint64 // by element: hash of tags, classes, texts and sources of it and its descendants, without hollow ones
	Depth    []int
	like     []uint64 // by element: see likeness; 0 while unknown
	ranked   *ranks   // nil while unknown
}

// seed is shared by both trees of a process; hashes never leave it.
var seed = maphash.MakeSeed()

// NewTree makes the tree of elements in document order. The size is that of their page.
func NewTree(s *Steps, elements []page.Element, styles []page.Style, size image.Point) *Tree {
	n := len(elements)
	s.Take(n)
	t := &Tree{
		steps: s, Elements: elements, Styles: styles, Size: size,
		Children: make([][]int, n), Content: make([]uint64, n), Depth: make([]int, n), like: make([]uint64, n),
		hollow: make([]bool, n),
	}
	for i := range elements {
		// A parent that does not come before its child is ignored, as in captures that did not record parents.
		if parent := elements[i].Parent; parent >= 0 && parent < i {
			t.Children[parent] = append(t.Children[parent], i)
			t.Depth[i] = t.Depth[parent] + 1
		} else {
			t.roots = append(t.roots, i)
		}
	}
	for i := n - 1; i >= 0; i-- {
		t.hollow[i] = t.Sizeless(i) && !slices.ContainsFunc(t.Children[i], func(child int) bool { return !t.hollow[child] })
		t.Content[i] = t.digest(i)
	}
	return t
}

func (t *Tree) digest(i int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	e := &t.Elements[i]
	for _, part := range []string{e.Tag, e.Classes, e.Text, e.Source} {
		_, _ = h.WriteString(part)
		_ = h.WriteByte(0)
	}
	for _, child := range t.Children[i] {
		if t.hollow[child] {
			continue
		}
		c := t.Content[child]
		var bytes [8]byte
		for b := range bytes {
			bytes[b] = byte(c >> (8 * b))
		}
		_, _ = h.Write(bytes[:])
	}
	return h.Sum64()
}

func (t *Tree) contentOf(i int) uint64 { return t.Content[i] }

// likeness is a hash of what an element and its descendants show, without digits: an entry whose age or count has changed is
// still the same entry.
func (t *Tree) likeness(i int) uint64 {
	if t.like[i] != 0 {
		return t.like[i]
	}
	t.steps.Take(1)
	var h maphash.Hash
	h.SetSeed(seed)
	e := t.Element(i)
	_, _ = h.WriteString(e.Tag + "\x00" + e.Source + "\x00")
	for _, r := range []byte(e.Text) {
		if r < '0' || r > '9' {
			_ = h.WriteByte(r)
		}
	}
	for _, child := range t.Children[i] {
		if !t.hollow[child] {
			maphash.WriteComparable(&h, t.likeness(child))
		}
	}
	t.like[i] = h.Sum64() | 1
	return t.like[i]
}

// Kin is what two elements must share to be matched.
type Kin struct{ tag, classes string }

// Kin is what an element must share with others to be matched.
func (t *Tree) Kin(i int) Kin { return Kin{t.Elements[i].Tag, t.Elements[i].Classes} }

// Within reports whether element i is the other or a descendant of it.
func (t *Tree) Within(i, ancestor int) bool {
	for ; i >= 0 && i >= ancestor; i = t.Parent(i) {
		t.steps.Take(1)
		if i == ancestor {
			return true
		}
	}
	return false
}

// Parent is the index of the element that holds another, -1 for none.
func (t *Tree) Parent(i int) int {
	if p := t.Elements[i].Parent; p < i {
		return p
	}
	return -1
}

// Box is where an element is, in whole pixels.
func (t *Tree) Box(i int) image.Rectangle { return t.Elements[i].Box.Rect() }

// Element returns the element at an index.
func (t *Tree) Element(i int) *page.Element { return &t.Elements[i] }

// ElementAt returns the element at an index, nil for index -1.
func (t *Tree) ElementAt(i int) *page.Element {
	if i < 0 {
		return nil
	}
	return t.Element(i)
}

// Words is the text of an element and its descendants.
func (t *Tree) Words(i int) string {
	var text strings.Builder
	t.collect(i, &text)
	return strings.TrimSpace(text.String())
}

func (t *Tree) collect(i int, text *strings.Builder) {
	t.steps.Take(1)
	if text.Len() > maxWords {
		return
	}
	if own := t.Element(i).Text; own != "" {
		text.WriteString(own + " ")
	}
	for _, child := range t.Children[i] {
		t.collect(child, text)
	}
}

// Inside reports whether an element, or one around it, has a role.
func (t *Tree) Inside(i int, role string) bool {
	for ; i >= 0; i = t.Parent(i) {
		if t.Element(i).Role == role {
			return true
		}
	}
	return false
}

// Topmost is the outermost element without a partner on the other page, around one of those.
func (t *Tree) Topmost(partner []int, i int) int {
	for parent := t.Parent(i); parent >= 0 && partner[parent] < 0; parent = t.Parent(i) {
		t.steps.Take(1)
		i = parent
	}
	return i
}
