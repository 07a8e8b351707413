package verify

import (
	"regexp"
	"strings"
)

// dynamicTextRule: dates, times, numbers and the like.
func dynamicTextRule(s *scene) *opinion {
	if s.Change != TextChanged {
		return nil
	}
	if salutation.MatchString(s.Before) && salutation.MatchString(s.After) {
		return &opinion{AllGood, CodeDynamic, "It is a greeting with another name.", 0.8, false}
	}
	if weighty(s.Before, s.After) || !onlyVolatile(s.Before, s.After) {
		return nil
	}
	return &opinion{AllGood, CodeDynamic, "Only dates, times or numbers in the text differ.", 0.95, false}
}

// badgeArea is the size of a badge at most, in pixels.
const badgeArea = 2500

// salutation greets somebody by name.
var salutation = regexp.MustCompile(`(?i)^(welcome( back)?|hello|hi|hey|hallo|willkommen|bonjour|bienvenue|hola)[, ]+\p{L}{2,20}( \p{L}\.?\p{L}{0,20})?[!.]?$`)

// badgeRule: a small number that comes and goes.
func badgeRule(s *scene) *opinion {
	if s.Change != Appeared && s.Change != Vanished || area(s.Box) > badgeArea {
		return nil
	}
	if text := strings.TrimSpace(s.Before + s.After); !strings.ContainsAny(text, "0123456789") || template(text) != "#" || weighty(text, text) {
		return nil
	}
	return &opinion{AllGood, CodeDynamic, "It is a badge with a number.", 0.8, false}
}

// gaugeRule: bars that show how far something is, whether they say so or only stand beside a number that changed.
func gaugeRule(s *scene) *opinion {
	if s.Change != Resized {
		return nil
	}
	e := s.Element
	good := &opinion{AllGood, CodeDynamic, "It is a progress bar.", 0.8, false}
	if e.Role == "progressbar" || e.Role == "meter" || e.Tag == "progress" || e.Tag == "meter" {
		return good
	}
	if s.before == nil || e.Text != "" || e.Source != "" || e.Background == "" || len(s.tree.children[s.at]) > 0 {
		return nil
	}
	if differ(e.Box.Width, s.before.Box.Width) == differ(e.Box.Height, s.before.Box.Height) || !s.besideNumber(3) {
		return nil
	}
	return good
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
			if other.tree == s.tree && other.at >= 0 && s.tree.within(other.at, top) && dynamicTextRule(&scene{s.view, other, s.cluster, s.index}) != nil {
				return true
			}
		}
	}
	return false
}

// valueColourRule: a number in another colour, since it rose and had fallen.
func valueColourRule(s *scene) *opinion {
	if s.Change != StyleChanged || s.before == nil || !strings.HasPrefix(s.Before, "text colour") || s.before.Text == s.Element.Text {
		return nil
	}
	if weighty(s.before.Text, s.Element.Text) || !onlyVolatile(s.before.Text, s.Element.Text) {
		return nil
	}
	return &opinion{AllGood, CodeDynamic, "A number changed, and its colour with it.", 0.8, false}
}

// highlightRule: a mark that goes from one number to another, as today does in a calendar.
func highlightRule(s *scene) *opinion {
	if s.Change != StyleChanged || template(s.Element.Text) != "#" || s.tree.parent(s.at) < 0 {
		return nil
	}
	for i := range s.shown {
		for f := range s.shown[i] {
			other := &s.shown[i][f]
			if other.Change == StyleChanged && other.Element != s.Element && other.Element.Tag == s.Element.Tag && other.Before == s.After && other.After == s.Before {
				return &opinion{AllGood, CodeDynamic, "A highlight moved from one number to another, like today in a calendar.", 0.8, false}
			}
		}
	}
	return nil
}

// nudge is how far something may be pushed aside by a text beside it that changes by itself, in pixels.
const nudge = 16

// nudgeRule: what is pushed aside a little by a number that has become wider, or by the entries of its list that changed.
func nudgeRule(s *scene) *opinion {
	if s.Change != Moved && s.Change != Resized || s.before == nil || s.at < 0 || s.toBefore[s.at] < 0 {
		return nil
	}
	dx, dy := s.displacement(s.toBefore[s.at], s.at)
	was, is := s.before.Box.Rect(), s.Element.Box.Rect()
	if max(abs(dx), abs(dy), abs(was.Dx()-is.Dx()), abs(was.Dy()-is.Dy())) > nudge || !s.besideNumber(1) && !s.besideRoll() {
		return nil
	}
	return &opinion{AllGood, CodeDynamic, "It was pushed aside by adjacent dynamic content.", 0.8, false}
}

// besideRoll tells whether the list that the element is in exchanged some of its entries.
func (s *scene) besideRoll() bool {
	for f := range s.shown[s.index] {
		other := &s.shown[s.index][f]
		if (other.Change == Appeared || other.Change == Vanished) && rollRule(&scene{s.view, other, s.cluster, s.index}) != nil {
			return true
		}
	}
	return false
}

// numberedRule: a part that came or went in something whose text as a whole is the same but for its numbers, such as a calendar.
func numberedRule(s *scene) *opinion {
	if s.Change != Appeared && s.Change != Vanished || s.at < 0 {
		return nil
	}
	parent := s.tree.parent(s.at)
	if parent < 0 || s.tree.tooLarge(parent) || s.partners(s.tree)[parent] < 0 {
		return nil
	}
	other := s.view.after
	if s.tree == s.view.after {
		other = s.view.before
	}
	here, there := s.tree.words(parent), other.words(s.partners(s.tree)[parent])
	if len(here) > maxNumbered || weighty(there, here) || !onlyVolatile(there, here) {
		return nil
	}
	return &opinion{AllGood, CodeDynamic, "Only numbers differ in the surrounding text.", 0.8, false}
}

// maxNumbered bounds the text that is compared without its numbers, in bytes.
const maxNumbered = 600
