package verify

import (
	"strings"
	"unicode"
)

// matching records which elements of the two pages correspond.
type matching struct {
	beforeTree, afterTree *tree
	toAfter               []int // by element before: the element after, -1 for none
	toBefore              []int
	reordered             []bool // by element after: its siblings are in another order
	reparented            []bool // by element after: it was in another element
}

// match walks both trees from their roots: the children of two matched elements are aligned by their content, like the
// lines of two texts.
func match(before, after *tree) *matching {
	m := &matching{
		beforeTree: before, afterTree: after, toAfter: make([]int, len(before.content)), toBefore: make([]int, len(after.content)),
		reordered: make([]bool, len(after.content)), reparented: make([]bool, len(after.content)),
	}
	for i := range m.toAfter {
		m.toAfter[i] = -1
	}
	for i := range m.toBefore {
		m.toBefore[i] = -1
	}
	m.matchIDs()
	m.matchLists(before.roots, after.roots)
	// Parents come before their children.
	for b := range before.content {
		if a := m.toAfter[b]; a >= 0 {
			m.matchCells(b, a)
			m.matchLists(before.children[b], after.children[a])
			m.matchThroughEmpty(b, a)
		}
	}
	return m
}

// matchThroughEmpty pairs the children of one with what is in children of the other that have no size: whether such an element is recorded
// depends on how its place is rounded.
func (m *matching) matchThroughEmpty(b, a int) {
	for _, child := range m.free(m.beforeTree.children[b], m.toAfter) {
		if m.beforeTree.sizeless(child) {
			m.matchLists(m.beforeTree.children[child], m.afterTree.children[a])
		}
	}
	for _, child := range m.free(m.afterTree.children[a], m.toBefore) {
		if m.afterTree.sizeless(child) {
			m.matchLists(m.beforeTree.children[b], m.afterTree.children[child])
		}
	}
}

// sizeless reports whether an element has neither a size nor anything of its own that could be seen outside of it.
func (t *tree) sizeless(i int) bool {
	e := t.element(i)
	at := e.Place()
	return at.Width*at.Height == 0 && e.Text == "" && e.Source == ""
}

func (m *matching) pair(b, a int) {
	m.toAfter[b], m.toBefore[a] = a, b
}

// matchIDs pairs the elements with the same unique id and tag.
func (m *matching) matchIDs() {
	places := make(map[string]int)
	for a := range m.afterTree.content {
		if e := m.afterTree.element(a); len(e.Selector) > 1 && e.Selector[0] == '#' && isSimple(e.Selector) {
			places[e.Selector] = a
		}
	}
	for b := range m.beforeTree.content {
		e := m.beforeTree.element(b)
		if a, ok := places[e.Selector]; ok && e.Selector != "" && m.afterTree.element(a).Tag == e.Tag {
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
func (m *matching) matchLists(before, after []int) {
	before, after = m.free(before, m.toAfter), m.free(after, m.toBefore)
	if len(before) == 0 || len(after) == 0 {
		return
	}
	anchors := m.anchor(before, after, (*tree).contentOf)
	m.matchElsewhere(before, after)
	inGaps(anchors, before, after, m.matchLike)
	m.matchSimilar(before, after)
}

// matchLike pairs children that are equal but for their numbers, and the others by their kind.
func (m *matching) matchLike(before, after []int) {
	before, after = m.free(before, m.toAfter), m.free(after, m.toBefore)
	if len(before) == 0 || len(after) == 0 {
		return
	}
	inGaps(m.anchor(before, after, (*tree).likeness), before, after, func(before, after []int) {
		m.matchSimilar(before, after)
		m.matchKin(before, after)
	})
}

// anchor pairs children of which something is equal, in order, and returns their places in the lists.
func (m *matching) anchor(before, after []int, of func(*tree, int) uint64) [][2]int {
	keys := func(t *tree, list []int) []uint64 {
		all := make([]uint64, len(list))
		for i, at := range list {
			all[i] = of(t, at)
		}
		return all
	}
	anchors := m.inOrder(keys(m.beforeTree, before), keys(m.afterTree, after))
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

func (m *matching) free(list, taken []int) []int {
	var free []int
	for _, i := range list {
		if taken[i] < 0 {
			free = append(free, i)
		}
	}
	return free
}

// inOrder finds a longest common subsequence.
func (m *matching) inOrder(before, after []uint64) [][2]int {
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
		m.beforeTree.steps.take(n * k / cellsEach)
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
func (m *matching) matchElsewhere(before, after []int) {
	places := make(map[uint64][]int)
	for _, a := range after {
		if m.toBefore[a] < 0 {
			places[m.afterTree.content[a]] = append(places[m.afterTree.content[a]], a)
		}
	}
	mixed := false
	for _, b := range before {
		list := places[m.beforeTree.content[b]]
		if m.toAfter[b] >= 0 || len(list) == 0 {
			continue
		}
		m.pair(b, list[0])
		mixed = true
		places[m.beforeTree.content[b]] = list[1:]
	}
	if !mixed {
		return
	}
	// Which elements stayed and which moved is ambiguous: all that keep their content count as reordered.
	for _, b := range before {
		a := m.toAfter[b]
		if a >= 0 && m.beforeTree.content[b] == m.afterTree.content[a] && m.beforeTree.box(b).Min != m.afterTree.box(a).Min {
			m.reordered[a] = true
		}
	}
}

// matchKin pairs unmatched children with the same tag and classes, in order; then those with the same first class,
// since other classes change with states; last those whose first class only has another ending that a build made.
func (m *matching) matchKin(before, after []int) {
	m.matchBy(before, after, func(t *tree, i int) kin { return t.kin(i) })
	m.matchBy(before, after, func(t *tree, i int) kin { return kin{t.element(i).Tag, t.firstClass(i)} })
	m.matchBy(before, after, func(t *tree, i int) kin { return kin{t.element(i).Tag, withoutBuild(t.firstClass(i))} })
}

func (t *tree) firstClass(i int) string {
	first, _, _ := strings.Cut(t.element(i).Classes, " ")
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

func (m *matching) matchBy(before, after []int, key func(*tree, int) kin) {
	places := make(map[kin][]int)
	for _, a := range after {
		if m.toBefore[a] < 0 {
			places[key(m.afterTree, a)] = append(places[key(m.afterTree, a)], a)
		}
	}
	for _, b := range before {
		k := key(m.beforeTree, b)
		if list := places[k]; m.toAfter[b] < 0 && len(list) > 0 {
			m.pair(b, list[0])
			places[k] = list[1:]
		}
	}
}
