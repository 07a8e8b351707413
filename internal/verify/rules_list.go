package verify

import (
	"fmt"
)

// otherOrder: the same items in another order. The order of a navigation is intentional.
func otherOrder(s *scene) string {
	if s.Change != Reordered || s.inside("navigation") {
		return ""
	}
	return "The same items are in another order."
}

// inside reports whether the element is inside an element with this role.
func (s *scene) inside(role string) bool {
	for i := s.at; i >= 0; i = s.tree.parent(i) {
		if s.tree.element(i).Role == role {
			return true
		}
	}
	return false
}

// movedList: a list that lost some of its entries and gained as many, while most stayed the same.
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
	here, alone := s.entries(s.tree, parent, partner)
	there, aloneThere := s.entries(other, partner[parent], s.partners(other))
	if here != there || alone != aloneThere || here < shortestList || 2*alone > here {
		return ""
	}
	return fmt.Sprintf("%d of the %d entries in the list were replaced.", alone, here)
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
