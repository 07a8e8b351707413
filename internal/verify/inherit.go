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
	origin []int           // by after element: the one that it took its changes over from, -1 for none
	root   float64         // by what factor the text of the root grew
}

// restyle compares the styles of all matched elements. Parents come before their children.
func (v *view) restyle() *restyling {
	n := len(v.afterTree.content)
	r := &restyling{all: make([][]styleChange, n), own: make([][]styleChange, n), origin: make([]int, n), root: 1}
	for a := range n {
		r.origin[a] = -1
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
			r.follow(a, parent)
		case bare(c.property) == "font-size" && parent >= 0 && (near(own, growth(r.all[parent])) || near(own, r.root)):
			r.follow(a, parent)
		case c.followsText(own, r.root):
			if parent >= 0 && !ownSize(r.own[a]) {
				r.follow(a, parent)
			}
		case v.laidOut(a, c):
		default:
			r.own[a] = append(r.own[a], c)
		}
	}
}

// followsText reports whether lengths grew as the text of the element or of the root did.
func (c styleChange) followsText(own, root float64) bool {
	name := bare(c.property)
	return name != "font-size" && (c.is(ofLayout) || name == "border-radius") && (c.scales(own) || c.scales(root))
}

// follow notes that an element took a change over from its parent.
func (r *restyling) follow(a, parent int) {
	if r.origin[a] = r.origin[parent]; len(r.own[parent]) > 0 || r.origin[a] < 0 {
		r.origin[a] = parent
	}
}

func ownSize(own []styleChange) bool {
	return slices.ContainsFunc(own, func(c styleChange) bool { return c.property == "font-size" })
}

// laidOut reports whether a property only shows what the layout made of it: the margin of what is centred, a shift by a share of
// the size, the number of columns that fit.
func (v *view) laidOut(a int, c styleChange) bool {
	wider := func(i int) bool {
		if i < 0 || v.toBefore[i] < 0 {
			return false
		}
		was, is := v.beforeTree.element(v.toBefore[i]), v.afterTree.element(i)
		return differs(was.Place().Width, is.Place().Width)
	}
	switch bare(c.property) {
	case "margin", "padding", "grid-template-columns":
		return wider(a) || wider(v.afterTree.parent(a))
	case "transform":
		was, is := v.beforeTree.element(v.toBefore[a]).Place(), v.afterTree.element(a).Place()
		return strings.HasPrefix(c.before, "matrix(1, 0, 0, 1,") && strings.HasPrefix(c.after, "matrix(1, 0, 0, 1,") &&
			(differs(was.Width, is.Width) || differs(was.Height, is.Height))
	}
	return false
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

func near(a, b float64) bool { return a != 1 && math.Abs(a-b) < 0.01*b }

// scales reports whether all lengths of a change grew by a factor, up to rounding.
func (c styleChange) scales(by float64) bool {
	was, is := strings.Fields(c.before), strings.Fields(c.after)
	if by == 1 || len(was) != len(is) || len(was) == 0 {
		return false
	}
	for i := range was {
		if was[i] == is[i] {
			continue
		}
		from, to := pixelsOf(was[i]), pixelsOf(is[i])
		if from == 0 || math.Abs(to-from*by) > 0.6+0.01*math.Abs(to) {
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
