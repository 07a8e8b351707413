package verify

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"afterimage/internal/page"
)

// restyling is how the styles of all elements changed, each change at the element where it begins.
type restyling struct {
	all    [][]styleChange // by after element: everything that differs
	own    [][]styleChange // without what the element took over from others
	origin []int           // by after element: the one that it took its changes over from, the nearest of several; -1 for none
	mover  []int           // by after element: the one that it took over from what may have moved or resized it
	root   float64         // by what factor the text of the root grew
}

// restyle compares the styles of all matched elements. Parents come before their children.
func (v *view) restyle() *restyling {
	n := len(v.afterTree.content)
	r := &restyling{all: make([][]styleChange, n), own: make([][]styleChange, n), origin: unknown(n), mover: unknown(n),
		root: 1}
	for a := range n {
		b := v.toBefore[a]
		if b < 0 {
			continue
		}
		v.steps.take(2)
		was, is := v.beforeTree.element(b), v.afterTree.element(a)
		if was.Style == 0 || is.Style == 0 {
			continue
		}
		r.all[a] = v.changesOf(was.Style, is.Style)
		if len(r.all[a]) == 0 {
			continue
		}
		if v.afterTree.parent(a) < 0 {
			r.root = growth(r.all[a])
		}
		v.takeOver(r, a)
	}
	return r
}

// changesOf compares two styles, each pair of them once.
func (v *view) changesOf(was, is int) []styleChange {
	key := [2]int{was, is}
	if known, ok := v.styled[key]; ok {
		return known
	}
	if v.styled == nil {
		v.styled = make(map[[2]int][]styleChange)
	}
	v.steps.take(len(styleNames))
	before, after := page.Element{Style: was}, page.Element{Style: is}
	changes := styleChanges(before.StyleIn(v.Pair.Before.Styles), after.StyleIn(v.Pair.After.Styles))
	v.styled[key] = changes
	return changes
}

// takeOver splits the changes of an element into its own and those that follow from others: inherited ones, and lengths that
// follow the size of the text.
func (v *view) takeOver(r *restyling, a int) {
	parent := v.afterTree.parent(a)
	for parent >= 0 && v.toBefore[parent] < 0 {
		parent = v.afterTree.parent(parent)
	}
	own := growth(r.all[a])
	for _, c := range r.all[a] {
		switch {
		case parent >= 0 && c.is(inheritable) && slices.Contains(r.all[parent], c):
			v.takeFrom(r, a, parent, c, func(of styleChange) bool { return of.property == c.property })
		case bare(c.property) == "font-size" && parent >= 0 &&
			(near(own, growth(r.all[parent])) || near(own, r.root) || partly(own, r.root)):
			v.takeFrom(r, a, parent, c, styleChange.ofSize)
		case c.followsText(own, r.root), v.likeElement(a, c).followsText(own, r.root):
			if parent >= 0 && !slices.ContainsFunc(r.own[a], styleChange.ofSize) {
				v.takeFrom(r, a, parent, c, styleChange.ofSize)
			}
		case v.laidOut(a, c, r):
		default:
			r.own[a] = append(r.own[a], c)
		}
	}
}

// followsText reports whether lengths grew as the text of the element or of the root did.
func (c styleChange) followsText(own, root float64) bool {
	name := bare(c.property)
	lengths := c.is(ofLayout) || name == "border-radius" || name == "box-shadow" || name == "text-shadow"
	return name != "font-size" && lengths && (c.scales(own) || c.scales(root))
}

// likeElement is a change of generated content, taken to have been as its element was: then it has no value of its own.
func (v *view) likeElement(a int, c styleChange) styleChange {
	if c.before == "" && bare(c.property) != c.property {
		c.before = v.beforeTree.element(v.toBefore[a]).StyleIn(v.Pair.Before.Styles)[bare(c.property)]
	}
	return c
}

