package noise

import "afterimage/internal/page"

// What makes a part known to vary. They apply to each property on its own.
const (
	// leastChanges is how often a property must have changed: an update changes it once.
	leastChanges = 2
	// usually is the share of pairs, in percent, from which a part counts as varying whatever it shows next within its form.
	usually = 40
	// sometimes is the share that suffices for a value that the part has shown before, or for another date, time or number.
	sometimes = 15
)

// Tolerances of what lies within a form.
const (
	sizeSlack  = 4   // pixels
	sizePart   = 12  // percent of a size
	lengthPart = 100 // percent of the longest text
	countReach = 10  // factor between numbers
	priceReach = 3   // factor between prices
	nearby     = 24  // pixels around a part that belong to what is painted there
	maxInside  = 60  // elements within one that are looked at
	// freeMasks is the number of different wordings from which a text is free: any other one may follow.
	freeMasks = 3
)

// Sight is what is known of a page, applied to two visits of it.
type Sight struct {
	*pairing
	knowledge *Knowledge
	partsOf   map[int]*Part // by element before
	newParts  map[int]*Part // by element after
	families  map[uint32]*family
}

// On applies the knowledge to two visits of the page.
func (k *Knowledge) On(before, after []page.Element) *Sight {
	s := &Sight{
		pairing: pair(newLayout(before), newLayout(after)), knowledge: k,
		partsOf: make(map[int]*Part), newParts: make(map[int]*Part), families: make(map[uint32]*family),
	}
	for _, p := range k.Parts {
		if b := s.before.find(p); b >= 0 {
			s.partsOf[b] = p
		}
		if a := s.after.find(p); a >= 0 {
			s.newParts[a] = p
		}
		if s.families[p.Path] == nil {
			s.families[p.Path] = newFamily()
		}
		s.families[p.Path].add(p, k.excluded(p))
	}
	return s
}

// Change is a change of an element, by its places in the lists of elements of the two visits; -1 where it is absent.
type Change struct {
	Before, After int
	// Repainted is set where only pixels are known to differ; Box is then their place in the later picture.
	Repainted bool
	// Rows is set for rows that were inserted or removed: Box is where the later picture has them, BeforeBox where the earlier one
	// had them. One of the two is empty.
	Rows           bool
	Box, BeforeBox page.Box
}

// Explanation is what is known of the part in which a change happened.
type Explanation struct {
	Known   bool // the part has varied before, or a person has marked it
	Quiet   bool // the change is one that the part makes by itself
	InForm  bool // it shows what it has shown before, or something of the same form
	Changed int  // pairs of earlier visits between which what changed now had changed, too
	Visits  int  // pairs of earlier visits
	Marked  Mark // what a person has said
	Reason  string
}

// Explain reports whether a change is one that the page makes by itself.
func (s *Sight) Explain(c Change) Explanation { return s.framed(s.explain(c), c) }

func (s *Sight) explain(c Change) Explanation {
	switch {
	case c.Rows:
		return s.explainRows(c)
	case c.Before >= 0 && c.After >= 0 && c.Repainted:
		return s.explainPixels(c)
	case c.Before >= 0 && c.After >= 0 && s.toAfter[c.Before] == c.After:
		return s.explainElement(c.Before, c.After)
	case c.Before >= 0 && c.After >= 0:
		return s.explainSlot(c.Before, s.toAfter[c.Before]).and(s.explainSlot(s.toBefore[c.After], c.After))
	case c.Before >= 0:
		return s.explainSlot(c.Before, s.toAfter[c.Before])
	case c.After >= 0:
		return s.explainSlot(s.toBefore[c.After], c.After)
	}
	return Explanation{}
}

// and is the explanation of two changes together.
func (e Explanation) and(other Explanation) Explanation {
	if e.Quiet && !other.Quiet || other.Marked == MarkContent {
		return other
	}
	return e
}

// explainSlot explains what happened to a place among the elements of one path: in a list that moves on, an element that has gone
// elsewhere leaves its place to another.
func (s *Sight) explainSlot(b, a int) Explanation {
	switch {
	case b >= 0 && a >= 0 && s.differ(b, a).any():
		return s.explainElement(b, a)
	case b >= 0 && a >= 0:
		return s.explainRefilled(b, a)
	case b >= 0:
		return s.explainPresence(s.before, b, s.partsOf[b])
	}
	return s.explainPresence(s.after, a, s.newParts[a])
}

// explainElement explains a change of an element that is in both visits: every property that differs must be one that varies,
// and show what lies within its form.
func (s *Sight) explainElement(b, a int) Explanation {
	d := s.differ(b, a)
	if !d.any() {
		return s.explainPixels(Change{Before: b, After: a, Box: s.after.elements[a].Box})
	}
	j := s.lookAt(b, a)
	if j == nil {
		return s.nothing()
	}
	if d.text {
		j.require(j.Text, j.family.text, j.textKnown(), j.textInForm(&s.before.elements[b]))
	}
	if d.picture {
		j.require(j.Picture, j.family.picture, j.family.sources[hash(j.e.Source)], j.pictureInForm(&s.before.elements[b]))
	}
	if d.style {
		j.require(j.Style, j.family.style, j.family.styles[styleOf(j.e)], j.styleInForm())
	}
	switch {
	case d.text || d.picture: // what it shows explains its size
		j.inForm = j.inForm && j.fits(true)
	case d.size:
		j.require(j.Size, 0, j.fits(false), false)
	}
	return j.explanation()
}

// nothing is the explanation of a change of which nothing is known.
func (s *Sight) nothing() Explanation { return Explanation{Visits: len(s.knowledge.Visits)} }

// lookAt looks at the part of an element. One that never varied itself is looked at as one of its family; it is nil when none of
// these varied either.
func (s *Sight) lookAt(b, a int) *look {
	if p := s.partsOf[b]; p != nil {
		return s.look(p, s.after, a)
	}
	if path := s.before.paths[b]; s.families[path] != nil && path == s.after.paths[a] {
		return s.look(&Part{Path: path}, s.after, a)
	}
	return nil
}
