package dom

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"

	"afterimage/internal/verify/css"
)

// Matching records which elements of the two pages correspond.
type Matching struct {
	Steps                 *Steps
	BeforeTree, AfterTree *Tree
	ToAfter               []int // by element before: the element after, -1 for none
	ToBefore              []int
	Reordered             []bool                  // by element after: its siblings are in another order
	Reparented            []bool                  // by element after: it was in another element
	styled                map[[2]int][]css.Change // see changesOf
}

// Match walks both trees from their roots: the children of two matched elements are aligned by their content, like the
// lines of two texts.
func Match(before, after *Tree) *Matching {
	m := &Matching{
		Steps: before.steps, BeforeTree: before, AfterTree: after,
		ToAfter: make([]int, len(before.Content)), ToBefore: make([]int, len(after.Content)),
		Reordered: make([]bool, len(after.Content)), Reparented: make([]bool, len(after.Content)),
	}
	for i := range m.ToAfter {
		m.ToAfter[i] = -1
	}
	for i := range m.ToBefore {
		m.ToBefore[i] = -1
	}
	m.matchIDs()
	m.matchLists(before.roots, after.roots)
	// Parents come before their children.
	for b := range before.Content {
		if a := m.ToAfter[b]; a >= 0 {
			m.matchCells(b, a)
			m.matchLists(before.Children[b], after.Children[a])
			m.matchThroughEmpty(b, a)
		}
	}
	return m
}

// matchThroughEmpty pairs the children of one with what is in children of the other that have no size: whether such an element is recorded
// depends on how its place is rounded.
func (m *Matching) matchThroughEmpty(b, a int) {
	for _, child := range m.free(m.BeforeTree.Children[b], m.ToAfter) {
		if m.BeforeTree.Sizeless(child) {
			m.matchLists(m.BeforeTree.Children[child], m.AfterTree.Children[a])
		}
	}
	for _, child := range m.free(m.AfterTree.Children[a], m.ToBefore) {
		if m.AfterTree.Sizeless(child) {
			m.matchLists(m.BeforeTree.Children[b], m.AfterTree.Children[child])
		}
	}
}

// Sizeless reports whether an element has neither a size nor anything of its own that could be seen outside of it.
func (t *Tree) Sizeless(i int) bool {
	e := t.Element(i)
	at := e.Place()
	return at.Width*at.Height == 0 && e.Text == "" && e.Source == ""
}

// unmatched are the partners of elements that have none.
func unmatched(n int) []int { return slices.Repeat([]int{-1}, n) }

func (m *Matching) pair(b, a int) {
	m.ToAfter[b], m.ToBefore[a] = a, b
}

// matchIDs pairs the elements with the same unique id and tag.
func (m *Matching) matchIDs() {
	places := make(map[string]int)
	for a := range m.AfterTree.Content {
		if e := m.AfterTree.Element(a); len(e.Selector) > 1 && e.Selector[0] == '#' && isSimple(e.Selector) {
			places[e.Selector] = a
		}
	}
	for b := range m.BeforeTree.Content {
		e := m.BeforeTree.Element(b)
		if a, ok := places[e.Selector]; ok && e.Selector != "" && m.AfterTree.Element(a).Tag == e.Tag {
			m.pair(b, a)
		}
	}
}

// isSimple reports whether a selector consists of an id only.
func isSimple(selector string) bool {
	for _, c := range selector {
		if c == ' ' || c == '>' {
			return false
		}
	}
	return true
}

// maxAligned limits the work for two lists of children; longer lists are aligned by unique content only.
const maxAligned = 400

// cellsEach is how many comparisons of two numbers take as long as one step.
const cellsEach = 8

