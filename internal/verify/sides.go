package verify

import "afterimage/internal/page"

// Sides are the finding's element in the page before and in the page after; nil where it is not there.
func (f *Finding) Sides() (before, after *page.Element) {
	if f.Change == Vanished {
		return f.elementBefore, nil
	}
	return f.elementBefore, f.Element
}