// takeFrom notes from which element around it one took a change over: the nearest that has such a change of its own.
func (v *view) takeFrom(r *restyling, a, parent int, c styleChange, such func(styleChange) bool) {
	from := parent
	for ; from >= 0 && !slices.ContainsFunc(r.own[from], such); from = v.afterTree.parent(from) {
		v.steps.take(1)
	}
	if from < 0 {
		if from = r.origin[parent]; len(r.own[parent]) > 0 || from < 0 {
			from = parent
		}
	}
	r.origin[a] = max(r.origin[a], from)
	if c.is(ofLayout) {
		r.mover[a] = max(r.mover[a], from)
	}
}

func (c styleChange) ofSize() bool { return c.property == "font-size" }

// laidOut reports whether a property only shows what the layout made of it: the margin of what is centred, a shift by a share of
// the size, the number of columns that fit.
func (v *view) laidOut(a int, c styleChange, r *restyling) bool {
	wider := func(i int) bool {
		if i < 0 || v.toBefore[i] < 0 {
			return false
		}
		was, is := v.beforeTree.element(v.toBefore[i]), v.afterTree.element(i)
		return differs(was.Place().Width, is.Place().Width)
	}
	switch bare(c.property) {
	case "grid-template-columns":
		return wider(a) || wider(v.afterTree.parent(a))
	case "padding":
		return v.sharesWidth(a, c, r)
	case "margin":
		return v.sharesWidth(a, c, r) || v.fills(a, c, r.root)
	case "transform":
		was, is := v.beforeTree.element(v.toBefore[a]).Place(), v.afterTree.element(a).Place()
		return strings.HasPrefix(c.before, "matrix(1, 0, 0, 1,") && strings.HasPrefix(c.after, "matrix(1, 0, 0, 1,") &&
			(differs(was.Width, is.Width) || differs(was.Height, is.Height))
	}
	return false
}

// sharesWidth reports whether lengths are shares of the width of what is around an element, which has another width, but for those that
// grew with the text.
func (v *view) sharesWidth(a int, c styleChange, r *restyling) bool {
	parent := v.afterTree.parent(a)
	if parent < 0 || v.toBefore[parent] < 0 {
		return false
	}
	was, is := v.beforeTree.element(v.toBefore[parent]).Place().Width, v.afterTree.element(parent).Place().Width
	return differs(was, is) && was > 0 && c.scales(is/was, growth(r.all[a]), r.root)
}

// fills reports whether a margin takes the room that is left, and as much more as something else in its surroundings takes less: that of
// what is in the middle, at the end of a row or at the foot of a column. A margin that somebody set has the same effect on what is around
// it, so something else must have made room.
func (v *view) fills(a int, c styleChange, root float64) bool {
	parent := v.afterTree.parent(a)
	if parent < 0 || v.toBefore[parent] < 0 {
		return false
	}
	l := v.leftover(a, parent, sidesOf(c.before), sidesOf(c.after), root)
	rest := l.room.y - l.alone.y - l.others.y
	return l.fillsRow() && (l.fillsColumn() || differs(l.room.y, 0) && !differs(l.higher, rest) && v.stretched(parent))
}

// leftover is by how much the margins of an element grew, and what is around it.
type leftover struct {
	wider, higher       float64
	room, alone, others displacement // of what is around it, of itself, and of all beside it
	edited, inside      bool         // something beside it, or in it or beside it
	makesRoom           bool         // something that was edited beside it grew as what is around them
	usedUp              bool         // nothing is left at the sides
	fraction            bool         // the margin is no whole number of pixels: people rarely set such
}

