package verify

import (
	"fmt"
)

// reorderRule: the same things in another order. The order of a navigation is meant.
func reorderRule(s *scene) *opinion {
	if s.Change != Reordered || s.inside("navigation") {
		return nil
	}
	return &opinion{AllGood, CodeReordered, "The same items are in another order.", 0.75, false}
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

// rollRule: a list that lost some of its entries and got as many new ones, most being the same.
func rollRule(s *scene) *opinion {
	if s.Change != Appeared && s.Change != Vanished || s.at < 0 || s.inside("navigation") || s.inside("form") {
		return nil
	}
	parent, other := s.tree.parent(s.at), s.view.after
	if parent < 0 {
		return nil
	}
	partner := s.toAfter
	if s.tree == s.view.after {
		other, partner = s.view.before, s.toBefore
	}
	if partner[parent] < 0 {
		return nil
	}
	here, alone := s.entries(s.tree, parent, partner)
	there, aloneThere := s.entries(other, partner[parent], s.partners(other))
	if here != there || alone != aloneThere || here < 3 || 2*alone > here {
		return nil
	}
	return &opinion{AllGood, CodeFeed, fmt.Sprintf("%d of the %d entries in the list were replaced.", alone, here), 0.75, false}
}

// partners are the elements of the other page that those of a tree are the same as.
func (v *view) partners(t *tree) []int {
	if t == v.after {
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
