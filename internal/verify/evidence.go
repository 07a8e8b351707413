package verify

import (
	"image"
	"strings"

	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// evidence is what the features of a finding are read from; see features.go.
type evidence struct {
	*scene
	before, after wording.Shape // of the text
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
	e := &evidence{scene: s, before: wording.ShapeOf(s.Before), after: wording.ShapeOf(s.After), page: s.view.pageEvidence()}
	if s.Change != TextChanged && s.Change != Appeared && s.Change != Vanished {
		e.before, e.after = wording.ShapeOf(""), wording.ShapeOf("") // a colour or a size is no text
	}
	e.is = s.Box
	if s.elementBefore != nil {
		e.was = s.elementBefore.Box.Rect()
	}
	if s.at >= 0 {
		e.around, e.inner = s.surroundings(), contentsOf(s.tree, s.at)
		if s.Change == Appeared && s.tree == s.AfterTree {
			texts, used := s.covers()
			e.covered = texts + used
		}
	}
	return e
}

func contentsOf(t *dom.Tree, i int) contents {
	var c contents
	for j := i; j < len(t.Content) && j <= i+dom.MaxInside && t.Within(j, i); j++ {
		e := t.Element(j)
		c.elements++
		switch {
		case dom.ShowsPixels(e.Tag):
			c.pictures++
		case e.Text != "":
			c.texts++
		}
		if dom.IsControl(e.Role) {
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
	parent := s.tree.Parent(s.at)
	if parent < 0 {
		return a
	}
	s.Steps.Take(len(s.tree.Children[parent]))
	partner := s.partners(s.tree)
	for _, sibling := range s.tree.Children[parent] {
		if sibling < s.at {
			a.place++
		}
		other := partner[sibling]
		if other < 0 {
			a.alone++
		}
		if s.tree.Kin(sibling) == s.tree.Kin(s.at) {
			a.kin++
			if other < 0 || s.otherTree().Content[other] != s.tree.Content[sibling] {
				a.kinChanged++
			}
		}
	}
	if there := partner[parent]; there >= 0 {
		other := s.otherTree()
		s.Steps.Take(len(other.Children[there]))
		for _, child := range other.Children[there] {
			if other.Kin(child) == s.tree.Kin(s.at) {
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
func (s *scene) otherTree() *dom.Tree {
	if s.tree == s.AfterTree {
		return s.BeforeTree
	}
	return s.AfterTree
}

// nearby counts the other findings in the part of the page around the element, two levels up.
func (s *scene) nearby(a *surroundings) {
	top := s.at
	for range 2 {
		if parent := s.tree.Parent(top); parent >= 0 && !s.tree.TooLarge(parent) {
			top = parent
		}
	}
	place := s.tree.Box(top).Inset(-slack)
	for i := range s.shown {
		s.Steps.Take(len(s.shown[i]))
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
		if before, after := wording.ShapeOf(f.Before), wording.ShapeOf(f.After); before.Form == after.Form {
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
	*p = pageEvidence{known: true, size: len(v.AfterTree.Content)}
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
	for up, levels := s.at, 0; up >= 0 && levels < dom.MaxUp; up, levels = s.tree.Parent(up), levels+1 {
		parent := s.tree.Parent(up)
		if parent < 0 {
			break
		}
		last := ""
		for _, sibling := range s.tree.Children[parent] {
			if sibling >= up {
				break
			}
			if e := s.tree.Element(sibling); e.Role == "heading" {
				last = e.Text
			}
		}
		if last != "" {
			return strings.ToLower(last)
		}
	}
	return ""
}