// matchLists pairs the unmatched children of two elements: first those of equal content in order, then those of equal
// content at another position, then between the same neighbours those that differ in numbers only and those of the same
// kind, and last what has most of its content in common, wherever it stands.
func (m *Matching) matchLists(before, after []int) {
	before, after = m.free(before, m.ToAfter), m.free(after, m.ToBefore)
	if len(before) == 0 || len(after) == 0 {
		return
	}
	anchors := m.anchor(before, after, (*Tree).contentOf)
	m.matchElsewhere(before, after)
	inGaps(anchors, before, after, m.matchLike)
	m.matchSimilar(before, after)
	if m.inOrderAlready(before) {
		return
	}
	m.keepOrder(before, func(b, _ int) (uint64, bool) { return m.BeforeTree.Content[b], true })
	m.keepOrder(before, func(_, a int) (uint64, bool) { return m.AfterTree.Content[a], true })
	m.keepOrder(before, func(b, a int) (uint64, bool) { // whatever their classes, unless these tell which is which
		return m.BeforeTree.shows(b), m.BeforeTree.Content[b] != m.AfterTree.Content[a]
	})
}

// inOrderAlready reports whether no partner of a child stands before that of an earlier one.
func (m *Matching) inOrderAlready(before []int) bool {
	last := -1
	for _, b := range before {
		if a := m.ToAfter[b]; a >= 0 {
			if a < last {
				return false
			}
			last = a
		}
	}
	return true
}

// keepOrder exchanges the partners of children that are alike, so that these are in the same order: nobody can see that such changed their
// places.
func (m *Matching) keepOrder(before []int, like func(b, a int) (key uint64, counts bool)) {
	same := make(map[uint64][]int)
	for _, b := range before {
		if a := m.ToAfter[b]; a >= 0 {
			if key, counts := like(b, a); counts {
				same[key] = append(same[key], b)
			}
		}
	}
	for _, list := range same {
		partners := make([]int, len(list))
		for i, b := range list {
			partners[i] = m.ToAfter[b]
		}
		slices.Sort(partners)
		for i, b := range list {
			m.pair(b, partners[i])
		}
	}
}

// shows is a hash of what an element and its descendants show, whatever their classes.
func (t *Tree) shows(i int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for j := i; j < len(t.Content) && t.Within(j, i); j++ {
		if j > i+maxWithin { // too much to look at: its classes tell as well
			return t.Content[i]
		}
		e := t.Element(j)
		_, _ = h.WriteString(e.Tag + "\x00" + e.Text + "\x00" + e.Source + "\x00")
	}
	return h.Sum64()
}

// matchLike pairs children that are equal but for their numbers, and the others by their kind.
func (m *Matching) matchLike(before, after []int) {
	before, after = m.free(before, m.ToAfter), m.free(after, m.ToBefore)
	if len(before) == 0 || len(after) == 0 {
		return
	}
	inGaps(m.anchor(before, after, (*Tree).likeness), before, after, func(before, after []int) {
		m.matchSimilar(before, after)
		m.matchKin(before, after)
	})
}

// anchor pairs children of which something is equal, in order, and returns their places in the lists.
func (m *Matching) anchor(before, after []int, of func(*Tree, int) uint64) [][2]int {
	keys := func(t *Tree, list []int) []uint64 {
		all := make([]uint64, len(list))
		for i, at := range list {
			all[i] = of(t, at)
		}
		return all
	}
	anchors := m.inOrder(keys(m.BeforeTree, before), keys(m.AfterTree, after))
	for _, pair := range anchors {
		m.pair(before[pair[0]], after[pair[1]])
	}
	return anchors
}

// inGaps does something with what lies between anchors.
func inGaps(anchors [][2]int, before, after []int, do func(before, after []int)) {
	last := [2]int{-1, -1}
	for _, next := range append(anchors, [2]int{len(before), len(after)}) {
		do(before[last[0]+1:next[0]], after[last[1]+1:next[1]])
		last = next
	}
}

func (m *Matching) free(list, taken []int) []int {
	var free []int
	for _, i := range list {
		if taken[i] < 0 {
			free = append(free, i)
		}
	}
	return free
}

