package dom

import (
	"math"
	"slices"
	"strings"

	"afterimage/internal/page"
	"afterimage/internal/verify/css"
)

// Restyling is how the styles of all elements changed, each change at the element where it begins.
type Restyling struct {
	All    [][]css.Change // by after element: everything that differs
	Own    [][]css.Change // without what the element took over from others
	Origin []int          // by after element: the one that it took its changes over from, the nearest of several; -1 for none
	Mover  []int          // by after element: the one that it took over from what may have moved or resized it
	Placed [][]css.Change // by after element: what it has in common with what had its place before; see byPlace
	root   float64        // by what factor the text of the root grew
}

// Restyle compares the styles of all matched elements. Parents come before their children.
func (m *Matching) Restyle() *Restyling {
	n := len(m.AfterTree.Content)
	r := &Restyling{
		All: make([][]css.Change, n), Own: make([][]css.Change, n), Placed: make([][]css.Change, n), Origin: unmatched(n),
		Mover: unmatched(n), root: 1,
	}
	for a := range n {
		b := m.ToBefore[a]
		if b < 0 {
			continue
		}
		m.Steps.Take(2)
		was, is := m.BeforeTree.Element(b), m.AfterTree.Element(a)
		if was.Style == 0 || is.Style == 0 {
			continue
		}
		r.All[a] = m.changesOf(was.Style, is.Style)
		if len(r.All[a]) == 0 {
			continue
		}
		if m.AfterTree.Parent(a) < 0 {
			r.root = css.Growth(r.All[a])
		}
		m.takeOver(r, a)
	}
	return r
}

// changesOf compares two styles, each pair of them once.
func (m *Matching) changesOf(was, is int) []css.Change {
	key := [2]int{was, is}
	if known, ok := m.styled[key]; ok {
		return known
	}
	if m.styled == nil {
		m.styled = make(map[[2]int][]css.Change)
	}
	m.Steps.Take(css.KnownProperties)
	before, after := page.Element{Style: was}, page.Element{Style: is}
	changes := css.Changes(before.StyleIn(m.BeforeTree.Styles), after.StyleIn(m.AfterTree.Styles))
	m.styled[key] = changes
	return changes
}

// takeOver splits the changes of an element into its own and those that follow from others: inherited ones, and lengths that
// follow the size of the text.
func (m *Matching) takeOver(r *Restyling, a int) {
	parent := m.AfterTree.Parent(a)
	for parent >= 0 && m.ToBefore[parent] < 0 {
		parent = m.AfterTree.Parent(parent)
	}
	own := css.Growth(r.All[a])
	for _, c := range r.All[a] {
		switch {
		case parent >= 0 && c.Is(css.Inheritable) && slices.Contains(r.All[parent], c):
			m.takeFrom(r, a, parent, c, func(of css.Change) bool { return of.Property == c.Property })
		case css.Bare(c.Property) == "font-size" && parent >= 0 &&
			(near(own, css.Growth(r.All[parent])) || near(own, r.root) || partly(own, r.root)):
			m.takeFrom(r, a, parent, c, css.Change.OfSize)
		case c.FollowsText(own, r.root), m.likeElement(a, c).FollowsText(own, r.root):
			if parent >= 0 && !slices.ContainsFunc(r.Own[a], css.Change.OfSize) {
				m.takeFrom(r, a, parent, c, css.Change.OfSize)
			}
		case m.laidOut(a, c, r):
		default:
			r.Own[a] = append(r.Own[a], c)
		}
	}
	if len(r.Own[a]) > 0 {
		m.byPlace(r, a)
	}
}

// likeElement is a change of generated content, taken to have been as its element was: then it has no value of its own.
func (m *Matching) likeElement(a int, c css.Change) css.Change {
	if c.Before == "" && css.Bare(c.Property) != c.Property {
		c.Before = m.BeforeTree.Element(m.ToBefore[a]).StyleIn(m.BeforeTree.Styles)[css.Bare(c.Property)]
	}
	return c
}

