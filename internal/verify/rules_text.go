package verify

import (
	"regexp"
	"strings"
)

// otherGreeting: a text that greets somebody by name.
func otherGreeting(s *scene) string {
	if s.Change != TextChanged || !salutation.MatchString(s.Before) || !salutation.MatchString(s.After) {
		return ""
	}
	return "It is a greeting with another name."
}

// otherNumbers: dates, times, numbers and the like.
func otherNumbers(s *scene) string {
	if s.Change != TextChanged || weighty(s.Before, s.After) || !onlyVolatile(s.Before, s.After) {
		return ""
	}
	return "Only dates, times or numbers in the text differ."
}

// salutation greets somebody by name.
var salutation = regexp.MustCompile(`(?i)^(` + alternatives(func(l *language) []string { return l.greetings }) +
	`)[, ]+\p{L}{2,20}( \p{L}\.?\p{L}{0,20})?[!.]?$`)

// badge: a small number that comes and goes.
func badge(s *scene) string {
	if s.Change != Appeared && s.Change != Vanished || area(s.Box) > badgeArea {
		return ""
	}
	text := strings.TrimSpace(s.Before + s.After)
	if !strings.ContainsAny(text, "0123456789") || template(text) != "#" || weighty(text, text) {
		return ""
	}
	return "It is a badge with a number."
}

// progressBar: bars that show how far something is, whether they say so or only stand beside a number that changed.
func progressBar(s *scene) string {
	if s.Change != Resized {
		return ""
	}
	e := s.Element
	const reason = "It is a progress bar."
	if e.Role == "progressbar" || e.Role == "meter" || e.Tag == "progress" || e.Tag == "meter" {
		return reason
	}
	if s.elementBefore == nil || e.Text != "" || e.Source != "" || e.Background == "" || len(s.tree.children[s.at]) > 0 {
		return ""
	}
	if differ(e.Box.Width, s.elementBefore.Box.Width) == differ(e.Box.Height, s.elementBefore.Box.Height) || !s.besideNumber(barLevels) {
		return ""
	}
	return reason
}

// besideNumber tells whether something near, below a common ancestor so many levels up, is a text of which only numbers
// changed.
func (s *scene) besideNumber(levels int) bool {
	top := s.at
	for range levels {
		if parent := s.tree.parent(top); parent >= 0 && !s.tree.tooLarge(parent) {
			top = parent
		}
	}
	for i := range s.shown {
		for f := range s.shown[i] {
			other := &s.shown[i][f]
			if other.tree == s.tree && other.at >= 0 && s.tree.within(other.at, top) && s.with(other).dynamicText() {
				return true
			}
		}
	}
	return false
}

// dynamicText tells whether the finding is of a text that changes by itself.
func (s *scene) dynamicText() bool { return otherGreeting(s) != "" || otherNumbers(s) != "" }

// with is the same scene with another finding.
func (s *scene) with(f *Finding) *scene {
	return &scene{view: s.view, Finding: f, cluster: s.cluster, index: s.index}
}

// colouredNumber: a number in another colour, since it rose and had fallen.
func colouredNumber(s *scene) string {
	if s.Change != StyleChanged || s.elementBefore == nil || !strings.HasPrefix(s.Before, "text colour") ||
		s.elementBefore.Text == s.Element.Text {
		return ""
	}
	if weighty(s.elementBefore.Text, s.Element.Text) || !onlyVolatile(s.elementBefore.Text, s.Element.Text) {
		return ""
	}
	return "A number changed, and its colour with it."
}

// movedMark: a mark that goes from one number to another, as today does in a calendar.
func movedMark(s *scene) string {
	if s.Change != StyleChanged || template(s.Element.Text) != "#" || s.tree.parent(s.at) < 0 {
		return ""
	}
	for i := range s.shown {
		for f := range s.shown[i] {
			other := &s.shown[i][f]
			if other.Change == StyleChanged && other.Element != s.Element && other.Element.Tag == s.Element.Tag &&
				other.Before == s.After && other.After == s.Before {
				return "A highlight moved from one number to another, like today in a calendar."
			}
		}
	}
	return ""
}

// pushedAside: what is pushed aside a little by a number that has become wider, or by the entries of its list that changed.
func pushedAside(s *scene) string {
	if s.Change != Moved && s.Change != Resized || s.elementBefore == nil || s.at < 0 || s.toBefore[s.at] < 0 {
		return ""
	}
	dx, dy := s.displacement(s.toBefore[s.at], s.at)
	was, is := s.elementBefore.Box.Rect(), s.Element.Box.Rect()
	if max(abs(dx), abs(dy), abs(was.Dx()-is.Dx()), abs(was.Dy()-is.Dy())) > nudge || !s.besideNumber(nudgeLevels) && !s.besideRoll() {
		return ""
	}
	return "It was pushed aside by adjacent dynamic content."
}

// besideRoll tells whether the list that the element is in exchanged some of its entries.
func (s *scene) besideRoll() bool {
	for f := range s.shown[s.index] {
		other := &s.shown[s.index][f]
		if (other.Change == Appeared || other.Change == Vanished) && movedList(s.with(other)) != "" {
			return true
		}
	}
	return false
}

// partAmongNumbers: a part that came or went in something whose text as a whole is the same but for its numbers, such as a calendar.
func partAmongNumbers(s *scene) string {
	if s.Change != Appeared && s.Change != Vanished || s.at < 0 {
		return ""
	}
	parent := s.tree.parent(s.at)
	if parent < 0 || s.tree.tooLarge(parent) || s.partners(s.tree)[parent] < 0 {
		return ""
	}
	other := s.afterTree
	if s.tree == s.afterTree {
		other = s.beforeTree
	}
	here, there := s.tree.words(parent), other.words(s.partners(s.tree)[parent])
	if len(here) > maxNumbered || weighty(there, here) || !onlyVolatile(there, here) {
		return ""
	}
	return "Only numbers differ in the surrounding text."
}
