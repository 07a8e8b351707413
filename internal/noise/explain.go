package noise

import (
	"fmt"
	"slices"
	"strings"

	"afterimage/internal/page"
)

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
	Box       page.Box
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

// Explain tells whether a change is one that the page makes by itself.
func (s *Sight) Explain(c Change) Explanation {
	switch {
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
	case b >= 0 && a >= 0:
		return s.explainElement(b, a)
	case b >= 0:
		return s.explainPresence(s.before, b, s.partsOf[b])
	}
	return s.explainPresence(s.after, a, s.newParts[a])
}

// explainElement explains a change of an element that is in both visits: every property that differs must be one that varies,
// and show what lies within its form.
func (s *Sight) explainElement(b, a int) Explanation {
	j := s.lookAt(b, a)
	if j == nil {
		return Explanation{Visits: len(s.knowledge.Visits)}
	}
	d := s.differ(b, a)
	if !d.any() {
		return s.explainPixels(Change{Before: b, After: a, Box: s.after.elements[a].Box})
	}
	if d.text {
		j.require(j.Text, j.family.text, j.textKnown(), j.textInForm(&s.before.elements[b]))
	}
	if d.picture {
		j.require(j.Picture, j.family.picture, j.family.sources[hash(j.e.Source)], j.pictureInForm(&s.before.elements[b]))
	}
	if d.style {
		j.require(j.Style, j.family.style, j.family.styles[styleOf(j.e)], false)
	}
	switch {
	case d.text || d.picture: // what it shows explains its size
		j.inForm = j.inForm && j.fits()
	case d.size:
		j.require(j.Size, 0, j.fits(), false)
	}
	return j.explanation()
}

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

// explainPixels explains pixels that differ where no property of an element does: by a part that is known to be painted anew and
// covers them.
func (s *Sight) explainPixels(c Change) Explanation {
	best := Explanation{Visits: len(s.knowledge.Visits)}
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
	return best
}

// explainPresence explains an element that appeared or disappeared: it, or the elements of its kind, are known to come and go,
// and what contained it is not empty now.
func (s *Sight) explainPresence(l *layout, i int, p *Part) Explanation {
	if p == nil {
		p = s.relative(l.paths[i])
	}
	if p == nil {
		return Explanation{Visits: len(s.knowledge.Visits)}
	}
	j := s.look(p, l, i)
	j.require(p.Presence, 0, true, l == s.after && j.fits() || l == s.before && !s.emptied(i))
	return j.explanation()
}

