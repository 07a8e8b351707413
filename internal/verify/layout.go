package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"afterimage/internal/verify/css"
	"afterimage/internal/verify/dom"
)

// A layout explains where elements stand and how large they are, from the root down: an element stands where its parent, what comes
// before it and its own style put it, and is as large as its content and its surroundings make it. What nothing explains is a change
// of its own.
type layout struct {
	*view
	styles *dom.Restyling
	own    []Finding

	moved, grown []dom.Displacement // by after element
	driver       []int              // by after element: the first change of an own kind in it that may move something; -1 for none
	itself       []int              // by after element: such a change of the element itself, or of the one that it inherits from
	movedBy      []int              // by after element: the change that its place follows from
	sizedBy      []int              // by after element: the change that its size follows from
	displacers   map[int]int        // by after element: the change by which its children have other places
	before       []int              // by after element: the last change that moved or resized one of its children so far
}

// unknownCause stands for no change.
const unknownCause = -1

func (v *view) layOut(r *dom.Restyling, own []Finding) *layout {
	n := len(v.AfterTree.Content)
	l := &layout{view: v, styles: r, own: own, moved: make([]dom.Displacement, n), grown: make([]dom.Displacement, n), driver: unknown(n),
		itself: unknown(n), movedBy: unknown(n), sizedBy: unknown(n), before: unknown(n)}
	l.displaced()
	l.drive()
	v.Steps.Take(4 * n)
	for a := range n {
		b := v.ToBefore[a]
		if b < 0 {
			l.noteSibling(a, l.driver[a])
			continue
		}
		was, is := v.BeforeTree.Element(b).Place(), v.AfterTree.Element(a).Place()
		l.moved[a] = dom.Displacement{X: is.X - was.X, Y: is.Y - was.Y}
		l.grown[a] = dom.Displacement{X: is.Width - was.Width, Y: is.Height - was.Height}
		l.size(a)
		l.place(a, b)
	}
	l.namePlaces()
	return l
}

func unknown(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = unknownCause
	}
	return list
}

// mayMove reports whether a change may move or resize anything.
func (f *Finding) mayMove() bool {
	switch f.Change {
	case StyleChanged:
		for _, c := range f.styles {
			if c.Is(css.OfLayout) || css.Bare(c.Property) == "box" {
				return true
			}
		}
		return false
	case Repainted, Unexplained, Blanked:
		return false
	}
	return true
}

// drive finds for each element the changes in it that may move something.
func (l *layout) drive() {
	lost := unknown(len(l.driver))
	for i := range l.own {
		f := &l.own[i]
		if !f.mayMove() {
			continue
		}
		if f.Change == Vanished {
			if at := l.anchor(f.at); at >= 0 && lost[at] < 0 {
				lost[at] = i
			}
		} else if l.itself[f.at] < 0 {
			l.itself[f.at] = i
		}
		for _, mover := range f.members {
			if l.itself[mover] < 0 {
				l.itself[mover] = i
			}
		}
	}
	l.inherit()
	for a := len(l.driver) - 1; a >= 0; a-- {
		switch {
		case l.itself[a] >= 0:
			l.driver[a] = l.itself[a]
		case lost[a] >= 0 && l.driver[a] < 0:
			l.driver[a] = lost[a]
		}
		if parent := l.AfterTree.Parent(a); parent >= 0 && l.driver[a] >= 0 {
			l.driver[parent] = l.driver[a] // the first child is the last one here
		}
	}
}

// inherit finds the elements that took over a change of style.
func (l *layout) inherit() {
	ofOrigin := make(map[int]int)
	for i := range l.own {
		if f := &l.own[i]; f.ofStyle() {
			ofOrigin[f.at] = i
		}
	}
	for a, origin := range l.styles.Mover {
		if cause, ok := ofOrigin[origin]; ok && l.itself[a] < 0 && l.own[cause].mayMove() {
			l.itself[a] = cause
		}
	}
}

// anchor is the element of the after page within which one of the before page was, -1 for none.
func (l *layout) anchor(b int) int {
	for up := l.BeforeTree.Parent(b); up >= 0; up = l.BeforeTree.Parent(up) {
		if l.ToAfter[up] >= 0 {
			return l.ToAfter[up]
		}
	}
	return -1
}

