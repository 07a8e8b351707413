package verify

import "afterimage/internal/page"

// maxFaint is how many changes are listed that no counted pixel shows.
const maxFaint = 20

// faint lists changes of elements that no cluster has shown, mostly because no counted pixel does: another background in
// nearly the same colour, a text in nearly the colour of its background or in a part that is scrolled away. Those call for
// nobody, but whoever accepts the comparison has been told of them.
func (l *listing) faint() {
	if l.Changed == nil {
		return
	}
	told := make(map[*page.Element]bool, len(l.found))
	for i := range l.found {
		told[l.found[i].Element], told[l.found[i].elementBefore] = true, true
	}
	l.Steps.Take(len(l.AfterTree.Content))
	listed := 0
	for a := range l.AfterTree.Content {
		if told[l.AfterTree.Element(a)] || l.ToBefore[a] < 0 || told[l.BeforeTree.Element(l.ToBefore[a])] {
			continue
		}
		f, ok := l.faintly(a)
		if !ok {
			continue
		}
		if listed++; listed > maxFaint {
			return
		}
		if pixels := l.changedIn(a); pixels > 0 {
			l.addRuled(f, pixels)
			continue
		}
		f.Ruling = Ruling{AllGood, CodeUnseen, "No pixel differs enough to count.", 0.7, false}
		f.Box, f.BeforeBox = l.boxes(&f)
		l.found = append(l.found, f)
	}
}

// changedIn counts the differing pixels in the box of an element.
func (l *listing) changedIn(a int) int {
	box := l.AfterTree.Box(a)
	l.Steps.Take(box.Dy())
	return l.Changed.CountIn(box)
}

// faintly is the change of an element's text, picture or style.
func (v *view) faintly(a int) (f Finding, changed bool) {
	b := v.ToBefore[a]
	now, was := v.AfterTree.Element(a), v.BeforeTree.Element(b)
	f = Finding{Element: now, Confidence: 0.6, elementBefore: was, tree: v.AfterTree, at: a}
	if was.Text != now.Text {
		f.Change, f.Before, f.After = TextChanged, was.Text, now.Text
	} else if before, after, restyled := v.restyled(b, a); restyled {
		f.Change, f.Before, f.After = StyleChanged, before, after
	} else {
		return f, false
	}
	f.Description = describeChange(now, f.Change, f.Before, f.After)
	return f, true
}
