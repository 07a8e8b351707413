package dom

// Limits of the search for elements of similar content.
const (
	maxSimilar  = 60  // children of each page that are compared with each other
	maxWithin   = 120 // elements looked at within each
	similarPart = 0.5 // of what is in two elements is the same, if they are the same
)

// matchSimilar pairs unmatched children that have most of their content in common: a card whose price changed is still that card,
// wherever it stands among its neighbours.
func (m *Matching) matchSimilar(before, after []int) {
	before, after = m.free(before, m.ToAfter), m.free(after, m.ToBefore)
	if len(before) == 0 || len(after) == 0 || len(before) > maxSimilar || len(after) > maxSimilar {
		return
	}
	contents := make([]map[uint64]int, len(after))
	for i, a := range after {
		contents[i] = m.AfterTree.parts(a)
	}
	for _, b := range before {
		mine := m.BeforeTree.parts(b)
		best, most := -1, similarPart
		for i, a := range after {
			if m.ToBefore[a] >= 0 || m.AfterTree.Element(a).Tag != m.BeforeTree.Element(b).Tag {
				continue
			}
			m.Steps.Take(1 + len(mine)/8)
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
func (t *Tree) parts(i int) map[uint64]int {
	found := make(map[uint64]int)
	for j := i; j < len(t.Content) && j <= i+maxWithin && t.Within(j, i); j++ {
		if e := t.Element(j); len(t.Children[j]) == 0 && (e.Text != "" || e.Source != "") {
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

// MatchMoved pairs what went with what came, if it is the same in another part of the page.
func (m *Matching) MatchMoved() {
	gone := make(map[uint64][]int)
	for b := range m.BeforeTree.Content {
		if m.ToAfter[b] < 0 && m.telling(m.BeforeTree, b) {
			gone[m.BeforeTree.Content[b]] = append(gone[m.BeforeTree.Content[b]], b)
		}
	}
	if len(gone) == 0 {
		return
	}
	for a := range m.AfterTree.Content {
		if m.ToBefore[a] >= 0 || !m.telling(m.AfterTree, a) {
			continue
		}
		if list := gone[m.AfterTree.Content[a]]; len(list) == 1 && m.ToAfter[list[0]] < 0 && !m.sameFileOnly(list[0], a) {
			m.pairWhole(list[0], a)
			// What stands on the screen does so whatever it is in.
			m.Reparented[a] = !m.AfterTree.Element(a).Fixed && !m.rewritten(list[0], a)
		}
	}
}

// rewrittenPart of what is in two elements is the same if one is the other written anew, given that they stand in the same element.
const rewrittenPart = 0.2

// rewritten reports whether two elements of equal content are in an element that was written anew: one is gone and the other is new, in
// the same surroundings, and they have something in common. Then it is that element which changed, and not the place of this one.
func (m *Matching) rewritten(b, a int) bool {
	before, after := -1, -1
	b, a = m.BeforeTree.Parent(b), m.AfterTree.Parent(a)
	for b >= 0 && a >= 0 && m.ToAfter[b] < 0 && m.ToBefore[a] < 0 {
		before, after = b, a
		b, a = m.BeforeTree.Parent(b), m.AfterTree.Parent(a)
	}
	return before >= 0 && b >= 0 && a >= 0 && m.ToAfter[b] == a &&
		shared(m.BeforeTree.parts(before), m.AfterTree.parts(after)) >= rewrittenPart
}

// sameFileOnly reports whether a picture is just a file that a part which is gone has in common with one that is new: pages show the same
// file in several places. If most of both is the same, the picture moved with it.
func (m *Matching) sameFileOnly(b, a int) bool {
	if !ShowsPixels(m.AfterTree.Element(a).Tag) {
		return false
	}
	before, after := outermost(m.BeforeTree, m.ToAfter, b), outermost(m.AfterTree, m.ToBefore, a)
	return before != b && after != a && shared(m.BeforeTree.parts(before), m.AfterTree.parts(after)) < similarPart
}

// outermost is the outermost of the elements around an unmatched one that have no partner either, or the element itself.
func outermost(t *Tree, partner []int, i int) int {
	for up := t.Parent(i); up >= 0 && partner[up] < 0; up = t.Parent(up) {
		i = up
	}
	return i
}

// telling reports whether an element says or shows enough to be recognised elsewhere.
func (m *Matching) telling(t *Tree, i int) bool {
	e := t.Element(i)
	return e.Fixed && e.Classes != "" || len(e.Text) >= leastMoved || ShowsPixels(e.Tag) && e.Source != "" ||
		len(t.Children[i]) > 0 && len(t.Words(i)) >= leastMoved
}

// pairWhole pairs two elements of equal content with everything in them.
func (m *Matching) pairWhole(b, a int) {
	m.Steps.Take(1)
	m.pair(b, a)
	before, after := m.BeforeTree.Children[b], m.AfterTree.Children[a]
	for i := range min(len(before), len(after)) {
		if m.ToAfter[before[i]] < 0 && m.ToBefore[after[i]] < 0 {
			m.pairWhole(before[i], after[i])
		}
	}
}

// matchCells pairs the cells of a table's row by their columns, if it has as many as before: what a cell says does not tell where it
// belongs.
func (m *Matching) matchCells(b, a int) {
	before, after := m.BeforeTree.Children[b], m.AfterTree.Children[a]
	if m.AfterTree.Element(a).Tag != "tr" || len(before) != len(after) {
		return
	}
	for i := range before {
		was, is := m.BeforeTree.Element(before[i]), m.AfterTree.Element(after[i])
		if was.Tag != is.Tag || differs(was.Place().X, is.Place().X) && differs(was.Place().Width, is.Place().Width) {
			return
		}
	}
	for i := range before {
		if m.ToAfter[before[i]] < 0 && m.ToBefore[after[i]] < 0 {
			m.pair(before[i], after[i])
		}
	}
}