// inOrder finds a longest common subsequence.
func (m *Matching) inOrder(before, after []uint64) [][2]int {
	start, endB, endA := 0, len(before), len(after)
	equal := func(b, a int) bool { return before[b] == after[a] }
	var pairs [][2]int
	for start < endB && start < endA && equal(start, start) {
		pairs = append(pairs, [2]int{start, start})
		start++
	}
	var tail [][2]int
	for endB > start && endA > start && equal(endB-1, endA-1) {
		endB, endA = endB-1, endA-1
		tail = append(tail, [2]int{endB, endA})
	}
	if n, k := endB-start, endA-start; n > 0 && k > 0 && n <= maxAligned && k <= maxAligned {
		// lengths[i][j] is the length of the longest common subsequence of the children from i and j on.
		m.Steps.Take(n * k / cellsEach)
		lengths := make([]int16, (n+1)*(k+1))
		for i := n - 1; i >= 0; i-- {
			for j := k - 1; j >= 0; j-- {
				if equal(start+i, start+j) {
					lengths[i*(k+1)+j] = lengths[(i+1)*(k+1)+j+1] + 1
				} else {
					lengths[i*(k+1)+j] = max(lengths[(i+1)*(k+1)+j], lengths[i*(k+1)+j+1])
				}
			}
		}
		for i, j := 0, 0; i < n && j < k; {
			switch {
			case equal(start+i, start+j):
				pairs = append(pairs, [2]int{start + i, start + j})
				i, j = i+1, j+1
			case lengths[(i+1)*(k+1)+j] >= lengths[i*(k+1)+j+1]:
				i++
			default:
				j++
			}
		}
	}
	for i := len(tail) - 1; i >= 0; i-- {
		pairs = append(pairs, tail[i])
	}
	return pairs
}

// matchElsewhere pairs unmatched children of equal content that are in another order.
func (m *Matching) matchElsewhere(before, after []int) {
	places := make(map[uint64][]int)
	for _, a := range after {
		if m.ToBefore[a] < 0 {
			places[m.AfterTree.Content[a]] = append(places[m.AfterTree.Content[a]], a)
		}
	}
	mixed := false
	for _, b := range before {
		list := places[m.BeforeTree.Content[b]]
		if m.ToAfter[b] >= 0 || len(list) == 0 {
			continue
		}
		m.pair(b, list[0])
		mixed = true
		places[m.BeforeTree.Content[b]] = list[1:]
	}
	if !mixed {
		return
	}
	// Which elements stayed and which moved is ambiguous: all that keep their content count as reordered.
	for _, b := range before {
		a := m.ToAfter[b]
		if a >= 0 && m.BeforeTree.Content[b] == m.AfterTree.Content[a] && m.BeforeTree.Box(b).Min != m.AfterTree.Box(a).Min {
			m.Reordered[a] = true
		}
	}
}

// matchKin pairs unmatched children with the same tag and classes, in order; then those with the same first class,
// since other classes change with states; last those whose first class only has another ending that a build made.
func (m *Matching) matchKin(before, after []int) {
	m.matchBy(before, after, func(t *Tree, i int) Kin { return t.Kin(i) })
	m.matchBy(before, after, func(t *Tree, i int) Kin { return Kin{t.Element(i).Tag, t.firstClass(i)} })
	m.matchBy(before, after, func(t *Tree, i int) Kin { return Kin{t.Element(i).Tag, withoutBuild(t.firstClass(i))} })
}

func (t *Tree) firstClass(i int) string {
	first, _, _ := strings.Cut(t.Element(i).Classes, " ")
	return first
}

// withoutBuild is a class without the ending that builds make from a checksum, which looks unlike a word: "card_x7Qa2".
func withoutBuild(class string) string {
	last := strings.LastIndexAny(class, "-_")
	end := class[last+1:]
	if !strings.ContainsFunc(end, unicode.IsDigit) && (end == strings.ToLower(end) || end == strings.ToUpper(end)) {
		return class
	}
	return strings.TrimRight(class[:max(last, 0)], "-_")
}

func (m *Matching) matchBy(before, after []int, key func(*Tree, int) Kin) {
	places := make(map[Kin][]int)
	for _, a := range after {
		if m.ToBefore[a] < 0 {
			places[key(m.AfterTree, a)] = append(places[key(m.AfterTree, a)], a)
		}
	}
	for _, b := range before {
		k := key(m.BeforeTree, b)
		if list := places[k]; m.ToAfter[b] < 0 && len(list) > 0 {
			m.pair(b, list[0])
			places[k] = list[1:]
		}
	}
}
