package verify

import (
	"regexp"
	"slices"
	"strings"

	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// A pager is a row of small marks, one of which stands out: the dots below a slide show, its tabs or its numbers. When the
// mark has moved on, what changed around it is the next slide, whatever the names are.

// pagerMoved: the mark of a pager that moved on.
func pagerMoved(s *scene) string {
	if s.Change == TextChanged && countMoved(s.Before, s.After) && s.tree == s.AfterTree && s.turns(s.at) {
		return "The counter of a pager changed."
	}
	if s.Change != StyleChanged || s.tree != s.AfterTree || s.tree.Parent(s.at) < 0 || !s.pagerIn(s.tree.Parent(s.at)) {
		return ""
	}
	return "The marker of a pager moved."
}

// anotherSlide: what the part around such a pager shows, if it is of the same form.
func anotherSlide(s *scene) string {
	if s.at < 0 || s.tree != s.AfterTree || s.ToBefore[s.at] < 0 || dom.IsControl(s.Element.Role) {
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
	up := s.tree.Parent(s.at)
	for range slideLevels {
		if up < 0 || s.tree.TooLarge(up) {
			return false
		}
		s.Steps.Take(len(s.tree.Children[up]))
		for _, child := range s.tree.Children[up] {
			if !s.tree.Within(s.at, child) && s.pagerIn(child) {
				return true
			}
		}
		up = s.tree.Parent(up)
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
	marks, was := v.AfterTree.Children[i], v.ToBefore[i]
	if was >= 0 && countMoved(v.BeforeTree.Element(was).Text, v.AfterTree.Element(i).Text) && v.turns(i) {
		return true
	}
	v.Steps.Take(1 + len(marks))
	if len(marks) < fewestMarks || was < 0 || len(v.BeforeTree.Children[was]) != len(marks) || v.AfterTree.Inside(i, "navigation") {
		return false
	}
	var before, after []string
	for _, mark := range marks {
		e, b := v.AfterTree.Element(mark), v.ToBefore[mark]
		if b < 0 || e.Tag != v.AfterTree.Element(marks[0]).Tag || e.Box.Height > markHeight || dom.ShowsPixels(e.Tag) ||
			v.BeforeTree.Element(b).Text != e.Text {
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
	return slices.ContainsFunc(marks, func(mark int) bool { return v.AfterTree.Words(mark) != "" })
}

// changedBeside reports whether the part around an element shows another text or picture.
func (v *view) changedBeside(i int) bool {
	up := v.AfterTree.Parent(i)
	if up < 0 || v.AfterTree.TooLarge(up) {
		return false
	}
	for j := up; j < len(v.AfterTree.Content) && j <= up+dom.MaxInside && v.AfterTree.Within(j, up); j++ {
		v.Steps.Take(1)
		if b := v.ToBefore[j]; b >= 0 && !v.AfterTree.Within(j, i) {
			was, is := v.BeforeTree.Element(b), v.AfterTree.Element(j)
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
	if len(before) > wording.MaxQuoted || len(after) > wording.MaxQuoted || before == after {
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
		if up = v.AfterTree.Parent(up); up < 0 || v.AfterTree.TooLarge(up) {
			return false
		}
		if n := turnersIn(v.AfterTree, up); n >= 2 {
			return true
		}
	}
	return false
}

// turnersIn counts the buttons and links within an element that say no more than a word.
func turnersIn(t *dom.Tree, i int) int {
	n := 0
	for j := i; j < len(t.Content) && j <= i+dom.MaxInside && t.Within(j, i); j++ {
		e := t.Element(j)
		if (e.Role == "button" || e.Role == "link") && len(strings.Fields(e.Text)) <= 1 {
			n++
		}
	}
	return n
}

// sameForm reports whether a text could be of the same kind as another: it begins and ends alike, is not of quite another
// length, and does not look like something that a program wrote.
func sameForm(before, after string) bool {
	was, is := wording.ShapeOf(before), wording.ShapeOf(after)
	return before != "" && after != "" && was.Starts == is.Starts && was.Ends == is.Ends && was.Code >= is.Code &&
		(was.Digits > 0) == (is.Digits > 0) && !is.Nothing && (was.Repeated || !is.Repeated) &&
		is.Runes <= formLengths*was.Runes && was.Runes <= formLengths*is.Runes && !strings.ContainsRune(after, '\uFFFD')
}