func (v *view) leftover(a, parent int, was, is [4]float64, root float64) *leftover {
	for side := range was {
		if root != 1 && !differs(is[side], was[side]*root) {
			was[side] = is[side]
		}
	}
	l := &leftover{room: v.gained(parent), alone: v.grew(a)}
	l.usedUp = is[1]+is[3] == 0
	l.wider, l.higher = is[1]+is[3]-was[1]-was[3], is[0]+is[2]-was[0]-was[2]
	v.neighboursGrew(l, parent, a)
	l.fraction = root != 1 || slices.ContainsFunc(append(was[:], is[:]...), func(n float64) bool { return !whole(n) })
	l.inside = l.edited || v.edited(a)
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
	case differs(l.room.y, 0):
		return l.fraction && !differs(l.higher, l.room.y-l.alone.y) && (l.makesRoom || l.inside && differs(l.alone.y, 0))
	}
	return l.inside && !differs(l.higher, -l.alone.y-l.others.y)
}

// fillsRow reports whether the margins at the sides take what the rest of the row leaves.
func (l *leftover) fillsRow() bool {
	alone, all := -l.alone.x, -l.alone.x-l.others.x
	switch {
	case !differs(l.wider, 0):
		return true
	case differs(l.room.x, 0):
		return !differs(l.wider, l.room.x) || !differs(l.wider, l.room.x+alone) || !differs(l.wider, l.room.x+all)
	case l.edited && !differs(l.wider, -l.others.x):
		return true
	case l.usedUp && l.edited && l.fraction && l.others.x > -l.wider: // and more than what was left
		return true
	}
	return l.inside && l.fraction && (!differs(l.wider, alone) || !differs(l.wider, all))
}

func whole(n float64) bool { return math.Abs(n-math.Round(n)) < 0.005 }

// neighboursGrew notes by how much the other children of an element are wider and higher together, and whether any of them was edited,
// came or went.
func (v *view) neighboursGrew(l *leftover, parent, a int) {
	add := func(d displacement, edited bool) {
		l.others = displacement{l.others.x + d.x, l.others.y + d.y}
		l.edited = l.edited || edited
		l.makesRoom = l.makesRoom || edited && differs(d.y, 0) && !differs(d.y, l.room.y)
	}
	v.steps.take(len(v.afterTree.children[parent]))
	kept := 0
	for _, child := range v.afterTree.children[parent] {
		switch {
		case child == a:
			kept++
		case v.toBefore[child] < 0:
			add(outer(v.afterTree.element(child), v.Pair.After.Styles), true)
		default:
			kept++
			add(v.grew(child), v.edited(child))
		}
	}
	if kept == len(v.beforeTree.children[v.toBefore[parent]]) {
		return
	}
	for _, child := range v.beforeTree.children[v.toBefore[parent]] {
		if v.toAfter[child] < 0 {
			add(displacement{}.minus(outer(v.beforeTree.element(child), v.Pair.Before.Styles)), true)
		}
	}
}

// stretched reports whether an element, or one around it that grew likewise, is as much higher as one beside it that was edited, or as
// what is around both, which something of at least that height came into. A margin that somebody set would have added to that.
func (v *view) stretched(a int) bool {
	grew := v.grew(a).y
	for levels := 0; levels < maxUp; levels++ {
		parent := v.afterTree.parent(a)
		if parent < 0 || v.toBefore[a] < 0 || differs(v.grew(a).y, grew) {
			return false
		}
		v.steps.take(len(v.afterTree.children[parent]))
		top := v.afterTree.element(a).Place().Y
		for _, child := range v.afterTree.children[parent] {
			if v.toBefore[child] < 0 && v.toBefore[parent] >= 0 && !differs(v.grew(parent).y, grew) &&
				outer(v.afterTree.element(child), v.Pair.After.Styles).y > grew-follows {
				return true
			}
			if child != a && v.toBefore[child] >= 0 && !differs(v.afterTree.element(child).Place().Y, top) &&
				!differs(v.grew(child).y, grew) && v.edited(child) {
				return true
			}
		}
		a = parent
	}
	return false
}

// grew is by how much an element is wider and higher than before.
func (v *view) grew(a int) displacement {
	was, is := v.beforeTree.element(v.toBefore[a]).Place(), v.afterTree.element(a).Place()
	return displacement{is.Width - was.Width, is.Height - was.Height}
}

