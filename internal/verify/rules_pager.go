package verify

import (
	"regexp"
	"slices"
	"strings"
)

// A pager is a row of small marks, one of which stands out: the dots below a slide show, its tabs or its numbers. When the
// mark has moved on, what changed around it is the next slide, whatever the names are.

// pagerMoved: the mark of a pager that moved on.
func pagerMoved(s *scene) string {
	if s.Change == TextChanged && countMoved(s.Before, s.After) && s.tree == s.afterTree && s.turns(s.at) {
		return "The counter of a pager changed."
	}
	if s.Change != StyleChanged || s.tree != s.afterTree || s.tree.parent(s.at) < 0 || !s.pagerIn(s.tree.parent(s.at)) {
		return ""
	}
	return "The marker of a pager moved."
}

// anotherSlide: what the part around such a pager shows, if it is of the same form.
func anotherSlide(s *scene) string {
	if s.at < 0 || s.tree != s.afterTree || s.toBefore[s.at] < 0 || controls[s.Element.Role] {
		return ""
	}
	switch s.Change {
	case TextChanged:
		if !sameForm(s.Before, s.After) || s.otherValue() {
			return ""
		}
	case ImageReplaced:
		if s.Before == s.After || !s.cluster.asBusy() || !s.sameSize() {
			return ""
		}
	default:
		return ""
	}
	if !s.besidePager() {
		return ""
	}
	return "It is another slide of a part whose pager moved on."
}

// besidePager reports whether a part around the element holds a pager whose mark moved on.
func (s *scene) besidePager() bool {
	up := s.tree.parent(s.at)
	for range slideLevels {
		if up < 0 || s.tree.tooLarge(up) {
			return false
		}
		s.steps.take(len(s.tree.children[up]))
		for _, child := range s.tree.children[up] {
			if !s.tree.within(s.at, child) && s.pagerIn(child) {
				return true
			}
		}
		up = s.tree.parent(up)
	}
	return false
}

// sameSize reports whether the element is as large as it was.
func (s *scene) sameSize() bool {
	return s.elementBefore != nil && s.elementBefore.Box.Width == s.Element.Box.Width && s.elementBefore.Box.Height == s.Element.Box.Height
}

// pagerIn reports whether an element of the after page is a pager whose mark moved on. It is computed once.
func (v *view) pagerIn(i int) bool {
	if v.pagers == nil {
		v.pagers = make(map[int]bool)
	}
	moved, known := v.pagers[i]
	if !known {
		moved = v.findPager(i)
		v.pagers[i] = moved
	}
	return moved
}

// findPager looks for two marks that exchanged their looks, while all others kept theirs.
func (v *view) findPager(i int) bool {
	marks, was := v.afterTree.children[i], v.toBefore[i]
	if was >= 0 && countMoved(v.beforeTree.element(was).Text, v.afterTree.element(i).Text) && v.turns(i) {
		return true
	}
	v.steps.take(1 + len(marks))
	if len(marks) < fewestMarks || was < 0 || len(v.beforeTree.children[was]) != len(marks) || v.afterTree.inside(i, "navigation") {
		return false
	}
	var before, after []string
	for _, mark := range marks {
		e, b := v.afterTree.element(mark), v.toBefore[mark]
		if b < 0 || e.Tag != v.afterTree.element(marks[0]).Tag || e.Box.Height > markHeight || shows[e.Tag] ||
			v.beforeTree.element(b).Text != e.Text {
			return false
		}
		if from, to, ok := v.restyled(b, mark); ok {
			before, after = append(before, from), append(after, to)
		}
	}
	return len(before) == 2 && before[0] == after[1] && before[1] == after[0] && (!v.labelled(marks) || v.changedBeside(i))
}

// labelled reports whether one of the marks says something. Dots only tell which slide is shown; what says something may be a choice of
// sizes or prices, of which another one was marked by hand.
func (v *view) labelled(marks []int) bool {
	return slices.ContainsFunc(marks, func(mark int) bool { return v.afterTree.words(mark) != "" })
}

// changedBeside reports whether the part around an element shows another text or picture.
func (v *view) changedBeside(i int) bool {
	up := v.afterTree.parent(i)
	if up < 0 || v.afterTree.tooLarge(up) {
		return false
	}
	for j := up; j < len(v.afterTree.content) && j <= up+maxInside && v.afterTree.within(j, up); j++ {
		v.steps.take(1)
		if b := v.toBefore[j]; b >= 0 && !v.afterTree.within(j, i) {
			was, is := v.beforeTree.element(b), v.afterTree.element(j)
			if was.Text != is.Text || was.Source != is.Source {
				return true
			}
		}
	}
	return false
}

// countOf matches the count of a pager: "3 / 6".
var countOf = regexp.MustCompile(`^\s*(\d{1,2})\s*(?:/|of|von|de|sur|di)\s*(\d{1,2})\s*$`)

// countMoved reports whether two texts are counts of a pager with as many slides.
func countMoved(before, after string) bool {
	if len(before) > maxQuoted || len(after) > maxQuoted || before == after {
		return false
	}
	was, is := countOf.FindStringSubmatch(before), countOf.FindStringSubmatch(after)
	return was != nil && is != nil && was[2] == is[2] && len(is[1]) <= len(is[2])
}

// turns reports whether there are controls to turn pages with beside an element, or around it: “4 / 6” alone may be a rating, or the
// seats that are left.
func (v *view) turns(i int) bool {
	up := i
	for range 2 {
		if up = v.afterTree.parent(up); up < 0 || v.afterTree.tooLarge(up) {
			return false
		}
		if n := v.afterTree.turnersIn(up); n >= 2 {
			return true
		}
	}
	return false
}

// turnersIn counts the buttons and links within an element that say no more than a word.
func (t *tree) turnersIn(i int) int {
	n := 0
	for j := i; j < len(t.content) && j <= i+maxInside && t.within(j, i); j++ {
		e := t.element(j)
		if (e.Role == "button" || e.Role == "link") && len(strings.Fields(e.Text)) <= 1 {
			n++
		}
	}
	return n
}

// sameForm reports whether a text could be of the same kind as another: it begins and ends alike, is not of quite another
// length, and does not look like something that a program wrote.
func sameForm(before, after string) bool {
	was, is := shapeOf(before), shapeOf(after)
	return before != "" && after != "" && was.starts == is.starts && was.ends == is.ends && was.code >= is.code &&
		(was.digits > 0) == (is.digits > 0) && !is.nothing && (was.repeated || !is.repeated) &&
		is.runes <= formLengths*was.runes && was.runes <= formLengths*is.runes && !strings.ContainsRune(after, '\uFFFD')
}
