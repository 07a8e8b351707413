package verify

import (
	"cmp"
	"slices"
)

// A shuffle is a list of children that are in another order than before: the least of them, by how much of the picture they take,
// that had to change their places.
type shuffle struct {
	parent int   // in the after page
	movers []int // elements of the after page, in its order
	stayed []int
}

// shuffles finds the elements whose children changed places among each other.
func (v *view) shuffles() []shuffle {
	var found []shuffle
	for a := range v.afterTree.content {
		if b := v.toBefore[a]; b >= 0 && len(v.afterTree.children[a]) > 1 {
			if s, ok := v.shuffled(a, b); ok {
				found = append(found, s)
			}
		}
	}
	return found
}

// shuffled compares the order of the children that an element kept. Children that paint nothing have no order to see.
func (v *view) shuffled(a, b int) (shuffle, bool) {
	s := shuffle{parent: a}
	var kept []int
	inOrder, last := true, -1
	v.steps.take(len(v.afterTree.children[a]))
	for _, child := range v.afterTree.children[a] {
		was := v.toBefore[child]
		if was < 0 || v.beforeTree.parent(was) != b {
			continue
		}
		kept = append(kept, child)
		inOrder, last = inOrder && was > last, max(last, was)
	}
	if inOrder || len(kept) > maxAligned {
		return s, false
	}
	stays := v.heaviestOrder(kept)
	for i, child := range kept {
		if stays[i] {
			s.stayed = append(s.stayed, child)
		} else if v.changedPlace(child) {
			s.movers = append(s.movers, child)
		}
	}
	return s, len(s.movers) > 0
}

// changedPlace reports whether an element is not where it was, so that its order can be seen.
func (v *view) changedPlace(a int) bool {
	was, is := v.beforeTree.element(v.toBefore[a]).Place(), v.afterTree.element(a).Place()
	return differs(was.X, is.X) || differs(was.Y, is.Y)
}

// heaviestOrder finds which of some elements form the part in unchanged order that takes most of the picture: a longest increasing
// subsequence by area.
func (v *view) heaviestOrder(kept []int) []bool {
	v.steps.take(len(kept) * len(kept) / cellsEach)
	weight, from := make([]int, len(kept)), make([]int, len(kept))
	best := 0
	for i, child := range kept {
		own := 1 + area(v.afterTree.box(child))
		if v.beforeTree.content[v.toBefore[child]] != v.afterTree.content[child] {
			own = 1 // what changed itself is what moved, rather than one of several that are alike
		}
		weight[i], from[i] = own, -1
		for j := range i {
			if v.toBefore[kept[j]] < v.toBefore[child] && weight[j]+own >= weight[i] {
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

// neighbourAfter is the first of the children that stayed behind the mover, -1 if it is the last.
func (s *shuffle) neighbourAfter(mover int) int {
	i, _ := slices.BinarySearchFunc(s.stayed, mover, cmp.Compare[int])
	if i < len(s.stayed) {
		return s.stayed[i]
	}
	return -1
}
