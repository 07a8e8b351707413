package verify

import (
	"image"
	"slices"

	"afterimage/internal/verify/dom"
)

// uncovered is the change of an element elsewhere that lay upon all of the pixels, or lies upon them now: a card that reaches into the
// header above it, a strip behind a bar that stays on the screen.
func (s *inspection) uncovered(r *remnant) int {
	s.Steps.Take(1 + len(s.own))
	clear := !s.opaque(r.at)
	for i := range s.own {
		boxes := s.placesUpon(&s.own[i], r.at, clear)
		if r.box.In(boxes[0].Inset(-dom.GlyphReach)) || r.box.In(boxes[1].Inset(-dom.GlyphReach)) ||
			clear && !boxes[0].Empty() && r.box.In(boxes[0].Union(boxes[1]).Inset(-dom.GlyphReach)) {
			return i
		}
	}
	if cause := s.uncoveredTogether(r, clear); cause >= 0 {
		return cause
	}
	if parent := s.AfterTree.Parent(r.at); clear && (s.floats(r.at) || parent >= 0 && s.overhangs(r, parent)) {
		return s.movedBehind(r)
	}
	return unknownCause
}

// uncoveredTogether is a change that shows in pixels of which each lies where one of several elements was or is that lie upon theirs: of
// changes of their own, and of what keeps its place on the screen while the page moved below it.
func (s *inspection) uncoveredTogether(r *remnant, clear bool) int {
	var upon []image.Rectangle
	cause := unknownCause
	add := func(box image.Rectangle, of int) {
		if of < 0 || !box.Overlaps(r.box) {
			return
		}
		if upon = append(upon, box); cause < 0 {
			cause = of
		}
	}
	for i := range s.own {
		for _, box := range s.placesUpon(&s.own[i], r.at, clear) {
			if !box.Empty() {
				add(box.Inset(-dom.GlyphReach), i)
			}
		}
	}
	for _, a := range s.stickingOut() {
		if !s.AfterTree.Within(r.at, a) {
			add(s.AfterTree.Letters(a).Inset(-dom.GlyphReach), s.changeOf(a, r.at))
		}
	}
	for _, a := range s.afloat() {
		apart := s.moved[a].Minus(s.moved[r.at]).Beyond(0.01)
		if s.AfterTree.Within(r.at, a) || !apart && !s.grown[a].Beyond(0.01) {
			continue
		}
		of := firstKnown(s.movedBy[r.at], s.movedBy[a])
		if !s.AfterTree.Element(a).Fixed {
			of = firstKnown(s.movedBy[a], s.sizedBy[a])
		}
		reach := max(dom.ReachOf(s.AfterTree, a), dom.ReachOf(s.BeforeTree, s.ToBefore[a]))
		add(s.AfterTree.Extent(a, true).Inset(-reach), of)
		add(s.shiftedBy(s.BeforeTree.Extent(s.ToBefore[a], true), r.at).Inset(-reach), of)
	}
	if s.Steps.Take((1 + len(upon)) * (1 + r.box.Dy()/32)); cause >= 0 && s.rest.CountOutside(r.box, upon) == 0 {
		return cause
	}
	return unknownCause
}

// stickingOut lists the elements whose letters reach beyond their box.
func (s *inspection) stickingOut() []int {
	if s.sticking == nil {
		s.sticking = make([]int, 0, 1)
		for a := range s.AfterTree.Content {
			if s.ToBefore[a] >= 0 && !s.AfterTree.Letters(a).Empty() {
				s.sticking = append(s.sticking, a)
			}
		}
	}
	s.Steps.Take(len(s.sticking) / 8)
	return s.sticking
}

// changeOf is the change by which an element looks different: its own, the one of the element that it inherits from, or the one that moved
// it apart from another element; -1 for none.
func (s *inspection) changeOf(a, from int) int {
	for _, at := range []int{a, s.styles.Origin[a]} {
		own := func(f Finding) bool { return f.tree == s.AfterTree && f.at == at && !f.isLoose() }
		if i := slices.IndexFunc(s.own, own); at >= 0 && i >= 0 {
			return i
		}
	}
	if s.moved[a].Minus(s.moved[from]).Beyond(0.01) {
		return s.movedBy[a]
	}
	return unknownCause
}

// mostAfloat is how large what floats upon a page may be, in pixels: a quarter of a screen. A veil upon all of it explains nothing.
const mostAfloat = 1440 * 900 / 4