// takeFrom notes from which element around it one took a change over: the nearest that has such a change of its own.
func (m *Matching) takeFrom(r *Restyling, a, parent int, c css.Change, such func(css.Change) bool) {
	from := parent
	for ; from >= 0 && !slices.ContainsFunc(r.Own[from], such); from = m.AfterTree.Parent(from) {
		m.Steps.Take(1)
	}
	if from < 0 {
		if from = r.Origin[parent]; len(r.Own[parent]) > 0 || from < 0 {
			from = parent
		}
	}
	r.Origin[a] = max(r.Origin[a], from)
	if c.Is(css.OfLayout) {
		r.Mover[a] = max(r.Mover[a], from)
	}
}

// laidOut reports whether a property only shows what the layout made of it: the margin of what is centred, a shift by a share of
// the size, the number of columns that fit.
func (m *Matching) laidOut(a int, c css.Change, r *Restyling) bool {
	wider := func(i int) bool {
		if i < 0 || m.ToBefore[i] < 0 {
			return false
		}
		was, is := m.BeforeTree.Element(m.ToBefore[i]), m.AfterTree.Element(i)
		return differs(was.Place().Width, is.Place().Width)
	}
	switch css.Bare(c.Property) {
	case "grid-template-columns":
		return wider(a) || wider(m.AfterTree.Parent(a))
	case "padding":
		return m.sharesWidth(a, c, r)
	case "margin":
		return m.sharesWidth(a, c, r) || m.fills(a, c, r.root)
	case "transform":
		was, is := m.BeforeTree.Element(m.ToBefore[a]).Place(), m.AfterTree.Element(a).Place()
		return strings.HasPrefix(c.Before, "matrix(1, 0, 0, 1,") && strings.HasPrefix(c.After, "matrix(1, 0, 0, 1,") &&
			(differs(was.Width, is.Width) || differs(was.Height, is.Height))
	}
	return false
}

// sharesWidth reports whether lengths are shares of the width of what is around an element, which has another width, but for those that
// grew with the text.
func (m *Matching) sharesWidth(a int, c css.Change, r *Restyling) bool {
	parent := m.AfterTree.Parent(a)
	if parent < 0 || m.ToBefore[parent] < 0 {
		return false
	}
	was, is := m.BeforeTree.Element(m.ToBefore[parent]).Place().Width, m.AfterTree.Element(parent).Place().Width
	return differs(was, is) && was > 0 && c.Scales(is/was, css.Growth(r.All[a]), r.root)
}

// fills reports whether a margin takes the room that is left, and as much more as something else in its surroundings takes less: that of
// what is in the middle, at the end of a row or at the foot of a column. A margin that somebody set has the same effect on what is around
// it, so something else must have made room.
func (m *Matching) fills(a int, c css.Change, root float64) bool {
	parent := m.AfterTree.Parent(a)
	if parent < 0 || m.ToBefore[parent] < 0 {
		return false
	}
	l := m.leftover(a, parent, css.Sides(c.Before), css.Sides(c.After), root)
	rest := l.room.Y - l.alone.Y - l.others.Y
	return l.fillsRow() && (l.fillsColumn() || differs(l.room.Y, 0) && !differs(l.higher, rest) && m.stretched(parent))
}

// leftover is by how much the margins of an element grew, and what is around it.
type leftover struct {
	wider, higher       float64
	room, alone, others Displacement // of what is around it, of itself, and of all beside it
	edited, inside      bool         // something beside it, or in it or beside it
	makesRoom           bool         // something that was edited beside it grew as what is around them
	usedUp              bool         // nothing is left at the sides
	fraction            bool         // the margin is no whole number of pixels: people rarely set such
	together            float64      // by how much all margins at the sides in the row grew, if those share the room evenly
}

