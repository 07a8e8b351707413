package noise

// pairing says which element of an earlier visit is which of a later one.
type pairing struct {
	before, after *layout
	toAfter       []int // by element; -1 for none
	toBefore      []int
}

// pair recognises elements by their places among the elements of the same path. Where their number changed, those with equal
// content are the same, then those with the same selector.
func pair(before, after *layout) *pairing {
	p := &pairing{before: before, after: after, toAfter: unmatched(len(before.elements)), toBefore: unmatched(len(after.elements))}
	for path, was := range before.byPath {
		is := after.byPath[path]
		if len(was) == len(is) {
			for n := range was {
				p.match(was[n], is[n])
			}
			continue
		}
		p.matchByContent(was, is)
		for _, b := range was {
			a, ok := after.bySelector[before.elements[b].Selector]
			if ok && after.paths[a] == path && p.toAfter[b] < 0 && p.toBefore[a] < 0 {
				p.match(b, a)
			}
		}
	}
	return p
}

func (p *pairing) matchByContent(was, is []int) {
	places := make(map[uint32][]int, len(is))
	for _, a := range is {
		content := p.after.content(a)
		places[content] = append(places[content], a)
	}
	for _, b := range was {
		content := p.before.content(b)
		if alike := places[content]; len(alike) > 0 {
			p.match(b, alike[0])
			places[content] = alike[1:]
		}
	}
}

func (l *layout) content(i int) uint32 {
	e := &l.elements[i]
	return hash(e.Text, e.Source)
}

func (p *pairing) match(before, after int) {
	p.toAfter[before], p.toBefore[after] = after, before
}

// strange reports whether most elements have no counterpart: between the visits lies a redesign, or one of them failed.
func (p *pairing) strange() bool {
	matched := 0
	for _, a := range p.toAfter {
		if a >= 0 {
			matched++
		}
	}
	return 2*matched < max(len(p.toAfter), len(p.toBefore))
}

func unmatched(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = -1
	}
	return list
}
