package verify

// Limits of the search for elements of similar content.
const (
	maxSimilar  = 60  // children of each page that are compared with each other
	maxWithin   = 120 // elements looked at within each
	similarPart = 0.5 // of what is in two elements is the same, if they are the same
)

// matchSimilar pairs unmatched children that have most of their content in common: a card whose price changed is still that card,
// wherever it stands among its neighbours.
func (m *matching) matchSimilar(before, after []int) {
	before, after = m.free(before, m.toAfter), m.free(after, m.toBefore)
	if len(before) == 0 || len(after) == 0 || len(before) > maxSimilar || len(after) > maxSimilar {
		return
	}
	contents := make([]map[uint64]int, len(after))
	for i, a := range after {
		contents[i] = m.afterTree.parts(a)
	}
	for _, b := range before {
		mine := m.beforeTree.parts(b)
		best, most := -1, similarPart
		for i, a := range after {
			if m.toBefore[a] >= 0 || m.afterTree.element(a).Tag != m.beforeTree.element(b).Tag {
				continue
			}
			m.beforeTree.steps.take(1 + len(mine)/8)
			if share := shared(mine, contents[i]); share > most {
				best, most = a, share
			}
		}
		if best >= 0 {
			m.pair(b, best)
		}
	}
}

// parts counts what is in an element by content, without elements that show nothing themselves.
func (t *tree) parts(i int) map[uint64]int {
	found := make(map[uint64]int)
	for j := i; j < len(t.content) && j <= i+maxWithin && t.within(j, i); j++ {
		if e := t.element(j); len(t.children[j]) == 0 && (e.Text != "" || e.Source != "") {
			found[t.likeness(j)]++
		}
	}
	return found
}

// shared is the part of two counted sets that is in both.
func shared(a, b map[uint64]int) float64 {
	both, all := 0, 0
	for part, n := range a {
		both += min(n, b[part])
		all += max(n, b[part])
	}
	for part, n := range b {
		if a[part] == 0 {
			all += n
		}
	}
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

// leastMoved is the length of a text, in bytes, that is not in two parts of a page by chance.
const leastMoved = 12

// matchMoved pairs what went with what came, if it is the same in another part of the page.
func (m *matching) matchMoved() {
	gone := make(map[uint64][]int)
	for b := range m.beforeTree.content {
		if m.toAfter[b] < 0 && m.telling(m.beforeTree, b) {
			gone[m.beforeTree.content[b]] = append(gone[m.beforeTree.content[b]], b)
		}
	}
	if len(gone) == 0 {
		return
	}
	for a := range m.afterTree.content {
		if m.toBefore[a] >= 0 || !m.telling(m.afterTree, a) {
			continue
		}
		if list := gone[m.afterTree.content[a]]; len(list) == 1 && m.toAfter[list[0]] < 0 {
			m.pairWhole(list[0], a)
			// What stands on the screen does so whatever it is in.
			m.reparented[a] = !m.afterTree.element(a).Fixed && !m.rewritten(list[0], a)
		}
	}
}

// rewrittenPart of what is in two elements is the same if one is the other written anew, given that they stand in the same element.
const rewrittenPart = 0.2

// rewritten reports whether two elements of equal content are in an element that was written anew: one is gone and the other is new, in
// the same surroundings, and they have something in common. Then it is that element which changed, and not the place of this one.
func (m *matching) rewritten(b, a int) bool {
	before, after := -1, -1
	b, a = m.beforeTree.parent(b), m.afterTree.parent(a)
	for b >= 0 && a >= 0 && m.toAfter[b] < 0 && m.toBefore[a] < 0 {
		before, after = b, a
		b, a = m.beforeTree.parent(b), m.afterTree.parent(a)
	}
	return before >= 0 && b >= 0 && a >= 0 && m.toAfter[b] == a &&
		shared(m.beforeTree.parts(before), m.afterTree.parts(after)) >= rewrittenPart
}

// telling reports whether an element says or shows enough to be recognised elsewhere.
func (m *matching) telling(t *tree, i int) bool {
	e := t.element(i)
	return e.Fixed && e.Classes != "" || len(e.Text) >= leastMoved || shows[e.Tag] && e.Source != "" ||
		len(t.children[i]) > 0 && len(t.words(i)) >= leastMoved
}

// pairWhole pairs two elements of equal content with everything in them.
func (m *matching) pairWhole(b, a int) {
	m.beforeTree.steps.take(1)
	m.pair(b, a)
	before, after := m.beforeTree.children[b], m.afterTree.children[a]
	for i := range min(len(before), len(after)) {
		if m.toAfter[before[i]] < 0 && m.toBefore[after[i]] < 0 {
			m.pairWhole(before[i], after[i])
		}
	}
}

// matchCells pairs the cells of a table's row by their columns, if it has as many as before: what a cell says does not tell where it
// belongs.
func (m *matching) matchCells(b, a int) {
	before, after := m.beforeTree.children[b], m.afterTree.children[a]
	if m.afterTree.element(a).Tag != "tr" || len(before) != len(after) {
		return
	}
	for i := range before {
		was, is := m.beforeTree.element(before[i]), m.afterTree.element(after[i])
		if was.Tag != is.Tag || differs(was.Place().X, is.Place().X) && differs(was.Place().Width, is.Place().Width) {
			return
		}
	}
	for i := range before {
		if m.toAfter[before[i]] < 0 && m.toBefore[after[i]] < 0 {
			m.pair(before[i], after[i])
		}
	}
}
