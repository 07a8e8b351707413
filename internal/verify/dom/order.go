package dom

import (
	"cmp"
	"slices"
)

// A Shuffle is a list of children that are in another order than before: the least of them, by how much of the picture they take,
// that had to change their places.
type Shuffle struct {
	Parent int   // in the after page
	Movers []int // elements of the after page, in its order
	Stayed []int
}

// Shuffles finds the elements whose children changed places among each other.
func (m *Matching) Shuffles() []Shuffle {
	var found []Shuffle
	for a := range m.AfterTree.Content {
		if b := m.ToBefore[a]; b >= 0 && len(m.AfterTree.Children[a]) > 1 {
			if s, ok := m.shuffled(a, b); ok {
				found = append(found, s)
			}
		}
	}
	return found
}

// shuffled compares the order of the children that an element kept. Children that paint nothing have no order to see.
func (m *Matching) shuffled(a, b int) (Shuffle, bool) {
	s := Shuffle{Parent: a}
	var kept []int
	inOrder, last := true, -1
	m.Steps.Take(len(m.AfterTree.Children[a]))
	for _, child := range m.AfterTree.Children[a] {
		was := m.ToBefore[child]
		if was < 0 || m.BeforeTree.Parent(was) != b {
			continue
		}
		kept = append(kept, child)
		inOrder, last = inOrder && was > last, max(last, was)
	}
	if inOrder || len(kept) > maxAligned {
		return s, false
	}
	stays := m.heaviestOrder(kept)
	for i, child := range kept {
		if stays[i] {
			s.Stayed = append(s.Stayed, child)
		} else if m.changedPlace(child) {
			s.Movers = append(s.Movers, child)
		}
	}
	return s, len(s.Movers) > 0
}

// changedPlace reports whether an element is not where it was, so that its order can be seen.
func (m *Matching) changedPlace(a int) bool {
	was, is := m.BeforeTree.Element(m.ToBefore[a]).Place(), m.AfterTree.Element(a).Place()
	return differs(was.X, is.X) || differs(was.Y, is.Y)
}

// heaviestOrder finds which of some elements form the part in unchanged order that takes most of the picture: a longest increasing
// subsequence by area.
func (m *Matching) heaviestOrder(kept []int) []bool {
	m.Steps.Take(len(kept) * len(kept) / cellsEach)
	weight, from := make([]int, len(kept)), make([]int, len(kept))
	best := 0
	for i, child := range kept {
		own := 1 + Area(m.AfterTree.Box(child))
		if m.BeforeTree.Content[m.ToBefore[child]] != m.AfterTree.Content[child] {
			own = 1 // what changed itself is what moved, rather than one of several that are alike
		}
		weight[i], from[i] = own, -1
		for j := range i {
			if m.ToBefore[kept[j]] < m.ToBefore[child] && weight[j]+own >= weight[i] {
				weight[i], from[i] = weight[j]+own, j
			}
		}
		if weight[i] > weight[best] {
			best = i
		}
	}
	stays := make([]bool, len(kept))
	for i := best; i >= 0; i = from[i] {
		stays[i] = true
	}
	return stays
}

// NeighbourAfter is the first of the children that stayed behind the mover, -1 if it is the last.
func (s *Shuffle) NeighbourAfter(mover int) int {
	i, _ := slices.BinarySearchFunc(s.Stayed, mover, cmp.Compare[int])
	if i < len(s.Stayed) {
		return s.Stayed[i]
	}
	return -1
}
