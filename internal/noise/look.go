package noise

import (
	"fmt"
	"strings"

	"afterimage/internal/page"
)

// look is the state of a part in a visit against what it has shown.
type look struct {
	*Part
	family   *family
	layout   *layout
	at       int
	e        *page.Element
	excluded Pairs
	visits   int // pairs that count
	probes   int // of these

	changed int // of the property that changed least
	inForm  bool
	varies  bool
	known   bool // every value has been shown before
}

func (s *Sight) look(p *Part, l *layout, at int) *look {
	excluded := s.knowledge.excluded(p)
	counted := s.knowledge.all() &^ excluded
	visits, probes := counted.Count(), (s.knowledge.from(FromProbe) & counted).Count()
	return &look{
		Part: p, family: s.families[p.Path], layout: l, at: at, e: &l.elements[at], excluded: excluded,
		visits: visits, probes: probes, changed: visits, inForm: true, varies: true, known: true,
	}
}

// require says that a property changed, whether it has shown the present value before, and whether that is within its form. For a
// value that is known, the changes of the whole family count: what moves on from one to the next is seldom at each of them. They
// do as well in a list that grows and shrinks, whose entries have no places of their own.
func (j *look) require(own, ofFamily Pairs, known, inForm bool) {
	n, share := (own &^ j.excluded).Count(), usually
	if known || j.family.presence.Count() >= leastChanges {
		n = max(n, ofFamily.Count())
	}
	if known {
		share = sometimes
	}
	j.changed = min(j.changed, n)
	j.known = j.known && known
	j.inForm = j.inForm && (inForm || known)
	j.varies = j.varies && (j.Mark == MarkVarying || n >= leastChanges && 100*n >= share*j.visits)
}

// fits reports whether the width and the height are within what the part, or one of its kind, has had. If it shows something else
// now, a text may take one line more or less, and as much of the width as there is.
func (j *look) fits(another bool) bool {
	if j.Mark == MarkVarying && len(j.Heights) == 0 { // marked before it was seen to vary
		return true
	}
	line, wide := 0, false
	if leaf := j.e.Text != "" && len(j.layout.children[j.at]) == 0; leaf && (another || len(j.family.heights) > 1) {
		line = lineOf(j.e)
		parent := j.layout.parent(j.at)
		wide = another && parent >= 0 && right(j.e.Box) <= right(j.layout.elements[parent].Box)+sizeSlack
	}
	return (wide || within(j.family.widths, j.e.Box.Width, sizePart, sizeSlack+line)) &&
		within(j.family.heights, j.e.Box.Height, sizePart, sizeSlack+line)
}

func right(b page.Box) int { return b.X + b.Width }

// lineOf is the height of a line of an element's text in pixels, at most.
func lineOf(e *page.Element) int {
	size, ok := fontSize(e)
	if !ok {
		size = 16
	}
	return min(size, 100) * 7 / 4
}

// within reports whether a measure lies between the least and the greatest that were seen, with a tolerance. Few values of many do
// not reach their ends: several different ones may be exceeded by half of their span.
func within(seen values, n, percent, slack int) bool {
	if len(seen) == 0 {
		return false
	}
	least, most := seen.reach()
	least, most = least-measureZero, most-measureZero
	beyond := 0
	if seen.different() >= leastDifferent {
		beyond = (most - least) / 2
	}
	return n >= least-max(beyond, slack+abs(least)*percent/100) && n <= most+max(beyond, slack+abs(most)*percent/100)
}

// leastDifferent is the number of different values from which others like them are expected.
const leastDifferent = 3

func abs(n int) int { return max(n, -n) }

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
		if j.probes > 0 {
			fmt.Fprintf(&text, " (%d of them probes)", j.probes)
		}
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
