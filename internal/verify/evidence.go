package verify

import (
	"image"
	"strings"

	"afterimage/internal/page"
)

// evidence is what the features of a finding are read from; see features.go.
type evidence struct {
	*scene
	before, after shape // of the text
	was, is       image.Rectangle
	around        surroundings
	inner         contents
	page          pageEvidence
	covered       int // texts and controls below it
}

// surroundings counts what stands and happens next to the element, below the same parent.
type surroundings struct {
	kin, kinBefore     int // of the same tag and classes, in each page
	kinChanged         int // of these in the after page: with another text or picture, or new
	alone, aloneBefore int // without a counterpart, of any kind
	place              int // of the element among its siblings
	texts, pictures    int // other findings in the part around it: changed texts, replaced pictures
	styles, moves      int // restyled, moved or resized
	comings, goings    int // appeared, vanished
	sameForm           int // changed texts whose form stayed
	swapped            bool
}

// contents counts what is within the element.
type contents struct{ texts, pictures, controls, headings, elements int }

// pageEvidence counts what happens on the page as a whole. It is computed once.
type pageEvidence struct {
	known                                  bool
	findings, texts, pictures, styles      int
	moves, comings, goings, repaints, size int
}

func (s *scene) evidence() *evidence {
	e := &evidence{scene: s, before: shapeOf(s.Before), after: shapeOf(s.After), page: s.view.pageEvidence()}
	if s.Change != TextChanged && s.Change != Appeared && s.Change != Vanished {
		e.before, e.after = shapeOf(""), shapeOf("") // a colour or a size is no text
	}
	e.is = s.Box
	if s.elementBefore != nil {
		e.was = s.elementBefore.Box.Rect()
	}
	if s.at >= 0 {
		e.around, e.inner = s.surroundings(), s.tree.contents(s.at)
		if s.Change == Appeared && s.tree == s.afterTree {
			texts, used := s.covers()
			e.covered = texts + used
		}
	}
	return e
}

func (t *tree) contents(i int) contents {
	var c contents
	for j := i; j < len(t.content) && j <= i+maxInside && t.within(j, i); j++ {
		e := t.element(j)
		c.elements++
		switch {
		case shows[e.Tag]:
			c.pictures++
		case e.Text != "":
			c.texts++
		}
		if controls[e.Role] {
			c.controls++
		}
		if e.Role == "heading" {
			c.headings++
		}
	}
	return c
}

func (s *scene) surroundings() surroundings {
	var a surroundings
	parent := s.tree.parent(s.at)
	if parent < 0 {
		return a
	}
	s.steps.take(len(s.tree.children[parent]))
	partner := s.partners(s.tree)
	for _, sibling := range s.tree.children[parent] {
		if sibling < s.at {
			a.place++
		}
		other := partner[sibling]
		if other < 0 {
			a.alone++
		}
		if s.tree.kin(sibling) == s.tree.kin(s.at) {
			a.kin++
			if other < 0 || s.otherTree().content[other] != s.tree.content[sibling] {
				a.kinChanged++
			}
		}
	}
	if there := partner[parent]; there >= 0 {
		other := s.otherTree()
		s.steps.take(len(other.children[there]))
		for _, child := range other.children[there] {
			if other.kin(child) == s.tree.kin(s.at) {
				a.kinBefore++
			}
			if s.partners(other)[child] < 0 {
				a.aloneBefore++
			}
		}
	}
	s.nearby(&a)
	return a
}

// otherTree is the tree of the page that the element is not of.
func (s *scene) otherTree() *tree {
	if s.tree == s.afterTree {
		return s.beforeTree
	}
	return s.afterTree
}

// nearby counts the other findings in the part of the page around the element, two levels up.
func (s *scene) nearby(a *surroundings) {
	top := s.at
	for range 2 {
		if parent := s.tree.parent(top); parent >= 0 && !s.tree.tooLarge(parent) {
			top = parent
		}
	}
	place := s.tree.box(top).Inset(-slack)
	for i := range s.shown {
		s.steps.take(len(s.shown[i]))
		for f := range s.shown[i] {
			other := &s.shown[i][f]
			if other.Element == nil || other.Element == s.Element || !other.Box.In(place) {
				continue
			}
			a.count(other)
			a.swapped = a.swapped || other.Change == StyleChanged && s.Change == StyleChanged &&
				other.Before == s.After && other.After == s.Before
		}
	}
}

func (a *surroundings) count(f *Finding) {
	switch f.Change {
	case TextChanged:
		a.texts++
		if before, after := shapeOf(f.Before), shapeOf(f.After); before.form == after.form {
			a.sameForm++
		}
	case ImageReplaced, Repainted:
		a.pictures++
	case StyleChanged:
		a.styles++
	case Moved, Resized, Shifted, Reordered:
		a.moves++
	case Appeared, Loading:
		a.comings++
	case Vanished, Blanked:
		a.goings++
	}
}

// pageEvidence is computed once.
func (v *view) pageEvidence() pageEvidence {
	p := &v.evident
	if p.known {
		return *p
	}
	*p = pageEvidence{known: true, size: len(v.afterTree.content)}
	seen := make(map[*page.Element]Change)
	for i := range v.shown {
		for f := range v.shown[i] {
			found := &v.shown[i][f]
			if found.Element != nil && seen[found.Element] == found.Change {
				continue
			}
			seen[found.Element] = found.Change
			p.count(found.Change)
		}
	}
	return *p
}

func (p *pageEvidence) count(change Change) {
	p.findings++
	switch change {
	case TextChanged:
		p.texts++
	case ImageReplaced:
		p.pictures++
	case StyleChanged:
		p.styles++
	case Moved, Resized, Reordered, Shifted:
		p.moves++
	case Appeared, Loading:
		p.comings++
	case Vanished, Blanked:
		p.goings++
	case Repainted:
		p.repaints++
	}
}

// heading is the nearest heading before the element within its ancestors, "" for none.
func (s *scene) heading() string {
	for up, levels := s.at, 0; up >= 0 && levels < maxUp; up, levels = s.tree.parent(up), levels+1 {
		parent := s.tree.parent(up)
		if parent < 0 {
			break
		}
		last := ""
		for _, sibling := range s.tree.children[parent] {
			if sibling >= up {
				break
			}
			if e := s.tree.element(sibling); e.Role == "heading" {
				last = e.Text
			}
		}
		if last != "" {
			return strings.ToLower(last)
		}
	}
	return ""
}
