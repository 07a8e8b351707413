package verify

// displaced finds by which changes elements have other places among their neighbours: one of these came, went or changed places. What has
// none of them around it did not get its style from its place: that is a change of its own.
func (l *layout) displaced() {
	l.displacers = make(map[int]int)
	l.Steps.Take(len(l.own) + len(l.styles.Placed))
	for i := range l.own {
		f, within := &l.own[i], unknownCause
		switch {
		case f.Change == Vanished:
			if parent := l.BeforeTree.Parent(f.at); parent >= 0 {
				within = l.ToAfter[parent]
			}
		case f.Change == Appeared:
			within = l.AfterTree.Parent(f.at)
		case f.Change == Reordered && len(f.members) > 0:
			within = l.AfterTree.Parent(f.members[0])
		}
		if _, known := l.displacers[within]; within >= 0 && !known {
			l.displacers[within] = i
		}
	}
	for a, changes := range l.styles.Placed {
		if len(changes) > 0 && l.displacer(a) < 0 {
			l.own = append(l.own, l.restyledFinding(l.ToBefore[a], a, changes))
		}
	}
}

// displacer is the change by which an element, or the nearest one around it that has, has another place among its neighbours; -1 for none.
func (l *layout) displacer(a int) int {
	for up := l.AfterTree.Parent(a); up >= 0; up = l.AfterTree.Parent(up) {
		l.Steps.Take(1)
		if cause, known := l.displacers[up]; known {
			return cause
		}
	}
	return unknownCause
}

// placedAround is the change by which an element, or one around it that shows through it or that it inherits from, looks as what had its
// place before; -1 for none.
func (s *inspection) placedAround(a int) int {
	covered := false
	for up := a; up >= 0; up = s.AfterTree.Parent(up) {
		s.Steps.Take(1)
		if len(s.styles.Placed[up]) > 0 && (!covered || s.styles.Origin[a] == up) {
			return s.displacer(up)
		}
		covered = covered || s.opaque(up)
	}
	return unknownCause
}
