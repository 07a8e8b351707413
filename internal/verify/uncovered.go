package verify

import "image"

// uncovered is the change of an element elsewhere that lay upon all of the pixels, or lies upon them now: a card that reaches into the
// header above it, a strip behind a bar that stays on the screen.
func (s *inspection) uncovered(r *remnant) int {
	s.steps.take(1 + len(s.own))
	clear := !s.opaque(r.at)
	for i := range s.own {
		f := &s.own[i]
		var boxes [2]image.Rectangle
		switch {
		case f.tree == s.afterTree && s.afterTree.within(r.at, f.at): // it is no other element's doing
		case f.Change == Vanished:
			boxes[0] = s.shiftedBy(s.beforeTree.extent(f.at, true), r.at)
		case f.Change == Appeared:
			boxes[0] = s.afterTree.extent(f.at, true)
		case f.Change == Moved && s.toBefore[f.at] >= 0, f.Change == Resized:
			boxes = [2]image.Rectangle{s.afterTree.extent(f.at, true), s.shiftedBy(s.beforeTree.extent(s.toBefore[f.at], true), r.at)}
		case clear && (f.Change == TextChanged || f.Change == ImageReplaced || f.Change == StyleChanged): // it shines through
			boxes[0] = s.afterTree.extent(f.at, true)
			if b := s.toBefore[f.at]; b >= 0 {
				boxes[1] = s.shiftedBy(s.beforeTree.extent(b, true), r.at)
			}
		}
		if r.box.In(boxes[0].Inset(-glyphReach)) || r.box.In(boxes[1].Inset(-glyphReach)) ||
			clear && !boxes[0].Empty() && r.box.In(boxes[0].Union(boxes[1]).Inset(-glyphReach)) {
			return i
		}
	}
	if clear && s.floats(r.at) {
		return s.movedBehind(r)
	}
	return unknownCause
}

// floats reports whether an element, or one around it, lies upon others and may move apart from them.
func (s *inspection) floats(a int) bool {
	for ; a >= 0; a = s.afterTree.parent(a) {
		s.steps.take(1)
		e := s.afterTree.element(a)
		switch e.StyleIn(s.afterTree.page.Styles)["position"] {
		case "fixed", "sticky", "absolute":
			return true
		}
		if e.Fixed {
			return true
		}
	}
	return false
}

// movedBehind is the change that moved what shines through an element: the last element below it that covers the pixels.
func (s *inspection) movedBehind(r *remnant) int {
	s.steps.take(1 + len(s.afterTree.content)/8)
	for a := r.at - 1; a >= 0; a-- {
		if s.scaledBehind(r, a) {
			return s.sizedBy[a]
		}
		if b := s.toBefore[a]; b < 0 || s.movedBy[a] < 0 || !s.afterTree.box(a).Overlaps(r.box) || s.afterTree.within(r.at, a) ||
			!s.moved[a].minus(s.moved[r.at]).beyond(0.01) {
			continue
		}
		return s.movedBy[a]
	}
	for a := r.at + 1; a < len(s.afterTree.content); a++ {
		if b := s.toBefore[a]; b < 0 || s.movedBy[a] < 0 || !s.afterTree.box(a).Overlaps(r.box) || s.afterTree.within(a, r.at) ||
			!s.moved[a].minus(s.moved[r.at]).beyond(0.01) {
			continue
		}
		return s.movedBy[a]
	}
	return unknownCause
}

// scaledBehind reports whether an element behind the pixels has a background picture that fits its size, which is another one.
func (s *inspection) scaledBehind(r *remnant, a int) bool {
	return s.toBefore[a] >= 0 && s.sizedBy[a] >= 0 && s.grown[a].beyond(0.01) && s.afterTree.box(a).Overlaps(r.box) &&
		s.afterTree.element(a).StyleIn(s.afterTree.page.Styles)["background-image"] != ""
}
