package verify

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"afterimage/internal/verify/css"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// otherGreeting: a text that greets somebody by name.
func otherGreeting(s *scene) string {
	if s.Change != TextChanged || !wording.Salutation.MatchString(s.Before) || !wording.Salutation.MatchString(s.After) {
		return ""
	}
	return "It is a greeting with a different name."
}

// otherNumbers: dates, times, numbers and the like that say of themselves that they change.
func otherNumbers(s *scene) string {
	if s.Change != TextChanged || s.Weighs(s.Before, s.After) ||
		!s.OnlyNumbers(s.Before, s.After) && !wording.OnlyTechnical(s.Before, s.After) ||
		!s.Moves(s.Before, s.After) && !s.countdown() {
		return ""
	}
	return "The text itself shows that the part that differs varies on its own."
}

// shortNumber matches a part of a countdown.
var shortNumber = regexp.MustCompile(`^\s*\d{1,3}\s*[smhdw:]?\s*$`)

// countdown reports whether the text is a short number beside others with their units of time, and they count down. How long something
// is cooked or lasts is written alike, in hours and minutes only.
func (s *scene) countdown() bool {
	if !shortNumber.MatchString(s.Before) || !shortNumber.MatchString(s.After) {
		return false
	}
	top := s.at
	for range barLevels {
		parent := s.tree.Parent(top)
		if parent < 0 || s.tree.TooLarge(parent) {
			break
		}
		if top = parent; s.countsDown(top) {
			return true
		}
	}
	return false
}

// countsDown reports whether an element consists of short numbers as a countdown does.
func (s *scene) countsDown(top int) bool {
	numbers, units, named, falls := 0, 0, false, 0
	for i := top; i < len(s.tree.Content) && i <= top+dom.MaxInside && s.tree.Within(i, top); i++ {
		switch text := strings.TrimSpace(s.tree.Element(i).Text); {
		case shortNumber.MatchString(text):
			numbers++
			if falls == 0 && s.ToBefore[i] >= 0 {
				falls = cmp.Compare(wording.Numeral(s.BeforeTree.Element(s.ToBefore[i]).Text), wording.Numeral(text))
			}
		case wording.TimeUnit.MatchString(text):
			units, named = units+1, named || text != ":"
		case text != "":
			return false // other words: these numbers may be anything
		}
	}
	return numbers > 2 && units >= numbers-1 && named && falls > 0 // numbers with colons alone may be the score of a match
}

// sum: a question that only asks to add up, as a captcha.
func sum(s *scene) string {
	if s.Change != TextChanged || !addition.MatchString(s.Before) || !addition.MatchString(s.After) ||
		!s.inside("form") && s.Element.Tag != "label" { // a page may also teach how to add
		return ""
	}
	return "It is a question with different numbers, as in a captcha."
}

var addition = regexp.MustCompile(`^\s*\d{1,3}\s*[+−–x×*-]\s*\d{1,3}\s*(=\s*\??|\?)\s*$`)

// numberAmongMoving: a number in an entry of a list whose entries all hold something that varies on its own: the rate beside
// its trend, the bid beside the time that is left.
func numberAmongMoving(s *scene) string {
	if s.Change != TextChanged || s.at < 0 || !s.OnlyNumbers(s.Before, s.After) || wording.Zeroed(s.Before, s.After) ||
		wording.Money.MatchString(s.Before) || wording.Money.MatchString(s.After) || wording.Contact.MatchString(s.After) {
		return ""
	}
	entry := s.tree.Parent(s.at)
	if entry < 0 || s.tree.Parent(entry) < 0 || s.ToBefore[entry] < 0 || !s.entriesMove(s.tree.Parent(entry), s.tree.Kin(entry)) ||
		!s.columnMoves(entry) {
		return ""
	}
	return "It is a number among others that vary on their own."
}

// entriesMove reports whether a list has several entries of a kind, and in most of them a text changed by itself. It is computed
// once for each list.
func (v *view) entriesMove(list int, of dom.Kin) bool {
	if v.rolls == nil {
		v.rolls = make(map[int]bool)
	}
	move, known := v.rolls[list]
	if known {
		return move
	}
	all, moving := 0, 0
	for _, entry := range v.AfterTree.Children[list] {
		if v.AfterTree.Kin(entry) != of {
			continue
		}
		all++
		v.Steps.Take(1 + len(v.AfterTree.Children[entry]))
		for _, cell := range v.AfterTree.Children[entry] {
			if b := v.ToBefore[cell]; b >= 0 && v.changesByItself(b, cell) {
				moving++
				break
			}
		}
	}
	move = all >= shortestList && 2*moving > all
	v.rolls[list] = move
	return move
}

// columnMoves reports whether most entries of the list have another number in the same place: the platform of one departure does not
// change because the minutes until all of them do.
func (s *scene) columnMoves(entry int) bool {
	column := slices.Index(s.AfterTree.Children[entry], s.at)
	all, moving := 0, 0
	for _, other := range s.AfterTree.Children[s.tree.Parent(entry)] {
		cells := s.AfterTree.Children[other]
		if s.AfterTree.Kin(other) != s.tree.Kin(entry) || column >= len(cells) {
			continue
		}
		s.Steps.Take(1)
		all++
		if b := s.ToBefore[cells[column]]; b >= 0 {
			was, is := s.BeforeTree.Element(b).Text, s.AfterTree.Element(cells[column]).Text
			moving += index(was != is && len(is) <= wording.MaxQuoted && s.OnlyNumbers(was, is))
		}
	}
	return 2*moving > all
}

