package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A layout explains where elements stand and how large they are, from the root down: an element stands where its parent, what comes
// before it and its own style put it, and is as large as its content and its surroundings make it. What nothing explains is a change
// of its own.
type layout struct {
	*view
	styles *restyling
	own    []Finding

	moved, grown []displacement // by after element
	driver       []int          // by after element: the first change of an own kind in it that may move something; -1 for none
	itself       []int          // by after element: such a change of the element itself, or of the one that it inherits from
	movedBy      []int          // by after element: the change that its place follows from
	sizedBy      []int          // by after element: the change that its size follows from
	before       []int          // by after element: the last change that moved or resized one of its children so far
}

// displacement is by how much something moved or grew, in fractions of a pixel.
type displacement struct{ x, y float64 }

func (d displacement) beyond(most float64) bool { return math.Abs(d.x) > most || math.Abs(d.y) > most }

func (d displacement) minus(other displacement) displacement {
	return displacement{d.x - other.x, d.y - other.y}
}

// Up to follows, an element still stands where its parent put it: tables round to whole pixels. From ownMove on, what nothing
// explains is a move of its own.
const (
	follows = 0.6
	ownMove = 1.01
)

// unknownCause stands for no change.
const unknownCause = -1

func (v *view) layOut(r *restyling, own []Finding) *layout {
	n := len(v.afterTree.content)
	l := &layout{view: v, styles: r, own: own, moved: make([]displacement, n), grown: make([]displacement, n), driver: unknown(n),
		itself: unknown(n), movedBy: unknown(n), sizedBy: unknown(n), before: unknown(n)}
	l.drive()
	v.steps.take(4 * n)
	for a := range n {
		b := v.toBefore[a]
		if b < 0 {
			l.noteSibling(a, l.driver[a])
			continue
		}
		was, is := v.beforeTree.element(b).Place(), v.afterTree.element(a).Place()
		l.moved[a], l.grown[a] = displacement{is.X - was.X, is.Y - was.Y}, displacement{is.Width - was.Width, is.Height - was.Height}
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
			if c.is(ofLayout) || bare(c.property) == "box" {
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
		if parent := l.afterTree.parent(a); parent >= 0 && l.driver[a] >= 0 {
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
	for a, origin := range l.styles.mover {
		if cause, ok := ofOrigin[origin]; ok && l.itself[a] < 0 && l.own[cause].mayMove() {
			l.itself[a] = cause
		}
	}
}

// anchor is the element of the after page within which one of the before page was, -1 for none.
func (l *layout) anchor(b int) int {
	for up := l.beforeTree.parent(b); up >= 0; up = l.beforeTree.parent(up) {
		if l.toAfter[up] >= 0 {
			return l.toAfter[up]
		}
	}
	return -1
}

// size explains how large an element is.
func (l *layout) size(a int) {
	if !l.grown[a].beyond(follows) || l.sizedBy[a] >= 0 {
		return
	}
	parent := l.afterTree.parent(a)
	candidates := []int{l.itself[a]}
	wider := math.Abs(l.grown[a].x) > follows
	if wider && parent >= 0 {
		candidates = append(candidates, l.sizedBy[parent])
	}
	candidates = append(candidates, l.driver[a])
	if parent >= 0 {
		candidates = append(candidates, l.sizedBy[parent], l.before[parent], l.driver[parent])
	}
	if l.sizedBy[a] = firstKnown(candidates...); l.sizedBy[a] >= 0 || !l.grown[a].beyond(ownMove) {
		return
	}
	responsible := l.responsible(a)
	was, is := l.beforeTree.box(l.toBefore[responsible]), l.afterTree.box(responsible)
	l.sizedBy[a] = l.tell(responsible, Resized, size(was), size(is))
	l.sizedBy[responsible] = l.sizedBy[a]
}

// responsible is the innermost element of those that grew alike.
func (l *layout) responsible(a int) int {
	for {
		inner := -1
		for _, child := range l.afterTree.children[a] {
			l.steps.take(1)
			b := l.toBefore[child]
			if b < 0 {
				continue
			}
			was, is := l.beforeTree.element(b).Place(), l.afterTree.element(child).Place()
			if grown := (displacement{is.Width - was.Width, is.Height - was.Height}); !l.grown[a].minus(grown).beyond(ownMove) {
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
	parent := l.afterTree.parent(a)
	relative := l.moved[a]
	if parent >= 0 && l.toBefore[parent] >= 0 && !l.stands(a) {
		relative = relative.minus(l.moved[parent])
		if l.movedBy[a] = l.movedBy[parent]; !relative.beyond(follows) {
			l.settle(a, parent)
			return
		}
	}
	l.movedBy[a] = l.whyMoved(a, parent)
	if l.movedBy[a] < 0 && relative.beyond(ownMove) {
		l.movedBy[a] = l.tell(a, Moved, point(l.beforeTree.box(b).Min), point(l.afterTree.box(a).Min))
	}
	if parent >= 0 {
		l.settle(a, parent)
	}
}

// stands reports whether an element has its place on the screen, whatever is around it.
func (l *layout) stands(a int) bool {
	style := l.afterTree.element(a).StyleIn(l.afterTree.page.Styles)
	return style["position"] == "fixed"
}

// whyMoved is the change that moved an element within its parent.
func (l *layout) whyMoved(a, parent int) int {
	if parent < 0 {
		return firstKnown(l.itself[a], l.driver[a])
	}
	if position := l.afterTree.element(a).StyleIn(l.afterTree.page.Styles)["position"]; position == "absolute" || position == "fixed" {
		cause := firstKnown(l.itself[a], l.sizedBy[a])
		for up := parent; up >= 0 && cause < 0; up = l.afterTree.parent(up) {
			l.steps.take(1)
			cause = l.sizedBy[up]
		}
		return cause
	}
	return firstKnown(l.itself[a], l.before[parent], l.itself[parent], l.sizedBy[parent], l.sizedBy[a], l.driver[parent])
}

// settle notes for what comes after an element what moved or resized it.
func (l *layout) settle(a, parent int) {
	relative := l.moved[a].minus(l.moved[parent])
	switch {
	case l.grown[a].beyond(follows) && l.sizedBy[a] >= 0:
		l.noteSibling(a, l.sizedBy[a])
	case relative.beyond(follows) && l.movedBy[a] >= 0:
		l.noteSibling(a, l.movedBy[a])
	}
}

func (l *layout) noteSibling(a, cause int) {
	if parent := l.afterTree.parent(a); parent >= 0 && cause >= 0 {
		l.before[parent] = cause
	}
}

// tell adds a change of place or size that nothing explains.
func (l *layout) tell(a int, change Change, before, after string) int {
	e, was := l.afterTree.element(a), l.beforeTree.element(l.toBefore[a])
	f := Finding{
		Element: e, Box: e.Box.Rect(), Change: change, Before: before, After: after, Confidence: 0.7, elementBefore: was,
		tree: l.afterTree, at: a,
	}
	if change == Moved {
		f.Description = l.tellMove(a, "")
	} else {
		f.Description = fmt.Sprintf("%s changed its size from %s to %s pixels.", l.name(l.afterTree, a), before, after)
	}
	l.own = append(l.own, f)
	return len(l.own) - 1
}

// tellMove says in which direction an element moved within its surroundings.
func (l *layout) tellMove(a int, how string) string {
	d := l.moved[a]
	if parent := l.afterTree.parent(a); parent >= 0 && !l.stands(a) {
		d = d.minus(l.moved[parent])
	}
	var ways []string
	add := func(n float64, positive, negative string) {
		switch {
		case n > follows:
			ways = append(ways, fmt.Sprintf("%.0f px %s", n, positive))
		case n < -follows:
			ways = append(ways, fmt.Sprintf("%.0f px %s", -n, negative))
		}
	}
	add(d.x, "to the right", "to the left")
	add(d.y, "down", "up")
	return l.name(l.afterTree, a) + " moved " + strings.Join(ways, " and ") + how + "."
}

// namePlaces words changes of style that only put an element somewhere else as moves, unless others with the same change stay.
func (l *layout) namePlaces() {
	stays := make(map[string]bool)
	each := func(do func(f *Finding, moves bool)) {
		for i := range l.own {
			if f := &l.own[i]; f.Change == StyleChanged && len(f.styles) > 0 && l.toBefore[f.at] >= 0 {
				do(f, l.onlyMoves(f))
			}
		}
	}
	each(func(f *Finding, moves bool) { stays[signature(f.styles)] = stays[signature(f.styles)] || !moves })
	each(func(f *Finding, moves bool) {
		if moves && !stays[signature(f.styles)] {
			f.Change, f.Description = Moved, l.tellMove(f.at, ": "+tellStyles(f.styles))
		}
	})
}

// onlyMoves reports whether a change of style puts its element somewhere else within its surroundings and does nothing else.
func (l *layout) onlyMoves(f *Finding) bool {
	if slices.ContainsFunc(f.styles, func(c styleChange) bool { return !c.is(ofPlace) }) {
		return false
	}
	d := l.moved[f.at]
	if parent := l.afterTree.parent(f.at); parent >= 0 {
		d = d.minus(l.moved[parent])
	}
	return d.beyond(ownMove)
}