func (m *Matching) leftover(a, parent int, was, is [4]float64, root float64) *leftover {
	for side := range was {
		if root != 1 && !differs(is[side], was[side]*root) {
			was[side] = is[side]
		}
	}
	l := &leftover{room: m.gained(parent), alone: m.grew(a)}
	l.usedUp = is[1]+is[3] == 0
	l.wider, l.higher = is[1]+is[3]-was[1]-was[3], is[0]+is[2]-was[0]-was[2]
	m.neighboursGrew(l, parent, a)
	l.together = m.marginsGrew(parent, l.wider)
	l.fraction = root != 1 || slices.ContainsFunc(append(was[:], is[:]...), func(n float64) bool { return !whole(n) })
	l.inside = l.edited || m.edited(a)
	if root != 1 { // all that is in the row grew, and what is between it: less is left
		l.wider, l.higher = unlessLess(l.wider, root), unlessLess(l.higher, root)
	}
	return l
}

// unlessLess is by how much a margin grew, 0 if it did so in another direction than the text.
func unlessLess(grew, root float64) float64 {
	if grew > 0 == (root < 1) {
		return 0
	}
	return grew
}

// fillsColumn reports whether the margins above and below take what the rest of the column, or of the height of the row, leaves.
func (l *leftover) fillsColumn() bool {
	switch {
	case !differs(l.higher, 0):
		return true
	case differs(l.room.Y, 0):
		return l.fraction && !differs(l.higher, l.room.Y-l.alone.Y) && (l.makesRoom || l.inside && differs(l.alone.Y, 0))
	}
	return l.inside && !differs(l.higher, -l.alone.Y-l.others.Y)
}

// fillsRow reports whether the margins at the sides take what the rest of the row leaves.
func (l *leftover) fillsRow() bool {
	alone, all := -l.alone.X, -l.alone.X-l.others.X
	switch {
	case !differs(l.wider, 0):
		return true
	case l.fraction && differs(l.together, l.wider) && !differs(l.together, l.room.X+all):
		return l.inside || differs(l.room.X, 0)
	case differs(l.room.X, 0):
		return !differs(l.wider, l.room.X) || !differs(l.wider, l.room.X+alone) || !differs(l.wider, l.room.X+all)
	case l.edited && !differs(l.wider, -l.others.X):
		return true
	case l.usedUp && l.edited && l.fraction && l.others.X > -l.wider: // and more than what was left
		return true
	}
	return l.inside && l.fraction && (!differs(l.wider, alone) || !differs(l.wider, all))
}

// marginsGrew is by how much the margins at the sides of all children of an element grew, if each grew by so much or not at all.
func (m *Matching) marginsGrew(parent int, each float64) float64 {
	sum := 0.0
	for _, child := range m.AfterTree.Children[parent] {
		b := m.ToBefore[child]
		if b < 0 {
			continue
		}
		is := across(m.AfterTree.Element(child).StyleIn(m.AfterTree.Styles).Value("margin")).X
		grew := is - across(m.BeforeTree.Element(b).StyleIn(m.BeforeTree.Styles).Value("margin")).X
		if differs(grew, 0) && differs(grew, each) {
			return each
		}
		sum += grew
	}
	return sum
}

func whole(n float64) bool { return math.Abs(n-math.Round(n)) < 0.005 }

// neighboursGrew notes by how much the other children of an element are wider and higher together, and whether any of them was edited,
// came or went.
func (m *Matching) neighboursGrew(l *leftover, parent, a int) {
	add := func(d Displacement, edited bool) {
		l.others = Displacement{l.others.X + d.X, l.others.Y + d.Y}
		l.edited = l.edited || edited
		l.makesRoom = l.makesRoom || edited && differs(d.Y, 0) && !differs(d.Y, l.room.Y)
	}
	m.Steps.Take(len(m.AfterTree.Children[parent]))
	kept := 0
	for _, child := range m.AfterTree.Children[parent] {
		switch {
		case child == a:
			kept++
		case m.ToBefore[child] < 0:
			add(outer(m.AfterTree.Element(child), m.AfterTree.Styles), true)
		default:
			kept++
			add(m.grew(child), m.edited(child))
		}
	}
	if kept == len(m.BeforeTree.Children[m.ToBefore[parent]]) {
		return
	}
	for _, child := range m.BeforeTree.Children[m.ToBefore[parent]] {
		if m.ToAfter[child] < 0 {
			add(Displacement{}.Minus(outer(m.BeforeTree.Element(child), m.BeforeTree.Styles)), true)
		}
	}
}

