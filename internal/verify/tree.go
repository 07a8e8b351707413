package verify

import (
	"hash/maphash"
	"image"
	"slices"

	"afterimage/internal/page"
)

// tree is a page's elements with derived data.
type tree struct {
	steps    *steps
	page     *Page
	children [][]int
	roots    []int
	hollow   []bool   // by element: neither it nor anything in it has a size, so whether it is recorded depends on how its place is rounded
	content  []uint64 // by element: hash of tags, classes, texts and sources of it and its descendants, without hollow ones
	depth    []int
	like     []uint64 // by element: see likeness; 0 while unknown
}

// seed is shared by both trees of a process; hashes never leave it.
var seed = maphash.MakeSeed()

func newTree(s *steps, p *Page) *tree {
	n := len(p.Elements)
	s.take(n)
	t := &tree{steps: s, page: p, children: make([][]int, n), content: make([]uint64, n), depth: make([]int, n), like: make([]uint64, n),
		hollow: make([]bool, n)}
	for i := range p.Elements {
		// A parent that does not come before its child is ignored, as in captures that did not record parents.
		if parent := p.Elements[i].Parent; parent >= 0 && parent < i {
			t.children[parent] = append(t.children[parent], i)
			t.depth[i] = t.depth[parent] + 1
		} else {
			t.roots = append(t.roots, i)
		}
	}
	for i := n - 1; i >= 0; i-- {
		t.hollow[i] = t.sizeless(i) && !slices.ContainsFunc(t.children[i], func(child int) bool { return !t.hollow[child] })
		t.content[i] = t.digest(i)
	}
	return t
}

func (t *tree) digest(i int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	e := &t.page.Elements[i]
	for _, part := range []string{e.Tag, e.Classes, e.Text, e.Source} {
		_, _ = h.WriteString(part)
		_ = h.WriteByte(0)
	}
	for _, child := range t.children[i] {
		if t.hollow[child] {
			continue
		}
		c := t.content[child]
		var bytes [8]byte
		for b := range bytes {
			bytes[b] = byte(c >> (8 * b))
		}
		_, _ = h.Write(bytes[:])
	}
	return h.Sum64()
}

func (t *tree) contentOf(i int) uint64 { return t.content[i] }

// likeness is a hash of what an element and its descendants show, without digits: an entry whose age or count has changed is
// still the same entry.
func (t *tree) likeness(i int) uint64 {
	if t.like[i] != 0 {
		return t.like[i]
	}
	t.steps.take(1)
	var h maphash.Hash
	h.SetSeed(seed)
	e := t.element(i)
	_, _ = h.WriteString(e.Tag + "\x00" + e.Source + "\x00")
	for _, r := range []byte(e.Text) {
		if r < '0' || r > '9' {
			_ = h.WriteByte(r)
		}
	}
	for _, child := range t.children[i] {
		if !t.hollow[child] {
			maphash.WriteComparable(&h, t.likeness(child))
		}
	}
	t.like[i] = h.Sum64() | 1
	return t.like[i]
}

// kin is what two elements must share to be matched.
type kin struct{ tag, classes string }

func (t *tree) kin(i int) kin { return kin{t.page.Elements[i].Tag, t.page.Elements[i].Classes} }

// within reports whether element i is the other or a descendant of it.
func (t *tree) within(i, ancestor int) bool {
	for ; i >= 0 && i >= ancestor; i = t.parent(i) {
		t.steps.take(1)
		if i == ancestor {
			return true
		}
	}
	return false
}

func (t *tree) parent(i int) int {
	if p := t.page.Elements[i].Parent; p < i {
		return p
	}
	return -1
}

func (t *tree) box(i int) image.Rectangle { return t.page.Elements[i].Box.Rect() }

func (t *tree) element(i int) *page.Element { return &t.page.Elements[i] }

// elementAt returns the element at an index, nil for index -1.
func (t *tree) elementAt(i int) *page.Element {
	if i < 0 {
		return nil
	}
	return t.element(i)
}