// relative is a part of the same kind that comes and goes, for an element that was never seen: a list that is one entry longer
// than before. It is nil when there are far more of its kind than ever.
func (s *Sight) relative(path uint32) *Part {
	if s.families[path] == nil {
		return nil
	}
	for _, p := range s.families[path].parts {
		if p.Presence != 0 && len(s.after.byPath[path]) <= p.Of+max(1, p.Of/2) {
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

// look is the state of a part in a visit against what it has shown.
type look struct {
	*Part
	family   *family
	layout   *layout
	at       int
	e        *page.Element
	excluded Pairs
	visits   int // pairs that count

	changed int // of the property that changed least
	inForm  bool
	varies  bool
	known   bool // every value has been shown before
}

func (s *Sight) look(p *Part, l *layout, at int) *look {
	excluded := s.knowledge.excluded(p)
	visits := (s.knowledge.all() &^ excluded).Count()
	return &look{
		Part: p, family: s.families[p.Path], layout: l, at: at, e: &l.elements[at], excluded: excluded, visits: visits, changed: visits,
		inForm: true, varies: true, known: true,
	}
}

// require says that a property changed, whether it has shown the present value before, and whether that is within its form. For a
// value that is known, the changes of the whole family count: what moves on from one to the next is seldom at each of them.
func (j *look) require(own, ofFamily Pairs, known, inForm bool) {
	n, share := (own &^ j.excluded).Count(), usually
	if known {
		n, share = max(n, ofFamily.Count()), sometimes
	}
	j.changed = min(j.changed, n)
	j.known = j.known && known
	j.inForm = j.inForm && (inForm || known)
	j.varies = j.varies && (j.Mark == MarkVarying || n >= leastChanges && 100*n >= share*j.visits)
}

// fits reports whether the width and the height are within what the part has had. A text may take one line more or less.
func (j *look) fits() bool {
	if j.Mark == MarkVarying && len(j.Heights) == 0 { // marked before it was seen to vary
		return true
	}
	widths, heights := j.Widths.without(j.excluded), j.Heights.without(j.excluded)
	if len(heights) == 0 || (j.Size&^j.excluded).Count() >= leastChanges { // sizes that vary are those of the whole family
		widths, heights = j.family.widths, j.family.heights
	}
	line := 0
	if j.e.Text != "" && len(j.layout.children[j.at]) == 0 && len(heights) > 1 {
		line = lineOf(j.e)
	}
	return within(widths, j.e.Box.Width, sizePart, sizeSlack+line) && within(heights, j.e.Box.Height, sizePart, sizeSlack+line)
}

// lineOf is the height of a line of an element's text in pixels, at most.
func lineOf(e *page.Element) int {
	var size int
	if _, err := fmt.Sscanf(e.Font, "%dpx", &size); err != nil || size <= 0 {
		size = 16
	}
	return min(size, 100) * 7 / 4
}

// within reports whether a measure lies between the least and the greatest that were seen, with a tolerance.
func within(seen values, n, percent, slack int) bool {
	if len(seen) == 0 {
		return false
	}
	least, most := seen.reach()
	least, most = least-measureZero, most-measureZero
	return n >= least-slack-abs(least)*percent/100 && n <= most+slack+abs(most)*percent/100
}

func abs(n int) int { return max(n, -n) }

// textKnown reports whether the part, or one of its kind, has shown the text before, or another date, time or number in the same
// words. The price of an item that is known is known by itself only.
func (j *look) textKnown() bool {
	f := FormOf(j.e.Text)
	switch {
	case f == FormFault:
		return false
	case f == FormPrice && j.contradicted():
		return false
	case f.valued() && j.hasForm(f) && j.Masks.without(j.excluded).has(hash(mask(j.e.Text))):
		return j.plausible(countReach)
	}
	return f == FormEmpty && j.hasForm(FormEmpty) || f != FormEmpty && j.family.texts[hash(j.e.Text)]
}

// contradicted reports whether the part has shown another price for the same item, and never more than one.
func (j *look) contradicted() bool {
	beside := j.layout.beside(j.at)
	prices := j.family.prices[beside]
	return beside != 0 && len(prices) == 1 && !prices[hash(j.e.Text)]
}

func (j *look) hasForm(f Form) bool {
	return slices.ContainsFunc(j.Forms, func(x form) bool { return x.Form == f && x.In&^j.excluded != 0 })
}

// textInForm reports whether a text that the part has not shown is like those that it has.
func (j *look) textInForm(was *page.Element) bool {
	f := FormOf(j.e.Text)
	if j.Mark == MarkVarying && len(j.Forms) == 0 && f != FormFault && f != FormEmpty {
		return f == FormOf(was.Text)
	}
	free := len(j.Masks.without(j.excluded)) >= freeMasks
	switch f {
	case FormEmpty, FormFault:
		return false
	case FormPrice:
		return j.hasForm(f) && !j.contradicted() && j.plausible(priceReach)
	case FormDate, FormTime, FormRelative:
		return j.hasForm(f) || free && j.long() && j.hasForm(FormText)
	case FormCount:
		return j.countInForm(free)
	}
	return j.hasForm(FormText) && j.long()
}

// countInForm reports whether a count stands in words that the part has shown, or the part shows any text, and this is one.
func (j *look) countInForm(free bool) bool {
	inWords := free || j.Masks.without(j.excluded).has(hash(mask(j.e.Text)))
	return j.hasForm(FormCount) && inWords && j.plausible(countReach) || free && j.long() && j.hasForm(FormText)
}

// long reports whether the text is about as long as those that the part has shown.
func (j *look) long() bool {
	seen := j.Lengths.without(j.excluded)
	if len(seen) == 0 {
		return false
	}
	least, most := seen.reach()
	least, most = least-measureZero, most-measureZero
	n := len(j.e.Text)
	return 3*n >= least && n <= most+most*lengthPart/100+sizeSlack
}

// plausible reports whether the number in the text is of about the size of those that the part has shown.
func (j *look) plausible(factor int) bool {
	n, ok := amount(j.e.Text)
	seen := j.Numbers.without(j.excluded)
	if !ok || len(seen) == 0 {
		return true
	}
	least, most := seen.reach()
	least, most = least-measureZero, most-measureZero
	if form := FormOf(j.e.Text); form != FormPrice && form != FormCount {
		return true
	}
	return (n > 0 || least <= 0) && n*factor >= least && n <= max(most, 1)*factor
}

// pictureInForm reports whether a picture that the part has not shown has an address like those that it has.
func (j *look) pictureInForm(was *page.Element) bool {
	if j.Mark == MarkVarying && len(j.Shapes) == 0 {
		return j.e.Source != "" && shapeOf(j.e.Source) == shapeOf(was.Source)
	}
	return j.e.Source != "" && j.Shapes.without(j.excluded).has(shapeOf(j.e.Source))
}

func (j *look) explanation() Explanation {
	e := Explanation{
		Known: j.changed > 0 || j.Mark != MarkNone, Changed: j.changed, Visits: j.visits, InForm: j.inForm,
		Quiet: j.varies && j.inForm && j.Mark != MarkContent, Marked: j.Mark,
	}
	e.Reason = j.words(e.Quiet)
	return e
}

// words says what is known, in one sentence.
func (j *look) words(quiet bool) string {
	var text strings.Builder
	switch {
	case j.Mark == MarkContent:
		return "This part was marked as content."
	case j.Mark == MarkVarying:
		text.WriteString("This part was marked as varying")
	case j.changed == 0:
		return ""
	default:
		fmt.Fprintf(&text, "This part changed in %d of %d earlier visits", j.changed, j.visits)
	}
	switch texts, sources := len(j.Texts.without(j.excluded)), len(j.Sources.without(j.excluded)); {
	case quiet && j.known && max(texts, sources) > 1 && max(texts, sources) < maxValues && !FormOf(j.e.Text).valued():
		fmt.Fprintf(&text, " and shows one of %d known values.", max(texts, sources))
	case j.inForm:
		text.WriteString(" and shows a known form.")
	default:
		text.WriteString(", but never showed anything of this form.")
	}
	return text.String()
}
