package noise

// explainPresence explains an element that appeared or disappeared: it, or the elements of its kind, are known to come and go,
// there are about as many of them as ever, what appeared has no fault in it, and what contained the other is not empty now.
func (s *Sight) explainPresence(l *layout, i int, p *Part) Explanation {
	if p == nil || p.Presence == 0 {
		p = s.relative(l.paths[i])
	}
	if p == nil {
		return s.nothing()
	}
	j := s.look(p, l, i)
	inForm := within(j.family.counts, len(s.after.byPath[l.paths[i]]), 0, 0)
	if l == s.after {
		inForm = inForm && j.fits(true) && s.sound(i)
	} else {
		inForm = inForm && !s.emptied(i)
	}
	j.require(p.Presence, j.family.presence, inForm, inForm)
	return j.explanation()
}

// sound reports whether an element of the later visit shows something, with neither a fault in it nor a key where none was before.
func (s *Sight) sound(a int) bool {
	for _, i := range append(s.after.inside(a), a) {
		switch FormOf(s.after.elements[i].Text) {
		case FormFault:
			return false
		case FormKey:
			if f := s.families[s.after.paths[i]]; f == nil || !f.forms[FormKey] {
				return false
			}
		}
	}
	return !s.after.empty(a) || s.after.elements[a].Background != ""
}

// relative is a part of the same kind that comes and goes, for an element that was never seen to: a list that is one entry longer
// than before. It is nil when there is none.
func (s *Sight) relative(path uint32) *Part {
	if s.families[path] == nil {
		return nil
	}
	for _, p := range s.families[path].parts {
		if p.Presence != 0 {
			return p
		}
	}
	return nil
}

// emptied reports whether what contained an element of the earlier visit has nothing left in it.
func (s *Sight) emptied(b int) bool {
	for up := s.before.parent(b); up >= 0; up = s.before.parent(up) {
		if a := s.toAfter[up]; a >= 0 {
			return s.after.empty(a)
		}
	}
	return false
}

// explainRefilled explains an element that has another content in the same frame, such as an entry of a list that has moved on:
// everything in it that differs must be quiet.
func (s *Sight) explainRefilled(b, a int) Explanation {
	all := Explanation{Quiet: true, InForm: true}
	changes := 0
	include := func(e Explanation) {
		if changes++; changes == 1 || all.Quiet && (!e.Quiet || e.Changed < all.Changed) {
			all = e
		}
	}
	within := s.after.inside(a)
	for _, i := range within {
		if other := s.toBefore[i]; other < 0 {
			include(s.explainPresence(s.after, i, s.newParts[i]))
		} else if s.differ(other, i).any() {
			include(s.explainElement(other, i))
		}
	}
	for _, i := range s.before.inside(b) {
		if s.toAfter[i] < 0 {
			include(s.explainPresence(s.before, i, s.partsOf[i]))
		}
	}
	switch {
	case len(within) > maxInside:
		return s.nothing()
	case changes == 0:
		return s.explainPixels(Change{Before: b, After: a, Box: s.after.elements[a].Box})
	}
	return all
}
