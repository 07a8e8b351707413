package verify

import (
	"strings"
	"unicode"

	"afterimage/internal/verify/dom"
)

// cornerBox: a small box that keeps its place on the screen, and came or went: a chat, a note, a way to the top. What it is
// called does not matter, but it may not lie upon a control, nor take one
// away. A bar across the screen is none, nor is a box that says something: “closed this week” is news.
func cornerBox(s *scene) string {
	if s.Change != Appeared && s.Change != Vanished || s.at < 0 || !s.Element.Fixed ||
		cornerOverlay*dom.Area(s.Box) > s.tree.Size.X*screenHeight || 10*s.Box.Dx() >= screenTenths*s.tree.Size.X ||
		s.inside("banner") || s.inside("navigation") || strings.ContainsAny(s.Before+s.After, "0123456789%") { // an offer, a date
		return ""
	}
	if parent := s.tree.Parent(s.at); parent >= 0 && s.tree.Element(parent).Fixed {
		return "" // a part of a box that stayed
	}
	if saysSomething(s.tree, s.at) {
		return ""
	}
	if s.Change == Vanished {
		if s.tree.ControlsIn(s.at) > 0 || contentsOf(s.tree, s.at).headings > 0 {
			return ""
		}
	} else if texts, used := s.covers(); used > 0 || texts >= coveredSeveral {
		return ""
	}
	return "It is a small box at the edge of the screen."
}

// saysSomething reports whether an element has words in it that are not those of a button, a link or a field.
func saysSomething(t *dom.Tree, top int) bool {
	for i := top; i < len(t.Content) && i <= top+dom.MaxInside && t.Within(i, top); i++ {
		e := t.Element(i)
		if e.Role != "link" && !dom.IsControl(e.Role) && !dom.ShowsPixels(e.Tag) && strings.IndexFunc(e.Text, unicode.IsLetter) >= 0 {
			return true
		}
	}
	return false
}