// size explains how large an element is.
func (l *layout) size(a int) {
	if !l.grown[a].Beyond(dom.Follows) || l.sizedBy[a] >= 0 {
		return
	}
	parent := l.AfterTree.Parent(a)
	candidates := []int{l.itself[a]}
	wider := math.Abs(l.grown[a].X) > dom.Follows
	if wider && parent >= 0 {
		candidates = append(candidates, l.sizedBy[parent])
	}
	candidates = append(candidates, l.driver[a])
	if parent >= 0 {
		candidates = append(candidates, l.sizedBy[parent], l.before[parent], l.driver[parent])
	}
	if l.placedFreely(a) { // it may be as large as anything around it
		candidates = append(candidates, l.sizedAround(a))
	}
	if tag := l.AfterTree.Element(a).Tag; wider && (tag == "td" || tag == "th") { // as wide as the others in its column
		candidates = append(candidates, l.inTable(a))
	}
	if l.sizedBy[a] = firstKnown(candidates...); l.sizedBy[a] >= 0 || !l.grown[a].Beyond(dom.OwnMove) {
		return
	}
	responsible := l.responsible(a)
	was, is := l.BeforeTree.Box(l.ToBefore[responsible]), l.AfterTree.Box(responsible)
	l.sizedBy[a] = l.tell(responsible, Resized, size(was), size(is))
	l.sizedBy[responsible] = l.sizedBy[a]
}

// responsible is the innermost element of those that grew alike.
func (l *layout) responsible(a int) int {
	for {
		inner := -1
		for _, child := range l.AfterTree.Children[a] {
			l.Steps.Take(1)
			b := l.ToBefore[child]
			if b < 0 {
				continue
			}
			was, is := l.BeforeTree.Element(b).Place(), l.AfterTree.Element(child).Place()
			grown := dom.Displacement{X: is.Width - was.Width, Y: is.Height - was.Height}
			if !l.grown[a].Minus(grown).Beyond(dom.OwnMove) {
				inner = child
				l.grown[child] = grown
				break
			}
		}
		if inner < 0 {
			return a
		}
		a = inner
	}
}

func firstKnown(causes ...int) int {
	for _, c := range causes {
		if c >= 0 {
			return c
		}
	}
	return unknownCause
}

// place explains where an element stands.
func (l *layout) place(a, b int) {
	parent := l.AfterTree.Parent(a)
	relative := l.moved[a]
	if parent >= 0 && l.ToBefore[parent] >= 0 && !l.stands(a) {
		relative = relative.Minus(l.moved[parent])
		if l.movedBy[a] = l.movedBy[parent]; !relative.Beyond(dom.Follows) {
			l.settle(a, parent)
			return
		}
	}
	l.movedBy[a] = l.whyMoved(a, parent)
	if l.movedBy[a] < 0 && relative.Beyond(dom.OwnMove) {
		l.movedBy[a] = l.tell(a, Moved, point(l.BeforeTree.Box(b).Min), point(l.AfterTree.Box(a).Min))
	}
	if parent >= 0 {
		l.settle(a, parent)
	}
}

// stands reports whether an element has its place on the screen, whatever is around it.
func (l *layout) stands(a int) bool {
	style := l.AfterTree.Element(a).StyleIn(l.AfterTree.Styles)
	return style["position"] == "fixed"
}

// whyMoved is the change that moved an element within its parent.
func (l *layout) whyMoved(a, parent int) int {
	if parent < 0 {
		return firstKnown(l.itself[a], l.driver[a])
	}
	if l.placedFreely(a) {
		return firstKnown(l.itself[a], l.sizedBy[a], l.sizedAround(a))
	}
	return firstKnown(l.itself[a], l.before[parent], l.itself[parent], l.sizedBy[parent], l.sizedBy[a], l.driver[parent])
}

// placedFreely reports whether an element is placed within some element around it, which need not be its parent.
func (l *layout) placedFreely(a int) bool {
	position := l.AfterTree.Element(a).StyleIn(l.AfterTree.Styles)["position"]
	return position == "absolute" || position == "fixed"
}

// inTable is the first change in the table around an element that may move something; -1 for none.
func (l *layout) inTable(a int) int {
	for up := l.AfterTree.Parent(a); up >= 0; up = l.AfterTree.Parent(up) {
		l.Steps.Take(1)
		if l.AfterTree.Element(up).Tag == "table" {
			return l.driver[up]
		}
	}
	return unknownCause
}

// sizedAround is the change by which the nearest element around one that has another size got it.
func (l *layout) sizedAround(a int) int {
	for up := l.AfterTree.Parent(a); up >= 0; up = l.AfterTree.Parent(up) {
		l.Steps.Take(1)
		if l.sizedBy[up] >= 0 {
			return l.sizedBy[up]
		}
	}
	return unknownCause
}

