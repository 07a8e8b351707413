package verify

import (
	"slices"

	"afterimage/internal/verify/css"
	"afterimage/internal/verify/dom"
)

// Each statement about a change is checked where it is listed, whoever made it: what it says must hold of both pages. One that does not
// hold is not made; its pixels stay as what nothing explains. That never happens unless a rule above is wrong, so it is counted.

// holdTrue takes back the statements that do not hold.
func (s *inspection) holdTrue() (refused int) {
	for i := range s.own {
		f := &s.own[i]
		if s.provable(f) {
			continue
		}
		refused++
		f.Change, f.styles, f.members, f.inline = Unexplained, nil, nil, nil
		if f.pixels = s.seen[i]; f.Shape == "" {
			f.Shape = f.Description
		}
		f.describePixels(true)
	}
	return refused
}

// provable reports whether what a change says holds of both pages.
func (s *inspection) provable(f *Finding) bool {
	was := -1 // its element in the before page
	switch {
	case f.at < 0:
	case f.tree == s.BeforeTree:
		was = f.at
	default:
		was = s.ToBefore[f.at]
	}
	switch f.Change {
	case Appeared:
		return f.tree == s.AfterTree && was < 0
	case Vanished:
		return f.tree == s.BeforeTree && s.ToAfter[was] < 0
	case Repainted, Unexplained:
		return true
	}
	return was >= 0 && s.differs(f, was)
}

// differs reports whether an element that both pages have differs in what a change says.
func (s *inspection) differs(f *Finding, was int) bool {
	switch f.Change {
	case TextChanged:
		return f.Before != f.After
	case ImageReplaced:
		return f.Before != f.After || f.pixels > 0
	case StyleChanged:
		return len(f.styles) == 0 && f.Before != f.After || len(f.styles) > 0 && !slices.ContainsFunc(f.styles, css.Change.None)
	case Moved:
		return s.moved[f.at].Beyond(dom.Follows) || s.leftBehind(f.at)
	case Resized:
		return s.grown[f.at].Beyond(dom.Follows)
	case Reordered:
		return len(f.members) > 0 || s.Reparented[f.at]
	case Blanked:
		return s.nowBlank(f.at, was)
	}
	return true
}

// leftBehind reports whether an element moved within what is around it.
func (s *inspection) leftBehind(a int) bool {
	parent := s.AfterTree.Parent(a)
	return parent >= 0 && s.moved[a].Minus(s.moved[parent]).Beyond(dom.Follows)
}
