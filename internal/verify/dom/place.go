package dom

import (
	"slices"

	"afterimage/internal/verify/css"
)

// Rules of style sheets may be about places: the first of a list, every second row, what follows another one of its kind. Where something
// came, went or changed places, others have another place, and look as what was there before did. That is no change of their own.

// kindred is the children of one tag of an element.
type kindred struct {
	parent int
	tag    string
}

// ranks are the places of a page's elements among those of their tag.
type ranks struct {
	of   []int
	list map[kindred][]int
}

func (t *Tree) ranks() *ranks {
	if t.ranked != nil {
		return t.ranked
	}
	t.steps.Take(len(t.Content))
	r := &ranks{make([]int, len(t.Content)), make(map[kindred][]int)}
	for i := range t.Content {
		k := t.kindredOf(i)
		r.of[i] = len(r.list[k])
		r.list[k] = append(r.list[k], i)
	}
	t.ranked = r
	return r
}

func (t *Tree) kindredOf(i int) kindred { return kindred{t.Parent(i), t.Element(i).Tag} }

// placeLevels is how far up something may have another place by which an element looks different: a row, of its cells.
const placeLevels = 3

// formerly lists the elements of the before page that had the place of one of the after page, counted from the first and from the last
// one, if it had another place; as far as its classes, and those of what is around it, are as they were.
func (m *Matching) formerly(a, levels int) []int {
	b, parent := m.ToBefore[a], m.AfterTree.Parent(a)
	if parent < 0 || b < 0 || m.ToBefore[parent] != m.BeforeTree.Parent(b) ||
		m.AfterTree.Element(a).Classes != m.BeforeTree.Element(b).Classes {
		return nil
	}
	before, after := m.BeforeTree.ranks(), m.AfterTree.ranks()
	was, is := before.list[m.BeforeTree.kindredOf(b)], after.list[m.AfterTree.kindredOf(a)]
	i, j := after.of[a], before.of[b]
	fromStart, fromEnd := i, len(was)-(len(is)-i)
	if fromStart >= len(was) {
		fromStart -= 2 // rows look as every second one does
	}
	var found []int
	for _, at := range []int{fromStart, fromEnd} {
		if at != j && at >= 0 && at < len(was) {
			found = append(found, was[at])
		}
	}
	if len(found) > 0 || levels == 0 {
		return found
	}
	for _, up := range m.formerly(parent, levels-1) {
		list := before.list[kindred{up, m.BeforeTree.Element(b).Tag}]
		if j < len(list) {
			found = append(found, list[j])
		}
	}
	return found
}

// atEnd reports whether an element is the first or the last of its list in one page only.
func (m *Matching) atEnd(a int) bool {
	before, after, b := m.BeforeTree.ranks(), m.AfterTree.ranks(), m.ToBefore[a]
	was, is := before.list[m.BeforeTree.kindredOf(b)], after.list[m.AfterTree.kindredOf(a)]
	return (before.of[b] == 0) != (after.of[a] == 0) || (before.of[b] == len(was)-1) != (after.of[a] == len(is)-1)
}

// byPlace takes from the changes of an element's own those that make it look as what had its place before. What sets the first or the last
// of a list apart from the others goes along: its distance to them, and what stands between them.
func (m *Matching) byPlace(r *Restyling, a int) {
	for _, former := range m.formerly(a, placeLevels) {
		differing := m.changesOf(m.BeforeTree.Element(former).Style, m.AfterTree.Element(a).Style)
		as := func(c css.Change) bool {
			return !slices.ContainsFunc(differing, func(d css.Change) bool { return d.Property == c.Property })
		}
		if !slices.ContainsFunc(r.Own[a], as) {
			continue
		}
		between := m.atEnd(a)
		var own []css.Change
		for _, c := range r.Own[a] {
			if as(c) || between && c.SetsApart() {
				r.Placed[a] = append(r.Placed[a], c)
			} else {
				own = append(own, c)
			}
		}
		r.Own[a] = own
	}
}
