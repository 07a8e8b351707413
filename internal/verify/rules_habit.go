package verify

import (
	"regexp"
)

// habitually: a part of the page that is known to change by itself, in one way.
func habitually(h habit) func(*scene) string {
	return func(s *scene) string {
		if s.acts() != h {
			return ""
		}
		return habits[h].reason
	}
}

// acts is the habit that explains the finding, "" for none. It is looked for once.
func (s *scene) acts() habit {
	if !s.habitKnown {
		s.habitKnown, s.habit = true, s.findHabit()
	}
	return s.habit
}

func (s *scene) findHabit() habit {
	if s.at < 0 || s.Change == Blanked || s.Change == Loading || s.Change == Shifted {
		return ""
	}
	h, ok := s.tree.habit(s.at)
	if h != habitWidget && s.Change == TextChanged && weighty(s.Before, s.After) && onlyVolatile(s.Before, s.After) {
		return "" // the same thing has another price
	}
	comes := s.Change == Appeared || s.Change == Vanished
	if !ok && comes {
		h, ok = s.overlayByText()
	}
	switch {
	case !ok:
		return ""
	case overlays[h]:
		if !s.Element.Fixed {
			return ""
		}
	case comes && !s.within(h):
		// What has the habit came or went itself: only an advertisement does that.
		if h != habitAd {
			return ""
		}
	}
	return h
}

// within tells whether the habit is that of something around the element, which stayed.
func (s *scene) within(h habit) bool {
	parent := s.tree.parent(s.at)
	if parent < 0 {
		return false
	}
	around, ok := s.tree.habit(parent)
	return ok && around == h
}

// overlaySigns are what overlays say.
var overlaySigns = []struct {
	habit habit
	form  *regexp.Regexp
}{
	{habitConsent, regexp.MustCompile(`(?i)\b(` + alternatives(func(l *language) []string { return l.consent }) + `)\b`)},
	{habitPopup, regexp.MustCompile(`(?i)\b(` + alternatives(func(l *language) []string { return l.subscribe }) + `)\b`)},
}

// overlayByText knows consent banners and pop-ups by what they say.
func (s *scene) overlayByText() (habit, bool) {
	if !s.Element.Fixed {
		return "", false
	}
	for _, sign := range overlaySigns {
		if sign.form.MatchString(s.Before + s.After) {
			return sign.habit, true
		}
	}
	return "", false
}
