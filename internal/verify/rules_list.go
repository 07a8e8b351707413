package verify

import (
	"fmt"
)

// otherOrder: the same things in another order. The order of a navigation is meant.
func otherOrder(s *scene) string {
	if s.Change != Reordered || s.inside("navigation") {
		return ""
	}
	return "The same items are in another order."
}

// inside tells whether the element is in one of a role.
func (s *scene) inside(role string) bool {
	for i := s.at; i >= 0; i = s.tree.parent(i) {
		if s.tree.element(i).Role == role {
			return true
		}
	}
	return false
}

// movedList: a list that lost some of its entries and got as many new ones, most being the same.
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

// partners are the elements of the other page that those of a tree are the same as.
func (v *view) partners(t *tree) []int {
	if t == v.afterTree {
		return v.toBefore
	}
	return v.toAfter
}

// entries counts the children of an element that are of the kind of the finding's, and those that have no partner.
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
