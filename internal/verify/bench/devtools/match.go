package devtools

import (
	"hash/fnv"
	"strings"
)

// Pair is two states of a page.
type Pair struct {
	Before, After *Page

	toBefore, toAfter []int // -1 for none
	children          [2][][]int
}

// NewPair finds which elements of two states of a page correspond: those with the same content first, then those of the same kind.
func NewPair(before, after *Page) *Pair {
	p := &Pair{Before: before, After: after}
	var contents [2][]uint64
	for side, page := range []*Page{before, after} {
		n := len(page.content.Elements)
		p.children[side] = make([][]int, n+1) // those of the document itself come last
		contents[side] = make([]uint64, n)
		for i := range page.content.Elements {
			parent := page.content.Elements[i].Parent
			if parent < 0 {
				parent = n
			}
			p.children[side][parent] = append(p.children[side][parent], i)
		}
		for i := n - 1; i >= 0; i-- {
			contents[side][i] = page.content.Elements[i].content(p.children[side][i], contents[side])
		}
	}
	p.toBefore, p.toAfter = none(len(contents[1])), none(len(contents[0]))
	p.matchChildren(len(contents[0]), len(contents[1]), contents)
	p.matchElsewhere(contents)
	return p
}

func none(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

func (e *Element) content(children []int, of []uint64) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(e.Tag + "\x00" + e.Text + "\x00" + e.Source + "\x00" + e.Value + "\x00" + e.Placeholder))
	for _, child := range children {
		for shift := 0; shift < 64; shift += 8 {
			_, _ = h.Write([]byte{byte(of[child] >> shift)})
		}
	}
	return h.Sum64()
}

// matchChildren pairs the children of two elements, and what is in them.
func (p *Pair) matchChildren(before, after int, contents [2][]uint64) {
	was, is := p.children[0][before], p.children[1][after]
	by := func(key func(side, i int) any) {
		var left [2][]int
		for _, i := range was {
			if p.toAfter[i] < 0 {
				left[0] = append(left[0], i)
			}
		}
		for _, i := range is {
			if p.toBefore[i] < 0 {
				left[1] = append(left[1], i)
			}
		}
		for _, pair := range common(left[0], left[1], key) {
			p.toAfter[pair[0]], p.toBefore[pair[1]] = pair[1], pair[0]
		}
	}
	at := func(side, i int) *Element { return &[2]*Page{p.Before, p.After}[side].content.Elements[i] }
	by(func(side, i int) any { return contents[side][i] })
	by(func(side, i int) any { return [3]string{at(side, i).Tag, at(side, i).ID, at(side, i).Classes} })
	by(func(side, i int) any {
		first, _, _ := strings.Cut(at(side, i).Classes, " ")
		return [2]string{at(side, i).Tag, first}
	})
	by(func(side, i int) any { return at(side, i).Tag })
	for _, i := range was {
		if p.toAfter[i] >= 0 {
			p.matchChildren(i, p.toAfter[i], contents)
		}
	}
}

// common pairs the elements of two lists that are equal in something, in order as far as possible: a longest common subsequence.
func common(was, is []int, key func(side, i int) any) [][2]int {
	n, m := len(was), len(is)
	if n*m > 4_000_000 {
		n, m = min(n, 2000), min(m, 2000)
	}
	keys := [2][]any{make([]any, n), make([]any, m)}
	for i := range n {
		keys[0][i] = key(0, was[i])
	}
	for i := range m {
		keys[1][i] = key(1, is[i])
	}
	lengths := make([][]int32, n+1)
	for i := range lengths {
		lengths[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if keys[0][i] == keys[1][j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case keys[0][i] == keys[1][j]:
			pairs = append(pairs, [2]int{was[i], is[j]})
			i, j = i+1, j+1
		case lengths[i+1][j] >= lengths[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// matchElsewhere pairs what is left if its content is the only one of its kind in both states.
func (p *Pair) matchElsewhere(contents [2][]uint64) {
	left := [2]map[uint64][]int{make(map[uint64][]int), make(map[uint64][]int)}
	for side, partner := range [][]int{p.toAfter, p.toBefore} {
		for i, other := range partner {
			if other < 0 {
				left[side][contents[side][i]] = append(left[side][contents[side][i]], i)
			}
		}
	}
	for content, was := range left[0] {
		if is := left[1][content]; len(was) == 1 && len(is) == 1 {
			p.toAfter[was[0]], p.toBefore[is[0]] = is[0], was[0]
		}
	}
}