// afloat lists what keeps its place on the screen while the page scrolls, or would: buttons, bars, notes. What is placed freely upon the
// page, as open menus are, is among it if it has another place within its surroundings, or another size.
func (s *inspection) afloat() []int {
	if s.floating == nil {
		s.floating = make([]int, 0, 1)
		for a := range s.AfterTree.Content {
			parent := s.AfterTree.Parent(a)
			fixed := s.AfterTree.Element(a).Fixed && (parent < 0 || !s.AfterTree.Element(parent).Fixed)
			if (fixed || s.placedAnew(a)) && s.ToBefore[a] >= 0 && dom.Area(s.AfterTree.Extent(a, true)) < mostAfloat {
				s.floating = append(s.floating, a)
			}
		}
		s.Steps.Take(len(s.AfterTree.Content) / 8)
	}
	return s.floating
}

// placedAnew reports whether an element that is placed freely has another place within its surroundings, or another size.
func (s *inspection) placedAnew(a int) bool {
	parent := s.AfterTree.Parent(a)
	return parent >= 0 && s.ToBefore[a] >= 0 && s.ToBefore[parent] >= 0 && !s.AfterTree.Element(a).Fixed && s.placedFreely(a) &&
		(s.grown[a].Beyond(0.01) || s.moved[a].Minus(s.moved[parent]).Beyond(0.01))
}

// placesUpon is where the element of a change is, and where it was had it moved with another one, if it may lie upon that or shine through
// it.
func (s *inspection) placesUpon(f *Finding, at int, clear bool) (boxes [2]image.Rectangle) {
	switch {
	case f.tree == s.AfterTree && s.AfterTree.Within(at, f.at): // it is no other element's doing
	case f.Change == Vanished:
		boxes[0] = s.shiftedBy(s.BeforeTree.Extent(f.at, true), at)
	case f.Change == Appeared:
		boxes[0] = s.AfterTree.Extent(f.at, true)
	case f.Change == Moved, f.Change == Resized,
		clear && (f.Change == TextChanged || f.Change == ImageReplaced || f.Change == StyleChanged):
		boxes[0] = s.AfterTree.Extent(f.at, true)
		if b := s.ToBefore[f.at]; b >= 0 {
			boxes[1] = s.shiftedBy(s.BeforeTree.Extent(b, true), at)
		}
	}
	return boxes
}

// overhangs reports whether pixels lie outside of the nearest element around theirs that is narrower.
func (s *inspection) overhangs(r *remnant, around int) bool {
	for ; around >= 0; around = s.AfterTree.Parent(around) {
		s.Steps.Take(1)
		if !r.box.In(s.painted(around)) {
			return s.hangsOver(r, around)
		}
	}
	return false
}

// floats reports whether an element, or one around it, lies upon others and may move apart from them.
func (s *inspection) floats(a int) bool {
	for ; a >= 0; a = s.AfterTree.Parent(a) {
		s.Steps.Take(1)
		e := s.AfterTree.Element(a)
		switch e.StyleIn(s.AfterTree.Styles)["position"] {
		case "fixed", "sticky", "absolute":
			return true
		}
		if e.Fixed {
			return true
		}
	}
	return false
}

// movedBehind is the change of what shines through an element, or of what it shines through: the last element below it that covers the
// pixels, else the first one above.
func (s *inspection) movedBehind(r *remnant) int {
	s.Steps.Take(1 + len(s.AfterTree.Content)/8)
	for a := r.at - 1; a >= 0; a-- {
		if cause := s.otherBehind(r, a); cause >= 0 && !s.AfterTree.Within(r.at, a) {
			return cause
		}
	}
	for a := r.at + 1; a < len(s.AfterTree.Content); a++ {
		if cause := s.otherBehind(r, a); cause >= 0 && !s.AfterTree.Within(a, r.at) {
			return cause
		}
	}
	return unknownCause
}

// otherBehind is the change by which an element that covers some of the pixels came, moved apart from theirs, or draws its background
// picture at another size; -1 for none.
func (s *inspection) otherBehind(r *remnant, a int) int {
	switch {
	case !s.AfterTree.Box(a).Overlaps(r.box):
	case s.ToBefore[a] < 0:
		return s.appearedWith(a)
	case s.sizedBy[a] >= 0 && s.grown[a].Beyond(0.01) && s.pictured(a):
		return s.sizedBy[a]
	case s.movedBy[a] >= 0 && s.moved[a].Minus(s.moved[r.at]).Beyond(0.01):
		return s.movedBy[a]
	}
	return unknownCause
}

func (s *inspection) pictured(a int) bool {
	return s.AfterTree.Element(a).StyleIn(s.AfterTree.Styles)["background-image"] != ""
}

// appearedWith is the change with which an element came, -1 if there is none.
func (s *inspection) appearedWith(a int) int {
	for i := range s.own {
		s.Steps.Take(1)
		if f := &s.own[i]; f.Change == Appeared && s.AfterTree.Within(a, f.at) {
			return i
		}
	}
	return unknownCause
}
