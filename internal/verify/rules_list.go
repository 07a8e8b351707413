package verify

import (
	"fmt"

	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// inside reports whether the element is inside an element with this role.
func (s *scene) inside(role string) bool { return s.tree.Inside(s.at, role) }

// movedList: a list that lost some of its entries and gained as many, while most stayed the same. Its entries say how old they are;
// other lists change because somebody changes them.
func movedList(s *scene) string {
	if s.Change != Appeared && s.Change != Vanished || s.at < 0 || s.inside("navigation") || s.inside("form") {
		return ""
	}
	parent, other := s.tree.Parent(s.at), s.AfterTree
	if parent < 0 {
		return ""
	}
	partner := s.ToAfter
	if s.tree == s.AfterTree {
		other, partner = s.BeforeTree, s.ToBefore
	}
	if partner[parent] < 0 {
		return ""
	}
	if s.emptyEntries(parent) || !wording.TellsAge(s.tree.Words(s.at)) {
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
	if s.tree == s.BeforeTree {
		parent = s.ToAfter[parent]
	}
	for _, child := range s.AfterTree.Children[parent] {
		if s.ToBefore[child] < 0 && s.AfterTree.Kin(child) == s.tree.Kin(s.at) && substance(s.AfterTree, child) == 0 {
			return true
		}
	}
	return false
}

// partners returns, for the elements of a tree, the matching elements of the other page.
func (v *view) partners(t *dom.Tree) []int {
	if t == v.AfterTree {
		return v.ToBefore
	}
	return v.ToAfter
}

// entries counts the children of an element that are of the same kind as that of the finding, and how many of them have
// no partner.
func (s *scene) entries(t *dom.Tree, parent int, partner []int) (all, alone int) {
	for _, child := range t.Children[parent] {
		if t.Kin(child) != s.tree.Kin(s.at) {
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
func (s *scene) openEnd(t *dom.Tree, parent int, partner []int) (atEnd, ok bool) {
	turns, kept, last := 0, 0, -1
	for _, child := range t.Children[parent] {
		if t.Kin(child) != s.tree.Kin(s.at) {
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
