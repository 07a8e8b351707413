package verify

import "afterimage/internal/page"

// habitually: a part of the page that is known to change by itself, for one habit.
func habitually(h habit) func(*scene) string {
	return func(s *scene) string {
		if s.acts() != h {
			return ""
		}
		return habits[h].reason
	}
}

// acts is the habit that explains the finding, "" for none. It is computed once.
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
	if s.otherValue(h) || s.becameKey() {
		return ""
	}
	comes := s.Change == Appeared || s.Change == Vanished
	if !ok && comes {
		h, ok = s.overlayByText()
	}
	if !overlays[h] && s.Change == Vanished && s.losesControl() {
		return "" // content may change by itself, what people use may not
	}
	switch {
	case !ok:
		return ""
	case overlays[h]:
		if !s.Element.Fixed {
			return ""
		}
	case comes && !s.within(h):
		// Here the part with the habit itself appeared or vanished: only advertisements do that.
		if h != habitAd {
			return ""
		}
	}
	return h
}

// otherValue reports whether a text has another price or number that must be right, which no part of a page excuses, or a
// measurement that became zero. The amounts of live data may differ.
func (s *scene) otherValue(h habit) bool {
	if s.Change != TextChanged {
		return false
	}
	return h != habitWidget && s.weighs(s.Before, s.After) && s.onlyNumbers(s.Before, s.After) || zeroed(s.Before, s.After)
}

// controls are the roles of what people use a page with, and of the landmarks by which they find it.
var controls = map[string]bool{
	"button": true, "textbox": true, "searchbox": true, "combobox": true, "listbox": true, "checkbox": true, "radio": true,
	"slider": true, "spinbutton": true, "switch": true, "form": true, "search": true, "navigation": true, "main": true,
}

// losesControl reports whether the nearest part that both pages have lost a control with the element: a card that gave
// way to another one of its form did not.
func (s *scene) losesControl() bool {
	lost := s.tree.controlsIn(s.at)
	if lost == 0 {
		return false
	}
	for up := s.tree.parent(s.at); up >= 0; up = s.tree.parent(up) {
		if a := s.toAfter[up]; a >= 0 {
			return s.afterTree.controlsIn(a) < s.tree.controlsIn(up)
		}
	}
	return true
}

// controlsIn counts the controls within an element.
func (t *tree) controlsIn(i int) int {
	n := 0
	for j := i; j < len(t.content) && j <= i+maxInside && t.within(j, i); j++ {
		if controls[t.element(j).Role] {
			n++
		}
	}
	return n
}

// within reports whether the habit belongs to an ancestor of the element that stayed.
func (s *scene) within(h habit) bool {
	parent := s.tree.parent(s.at)
	if parent < 0 {
		return false
	}
	around, ok := s.tree.habit(parent)
	return ok && around == h
}

// overlaySigns match texts of overlays.
var overlaySigns = []struct {
	habit habit
	form  *page.WordPattern
}{
	{habitConsent, page.CompileWords(`\b(` + alternatives(func(l *language) []string { return l.consent }) + `)\b`)},
	{habitPopup, page.CompileWords(`\b(` + alternatives(func(l *language) []string { return l.subscribe }) + `)\b`)},
}

// overlayByText recognises consent banners and pop-ups by their text.
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