// changesByItself reports whether the text of an element changed and says that it does.
func (v *view) changesByItself(b, a int) bool {
	before, after := v.BeforeTree.Element(b).Text, v.AfterTree.Element(a).Text
	return before != after && len(after) <= wording.MaxQuoted && v.OnlyNumbers(before, after) &&
		!v.Weighs(before, after) && v.Moves(before, after)
}

// progressBar: bars next to a number that varies on its own. What a bar is marked as does not matter: a skill or a share is shown as
// progress too.
func progressBar(s *scene) string {
	if s.Change != Resized {
		return ""
	}
	e := s.Element
	const reason = "It is a bar beside a number that varies on its own."
	if s.elementBefore == nil || e.Text != "" || e.Source != "" || e.Background == "" || len(s.tree.Children[s.at]) > 0 {
		return ""
	}
	if differ(e.Box.Width, s.elementBefore.Box.Width) == differ(e.Box.Height, s.elementBefore.Box.Height) || !s.besideNumber(barLevels) {
		return ""
	}
	return reason
}

// besideNumber reports whether a text of which only numbers changed is nearby, below a common ancestor at most this
// many levels up.
func (s *scene) besideNumber(levels int) bool {
	top := s.at
	for range levels {
		if parent := s.tree.Parent(top); parent >= 0 && !s.tree.TooLarge(parent) {
			top = parent
		}
	}
	for i := range s.shown {
		for f := range s.shown[i] {
			other := &s.shown[i][f]
			if other.tree == s.tree && other.at >= 0 && s.tree.Within(other.at, top) && s.with(other).dynamicText() {
				return true
			}
		}
	}
	return false
}

// dynamicText reports whether the finding is about a text that varies on its own.
func (s *scene) dynamicText() bool { return otherGreeting(s) != "" || otherNumbers(s) != "" }

// with returns the same scene with another finding.
func (s *scene) with(f *Finding) *scene {
	return &scene{view: s.view, Finding: f, cluster: s.cluster, index: s.index}
}

// colouredNumber: a number in another colour, for example because it now rises instead of falling. Another text in other capitals is no
// other number, and a number does not change a padding.
func colouredNumber(s *scene) string {
	if s.Change != StyleChanged || s.elementBefore == nil || !strings.HasPrefix(s.Before, "text colour") ||
		strings.EqualFold(s.elementBefore.Text, s.Element.Text) || slices.ContainsFunc(s.styles, css.Change.BeyondColour) {
		return ""
	}
	if wording.Weighty(s.elementBefore.Text, s.Element.Text) || !wording.OnlyVolatile(s.elementBefore.Text, s.Element.Text) {
		return ""
	}
	return "A number changed, and its colour with it."
}

// movedMark: a highlight that moves from one number to another, like today in a calendar. The highlight of a price or a size is content.
func movedMark(s *scene) string {
	if s.Change != StyleChanged || wording.Template(s.Element.Text) != "#" || s.tree.Parent(s.at) < 0 || !s.inMonth() {
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

// inMonth reports whether around the element are as many numbers as a month has days.
func (s *scene) inMonth() bool {
	top := s.at
	for range monthLevels {
		if parent := s.tree.Parent(top); parent >= 0 && !s.tree.TooLarge(parent) {
			top = parent
		}
	}
	days := 0
	for i := top; i < len(s.tree.Content) && s.tree.Within(i, top); i++ {
		s.Steps.Take(1)
		if e := s.tree.Element(i); e.Tag == s.Element.Tag && len(e.Text) <= 2 && wording.Numeral(e.Text) > 0 {
			days++
		}
	}
	return days >= fewestDays
}

const (
	monthLevels = 3  // from a day to the part that holds its month
	fewestDays  = 28 // of a month
)

// pushedAside: an element that is displaced slightly by a number that became wider, or by changed entries of its list.
func pushedAside(s *scene) string {
	if s.Change != Moved && s.Change != Resized || s.elementBefore == nil || s.at < 0 || s.ToBefore[s.at] < 0 {
		return ""
	}
	dx, dy := s.displacement(s.ToBefore[s.at], s.at)
	was, is := s.elementBefore.Box.Rect(), s.Element.Box.Rect()
	if max(abs(dx), abs(dy), abs(was.Dx()-is.Dx()), abs(was.Dy()-is.Dy())) > nudge || !s.besideNumber(nudgeLevels) && !s.besideRoll() {
		return ""
	}
	return "It was pushed aside by adjacent dynamic content."
}

// besideRoll reports whether the list that contains the element exchanged some of its entries.
func (s *scene) besideRoll() bool {
	for f := range s.shown[s.index] {
		other := &s.shown[s.index][f]
		if (other.Change == Appeared || other.Change == Vanished) && movedList(s.with(other)) != "" {
			return true
		}
	}
	return false
}
