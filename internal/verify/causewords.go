package verify

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// tellText words another text of an element: both texts if they are short, else what differs with some words around it.
func (v *view) tellText(a int, before, after string) string {
	e := v.AfterTree.Element(a)
	kind := dom.KindOf(e)
	if around := v.AfterTree.PlaceWords(a); around != "" {
		kind += " " + around
	}
	switch {
	case before == "":
		return fmt.Sprintf("%s now has the text %s.", kind, wording.Quote(after))
	case after == "":
		return fmt.Sprintf("%s no longer has the text %s.", kind, wording.Quote(before))
	case wording.IsShort(before) && wording.IsShort(after):
		return fmt.Sprintf("%s: %s → %s.", kind, wording.Quote(before), wording.Quote(after))
	}
	was, is, inside := wording.DifferingWords(before, after)
	if inside {
		kind = dom.KindOf(e) + " “" + wording.OneLine(before, dom.MaxName) + "”" // its beginning says which of them
	}
	return fmt.Sprintf("%s: %s → %s.", kind, wording.Quote(was), wording.Quote(is))
}

// tellValue words what a control contains: what differs, if it is long.
func tellValue(name, before, after string) string {
	switch {
	case before == "":
		return fmt.Sprintf("%s was empty and now contains %s.", name, wording.Quote(after))
	case after == "":
		return fmt.Sprintf("%s contained %s and is now empty.", name, wording.Quote(before))
	case wording.IsShort(before) && wording.IsShort(after):
		return fmt.Sprintf("%s contains %s instead of %s.", name, wording.Quote(after), wording.Quote(before))
	}
	was, is, _ := wording.DifferingWords(before, after)
	return fmt.Sprintf("%s: %s → %s.", name, wording.Quote(was), wording.Quote(is))
}

// stateChange is how the state of a control changed, "" when it did not.
func stateChange(was, now *page.Element) (before, after, says string) {
	switch {
	case was.Checked != now.Checked && now.Checked:
		return "not ticked", "ticked", "is now ticked"
	case was.Checked != now.Checked:
		return "ticked", "not ticked", "is no longer ticked"
	case was.Disabled != now.Disabled && now.Disabled:
		return "in use", "disabled", "is now disabled"
	case was.Disabled != now.Disabled:
		return "disabled", "in use", "is no longer disabled"
	}
	return "", "", ""
}

// came is the finding that an element is new, with everything in it.
func (v *view) came(a int) Finding {
	f := v.appeared(a)
	f.Description = v.tellPart(v.AfterTree, a, "is new", f.After)
	return f
}

// went is the finding that an element is gone, with everything in it.
func (v *view) went(b int) Finding {
	f := v.vanished(b)
	f.Description = v.tellPart(v.BeforeTree, b, "is gone", f.Before)
	return f
}

// tellPart says what happened to an element that contains some words, and quotes their beginning once.
func (v *view) tellPart(t *dom.Tree, i int, happened, words string) string {
	e := t.Element(i)
	if t.Beside(i) {
		return "The shadow of " + t.Name(i) + ", which is outside the picture, " + happened + "."
	}
	begin := e.Text
	if begin == "" {
		begin = t.Caption(i)
	}
	rest, named := strings.CutPrefix(words, begin)
	if named && utf8.RuneCountInString(begin) > dom.MaxName {
		return dom.KindOf(e) + " " + happened + wording.Saying(words) + "." // its name would be cut off
	}
	return t.Name(i) + " " + happened + wording.Saying(strings.TrimSpace(rest)) + "."
}

// tellShuffle is the finding that children of an element stand in another order.
func (v *view) tellShuffle(s *dom.Shuffle) Finding {
	at := s.Movers[0]
	says := ""
	if len(s.Movers) == 1 {
		before := s.NeighbourAfter(at)
		if before >= 0 {
			says = fmt.Sprintf("%s now comes before %s.", v.AfterTree.Name(at), v.AfterTree.Name(before))
		} else {
			says = v.AfterTree.Name(at) + " now comes last."
		}
	} else {
		at = s.Parent
		says = fmt.Sprintf("%d of %d parts are in a different order: %s.", len(s.Movers), len(s.Movers)+len(s.Stayed),
			v.AfterTree.Names(s.Movers))
	}
	e := v.AfterTree.Element(at)
	return Finding{
		Element: e, Box: e.Box.Rect(), Change: Reordered, Confidence: 0.9, elementBefore: v.BeforeTree.ElementAt(v.ToBefore[at]),
		tree: v.AfterTree, at: at, members: s.Movers, Description: says,
	}
}