// gained is by how much the room within the padding of an element is wider and higher than before.
func (v *view) gained(a int) displacement {
	sums := func(e *page.Element, styles []page.Style) displacement {
		return across(e.StyleIn(styles).Value("padding"))
	}
	more := sums(v.afterTree.element(a), v.Pair.After.Styles).minus(sums(v.beforeTree.element(v.toBefore[a]), v.Pair.Before.Styles))
	return v.grew(a).minus(more)
}

// outer is how much room an element takes with its margins.
func outer(e *page.Element, styles []page.Style) displacement {
	around := across(e.StyleIn(styles).Value("margin"))
	return displacement{e.Place().Width + around.x, e.Place().Height + around.y}
}

// across adds the lengths at opposite sides of a box.
func across(value string) displacement {
	sides := sidesOf(value)
	return displacement{sides[1] + sides[3], sides[0] + sides[2]}
}

// edited reports whether the words or the style of an element or of what is in it are others, or something in it came or went. Its own
// margin does not count.
func (v *view) edited(a int) bool {
	if v.beforeTree.content[v.toBefore[a]] != v.afterTree.content[a] {
		return true
	}
	for i := a; i < len(v.afterTree.content) && i <= a+maxInside && v.afterTree.within(i, a); i++ {
		if v.toBefore[i] < 0 {
			return true
		}
		for _, c := range v.changesOf(v.beforeTree.element(v.toBefore[i]).Style, v.afterTree.element(i).Style) {
			if (i != a || bare(c.property) != "margin") && c.is(ofLayout) {
				return true
			}
		}
	}
	return false
}

// sidesOf reads the lengths at the four sides of a box: top, right, bottom, left.
func sidesOf(value string) [4]float64 {
	words := strings.Fields(value)
	var n [4]float64
	for i := range n {
		switch len(words) {
		case 1:
			n[i] = pixelsOf(words[0])
		case 2:
			n[i] = pixelsOf(words[i%2])
		case 3:
			n[i] = pixelsOf(words[[4]int{0, 1, 2, 1}[i]])
		case 4:
			n[i] = pixelsOf(words[i])
		}
	}
	return n
}

// growth is by what factor the size of the text grew, 1 for none.
func growth(changes []styleChange) float64 {
	for _, c := range changes {
		if c.property == "font-size" {
			if was, is := pixelsOf(c.before), pixelsOf(c.after); was > 0 && is > 0 {
				return is / was
			}
		}
	}
	return 1
}

// partly reports whether something grew with the text of the root, but less: its size is a sum of a length that follows it and others.
func partly(own, root float64) bool {
	return own != 1 && (own-1)*(root-1) > 0 && math.Abs(own-1) <= math.Abs(root-1)
}

func near(a, b float64) bool { return a != 1 && math.Abs(a-b) < 0.01*b }

// scales reports whether all lengths of a change grew by one of some factors, up to rounding.
func (c styleChange) scales(by ...float64) bool {
	was, is := strings.Fields(c.before), strings.Fields(c.after)
	if len(was) != len(is) || len(was) == 0 {
		return false
	}
	for i := range was {
		from, to := pixelsOf(was[i]), pixelsOf(is[i])
		grew := func(by float64) bool {
			return by != 1 && from != 0 && math.Abs(to-from*by) <= 0.6+0.01*math.Abs(to)
		}
		if was[i] != is[i] && !slices.ContainsFunc(by, grew) {
			return false
		}
	}
	return true
}

// pixelsOf is a length in pixels, 0 for anything else.
func pixelsOf(value string) float64 {
	number, ok := strings.CutSuffix(strings.TrimSuffix(value, ","), "px")
	if !ok {
		return 0
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) {
		return 0
	}
	return n
}

// differs reports whether two lengths differ by more than the layout's rounding.
func differs(a, b float64) bool { return math.Abs(a-b) > 0.6 }
