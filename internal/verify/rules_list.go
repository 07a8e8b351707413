package verify

import (
	"fmt"
)

// inside reports whether the element is inside an element with this role.
func (s *scene) inside(role string) bool { return s.tree.inside(s.at, role) }

func (t *tree) inside(i int, role string) bool {
	for ; i >= 0; i = t.parent(i) {
		if t.element(i).Role == role {
			return true
		}
	}
	return false
}

// movedList: a list that lost some of its entries and gained as many, while most stayed the same. Its entries say how old they are;
// other lists change because somebody changes them.
func movedList(s *scene) string {
	if s.Change != Appeared && s.Change != Vanished || s.at < 0 || s.inside("navigation") || s.inside("form") {
		return ""
	}
	parent, other := s.tree.parent(s.at), s.afterTree
	if parent < 0 {
		return ""
	}
	partner := s.toAfter
	if s.tree == s.afterTree {
		other, partner = s.beforeTree, s.toBefore
	}
	if partner[parent] < 0 {
		return ""
	}
	if s.emptyEntries(parent) || !relative.MatchString(spanless(s.tree.words(s.at))) {
		return ""
	}
	here, alone := s.entries(s.tree, parent, partner)
	there, aloneThere := s.entries(other, partner[parent], s.partners(other))
	if max(here, there) >= shortestList && abs(here-there) <= 1 {
		end, ok := s.openEnd(s.tree, parent, partner)
		endThere, okThere := s.openEnd(other, partner[parent], s.partners(other))
		if ok && okThere && end != endThere {
			return "New entries were added at one end of the list and others dropped off at the other."
		}
	}
	if here != there || alone != aloneThere || here < shortestList || 2*alone > here {
		return ""
	}
	return fmt.Sprintf("%d of the %d entries in the list were replaced.", alone, here)
}

// emptyEntries reports whether entries without anything in them came to the list around the finding.
func (s *scene) emptyEntries(parent int) bool {
	if s.tree == s.beforeTree {
		parent = s.toAfter[parent]
	}
	for _, child := range s.afterTree.children[parent] {
		if s.toBefore[child] < 0 && s.afterTree.kin(child) == s.tree.kin(s.at) && s.afterTree.substance(child) == 0 {
			return true
		}
	}
	return false
}

// partners returns, for the elements of a tree, the matching elements of the other page.
func (v *view) partners(t *tree) []int {
	if t == v.afterTree {
		return v.toBefore
	}
	return v.toAfter
}

// entries counts the children of an element that are of the same kind as that of the finding, and how many of them have
// no partner.
func (s *scene) entries(t *tree, parent int, partner []int) (all, alone int) {
	for _, child := range t.children[parent] {
		if t.kin(child) != s.tree.kin(s.at) {
			continue
		}
		if all++; partner[child] < 0 {
			alone++
		}
	}
	return all, alone
}

// openEnd reports whether the entries without a partner are at the end of a list or at its beginning; ok is false if they are
// not together there, or nothing but such.
func (s *scene) openEnd(t *tree, parent int, partner []int) (atEnd, ok bool) {
	turns, kept, last := 0, 0, -1
	for _, child := range t.children[parent] {
		if t.kin(child) != s.tree.kin(s.at) {
			continue
		}
		here := index(partner[child] >= 0)
		if last >= 0 && here != last {
			turns++
		}
		kept, last = kept+here, here
	}
	return last == 0, kept > 0 && turns == 1
}

func index(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
