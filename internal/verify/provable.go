package verify

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
	case f.tree == s.beforeTree:
		was = f.at
	default:
		was = s.toBefore[f.at]
	}
	switch f.Change {
	case Appeared:
		return f.tree == s.afterTree && was < 0
	case Vanished:
		return f.tree == s.beforeTree && s.toAfter[was] < 0
	case TextChanged:
		return was >= 0 && f.Before != f.After
	case ImageReplaced:
		return was >= 0 && (f.Before != f.After || f.pixels > 0)
	case StyleChanged:
		return was >= 0 && f.Before != f.After && s.changed(f.styles)
	case Moved:
		return was >= 0 && (s.moved[f.at].beyond(follows) || s.changed(f.styles) && len(f.styles) > 0)
	case Resized:
		return was >= 0 && s.grown[f.at].beyond(follows)
	case Reordered:
		return was >= 0 && (len(f.members) > 0 || s.reparented[f.at])
	case Blanked:
		return s.nowBlank(f.at, was)
	}
	return true
}

// changed reports whether each property that is said to be another is one.
func (s *inspection) changed(styles []styleChange) bool {
	for _, c := range styles {
		if c.before == c.after {
			return false
		}
	}
	return true
}