// settle notes for what comes after an element what moved or resized it.
func (l *layout) settle(a, parent int) {
	relative := l.moved[a].Minus(l.moved[parent])
	switch {
	case l.grown[a].Beyond(dom.Follows) && l.sizedBy[a] >= 0:
		l.noteSibling(a, l.sizedBy[a])
	case relative.Beyond(dom.Follows) && l.movedBy[a] >= 0:
		l.noteSibling(a, l.movedBy[a])
	}
}

func (l *layout) noteSibling(a, cause int) {
	if parent := l.AfterTree.Parent(a); parent >= 0 && cause >= 0 {
		l.before[parent] = cause
	}
}

// tell adds a change of place or size that nothing explains, if it is one of something that can be seen.
func (l *layout) tell(a int, change Change, before, after string) int {
	if l.cutOff(l.AfterTree, a) && l.cutOff(l.BeforeTree, l.ToBefore[a]) {
		return unknownCause
	}
	e, was := l.AfterTree.Element(a), l.BeforeTree.Element(l.ToBefore[a])
	f := Finding{
		Element: e, Box: e.Box.Rect(), Change: change, Before: before, After: after, Confidence: 0.7, elementBefore: was,
		tree: l.AfterTree, at: a,
	}
	if change == Moved {
		f.Description = l.tellMove(a, "")
	} else {
		f.Description = fmt.Sprintf("%s changed its size from %s to %s pixels.", l.AfterTree.Name(a), before, after)
	}
	l.own = append(l.own, f)
	return len(l.own) - 1
}

// cutOff reports whether nothing of an element can be seen, because it is beside the page or outside of what is around it and cuts it off.
func (l *layout) cutOff(t *dom.Tree, i int) bool {
	if t.Beside(i) {
		return true
	}
	seen := t.Box(i)
	position := t.Element(i).StyleIn(t.Styles)["position"]
	for up := t.Parent(i); up >= 0 && position != "fixed"; up = t.Parent(up) {
		l.Steps.Take(1)
		style := t.Element(up).StyleIn(t.Styles)
		if position == "absolute" && style["position"] == "" && style["transform"] == "" {
			continue // it is not placed within this one
		}
		if tag := t.Element(up).Tag; style["overflow"] != "" && tag != "body" && tag != "html" {
			if seen = seen.Intersect(t.Box(up)); seen.Empty() {
				return true
			}
		}
		position = style["position"]
	}
	return false
}

// tellMove says in which direction an element moved within its surroundings.
func (l *layout) tellMove(a int, how string) string {
	d := l.moved[a]
	if parent := l.AfterTree.Parent(a); parent >= 0 && !l.stands(a) {
		d = d.Minus(l.moved[parent])
	}
	var ways []string
	add := func(n float64, positive, negative string) {
		switch {
		case n > dom.Follows:
			ways = append(ways, fmt.Sprintf("%.0f px %s", n, positive))
		case n < -dom.Follows:
			ways = append(ways, fmt.Sprintf("%.0f px %s", -n, negative))
		}
	}
	add(d.X, "to the right", "to the left")
	add(d.Y, "down", "up")
	return l.AfterTree.Name(a) + " moved " + strings.Join(ways, " and ") + how + "."
}

// namePlaces words changes of style that only put an element somewhere else as moves, unless others with the same change stay.
func (l *layout) namePlaces() {
	stays := make(map[string]bool)
	each := func(do func(f *Finding, moves bool)) {
		for i := range l.own {
			if f := &l.own[i]; f.Change == StyleChanged && len(f.styles) > 0 && l.ToBefore[f.at] >= 0 {
				do(f, l.onlyMoves(f))
			}
		}
	}
	each(func(f *Finding, moves bool) {
		stays[css.Signature(f.styles)] = stays[css.Signature(f.styles)] || !moves
	})
	each(func(f *Finding, moves bool) {
		if moves && !stays[css.Signature(f.styles)] {
			f.Change, f.Description = Moved, l.tellMove(f.at, ": "+css.Tell(f.styles))
		}
	})
}

// onlyMoves reports whether a change of style puts its element somewhere else within its surroundings and does nothing else.
func (l *layout) onlyMoves(f *Finding) bool {
	if slices.ContainsFunc(f.styles, func(c css.Change) bool { return !c.Is(css.OfPlace) }) {
		return false
	}
	d := l.moved[f.at]
	if parent := l.AfterTree.Parent(f.at); parent >= 0 {
		d = d.Minus(l.moved[parent])
	}
	return d.Beyond(dom.OwnMove)
}