// stretched reports whether an element, or one around it that grew likewise, is as much higher as one beside it that was edited, or as
// what is around both, which something of at least that height came into. A margin that somebody set would have added to that.
func (m *Matching) stretched(a int) bool {
	grew := m.grew(a).Y
	for levels := 0; levels < MaxUp; levels++ {
		parent := m.AfterTree.Parent(a)
		if parent < 0 || m.ToBefore[a] < 0 || differs(m.grew(a).Y, grew) {
			return false
		}
		m.Steps.Take(len(m.AfterTree.Children[parent]))
		top := m.AfterTree.Element(a).Place().Y
		for _, child := range m.AfterTree.Children[parent] {
			if m.ToBefore[child] < 0 && m.ToBefore[parent] >= 0 && !differs(m.grew(parent).Y, grew) &&
				outer(m.AfterTree.Element(child), m.AfterTree.Styles).Y > grew-Follows {
				return true
			}
			if child != a && m.ToBefore[child] >= 0 && !differs(m.AfterTree.Element(child).Place().Y, top) &&
				!differs(m.grew(child).Y, grew) && m.edited(child) {
				return true
			}
		}
		a = parent
	}
	return false
}

// grew is by how much an element is wider and higher than before.
func (m *Matching) grew(a int) Displacement {
	was, is := m.BeforeTree.Element(m.ToBefore[a]).Place(), m.AfterTree.Element(a).Place()
	return Displacement{is.Width - was.Width, is.Height - was.Height}
}

// gained is by how much the room within the padding of an element is wider and higher than before.
func (m *Matching) gained(a int) Displacement {
	sums := func(e *page.Element, styles []page.Style) Displacement {
		return across(e.StyleIn(styles).Value("padding"))
	}
	more := sums(m.AfterTree.Element(a), m.AfterTree.Styles).Minus(sums(m.BeforeTree.Element(m.ToBefore[a]), m.BeforeTree.Styles))
	return m.grew(a).Minus(more)
}

// outer is how much room an element takes with its margins.
func outer(e *page.Element, styles []page.Style) Displacement {
	around := across(e.StyleIn(styles).Value("margin"))
	return Displacement{e.Place().Width + around.X, e.Place().Height + around.Y}
}

// across adds the lengths at opposite sides of a box.
func across(value string) Displacement {
	sides := css.Sides(value)
	return Displacement{sides[1] + sides[3], sides[0] + sides[2]}
}

// edited reports whether the words or the style of an element or of what is in it are others, or something in it came or went. Its own
// margin does not count.
func (m *Matching) edited(a int) bool {
	if m.BeforeTree.Content[m.ToBefore[a]] != m.AfterTree.Content[a] {
		return true
	}
	for i := a; i < len(m.AfterTree.Content) && i <= a+MaxInside && m.AfterTree.Within(i, a); i++ {
		if m.ToBefore[i] < 0 {
			return true
		}
		for _, c := range m.changesOf(m.BeforeTree.Element(m.ToBefore[i]).Style, m.AfterTree.Element(i).Style) {
			if (i != a || css.Bare(c.Property) != "margin") && c.Is(css.OfLayout) {
				return true
			}
		}
	}
	return false
}

// partly reports whether something grew with the text of the root, but less: its size is a sum of a length that follows it and others.
func partly(own, root float64) bool {
	return own != 1 && (own-1)*(root-1) > 0 && math.Abs(own-1) <= math.Abs(root-1)
}

func near(a, b float64) bool { return a != 1 && math.Abs(a-b) < 0.01*b }
