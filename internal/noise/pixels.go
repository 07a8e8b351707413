package noise

// explainPixels explains pixels that differ where no property of an element does: by a part that is known to be painted anew and
// covers them, or by an element of which most of what it holds varies.
func (s *Sight) explainPixels(c Change) Explanation {
	best := s.nothing()
	for b, p := range s.partsOf {
		a := s.toAfter[b]
		if a < 0 || !around(s.after.elements[a].Box, nearby).Covers(c.Box) {
			continue
		}
		j := s.look(p, s.after, a)
		j.require(p.Picture|p.Text, 0, true, true)
		if e := j.explanation(); !best.Known || e.Quiet && !best.Quiet {
			best = e
		}
	}
	if holder := s.after.covering(c.Box); !best.Quiet && best.Marked == MarkNone && holder >= 0 && !whole[s.after.elements[holder].Tag] {
		if e := s.explainRestless(holder); e.Quiet {
			return e
		}
	}
	return best
}

// explainRestless explains what happens among the elements that one holds, when most of these vary.
func (s *Sight) explainRestless(holder int) Explanation {
	best, leaves, varying := s.nothing(), 0, 0
	inside := s.after.inside(holder)
	for _, a := range inside {
		if len(s.after.children[a]) > 0 {
			continue
		}
		leaves++
		p := s.newParts[a]
		if p == nil {
			continue
		}
		j := s.look(p, s.after, a)
		j.require(p.Text|p.Picture|p.Style, 0, true, true)
		if e := j.explanation(); e.Quiet {
			varying++
			best = e
		}
	}
	if leaves < leastRestless || 2*varying <= leaves || len(inside) > maxInside {
		return s.nothing()
	}
	return best
}

// leastRestless is the number of elements that one must hold for its pixels to be explained by these.
const leastRestless = 3

// explainRows explains rows that were inserted or removed within a part that is known to grow and shrink, or of which most varies.
// That the page as a whole does explains nothing.
func (s *Sight) explainRows(c Change) Explanation {
	l, i := s.after, s.after.around(c.Box.Y, c.Box.Y+c.Box.Height)
	if c.BeforeBox.Height > 0 {
		l, i = s.before, s.before.around(c.BeforeBox.Y, c.BeforeBox.Y+c.BeforeBox.Height)
	}
	for ; i >= 0 && !whole[l.elements[i].Tag]; i = l.parent(i) {
		a := i
		if l == s.before {
			a = s.toAfter[i]
		}
		if a < 0 || s.toBefore[a] < 0 {
			continue
		}
		if p := s.newParts[a]; p != nil && p.Size != 0 {
			j := s.look(p, s.after, a)
			j.require(p.Size, 0, j.fits(false), false)
			return j.explanation()
		}
		if s.differ(s.toBefore[a], a).size {
			continue
		}
		if e := s.explainRestless(a); e.Quiet {
			return e
		}
	}
	return s.nothing()
}

// whole are the elements that hold the whole page.
var whole = map[string]bool{"html": true, "body": true, "main": true}
