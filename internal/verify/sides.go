package verify

import "afterimage/internal/page"

// Sides returns the finding's element in the before page and in the after page; nil where it does not exist.
func (f *Finding) Sides() (before, after *page.Element) {
	if f.Change == Vanished {
		return f.elementBefore, nil
	}
	return f.elementBefore, f.Element
}
