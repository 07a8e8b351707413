package verify

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"afterimage/internal/page"
)

// maxName limits the text that an element is named by, in characters.
const maxName = 40

// name describes an element in words: by its own text, else by the heading or the first text in it.
func (v *view) name(t *tree, i int) string {
	e := t.element(i)
	if e.Text != "" {
		return nameOf(e)
	}
	if text := t.caption(i); text != "" {
		return fmt.Sprintf("%s “%s”", kindOf(e), oneLine(text, maxName))
	}
	if around := v.placeWords(t, i); around != "" {
		return kindOf(e) + " " + around
	}
	return nameOf(e)
}

// caption is the heading within an element, or the first text in it, "" for none.
func (t *tree) caption(i int) string {
	first := ""
	for j := i; j < len(t.content) && j <= i+maxInside && t.within(j, i); j++ {
		e := t.element(j)
		if e.Role == "heading" && e.Text != "" {
			return e.Text
		}
		if first == "" {
			first = e.Text
		}
	}
	return first
}

// placeWords says where an element stands by what names its surroundings: the term of a definition, the head of a table's row, the
// label of a field, the nearest heading before it; "" for none of them.
func (v *view) placeWords(t *tree, i int) string {
	if label := t.labelOf(i); label != "" {
		return "of “" + oneLine(label, maxName) + "”"
	}
	if heading := t.headingBefore(i); heading != "" {
		return "under “" + oneLine(heading, maxName) + "”"
	}
	return ""
}

// labelOf is what the element before it says that it is.
func (t *tree) labelOf(i int) string {
	e, parent := t.element(i), t.parent(i)
	if parent < 0 {
		return ""
	}
	label := ""
	for _, sibling := range t.children[parent] {
		if sibling == i {
			break
		}
		switch s := t.element(sibling); {
		case e.Tag == "dd" && s.Tag == "dt", e.Tag == "td" && label == "" && (s.Tag == "th" || s.Tag == "td"), s.Tag == "label":
			label = t.caption(sibling)
		}
	}
	if label == "" && t.element(parent).Tag == "label" {
		label = t.element(parent).Text
	}
	return label
}

// headingBefore is the nearest heading before an element within its ancestors.
func (t *tree) headingBefore(i int) string {
	if t.element(i).Role == "heading" {
		return ""
	}
	for levels := 0; i >= 0 && levels < maxUp; levels++ {
		parent := t.parent(i)
		if parent < 0 {
			break
		}
		last := ""
		for _, sibling := range t.children[parent] {
			if sibling >= i {
				break
			}
			t.steps.take(1)
			if e := t.element(sibling); e.Role == "heading" && e.Text != "" {
				last = e.Text
			}
		}
		if last != "" {
			return last
		}
		i = parent
	}
	return ""
}

// tellText words another text of an element: both texts if they are short, else what differs with some words around it.
func (v *view) tellText(a int, before, after string) string {
	e := v.afterTree.element(a)
	kind := kindOf(e)
	if around := v.placeWords(v.afterTree, a); around != "" {
		kind += " " + around
	}
	switch {
	case before == "":
		return fmt.Sprintf("%s now has the text %s.", kind, quote(after))
	case after == "":
		return fmt.Sprintf("%s no longer has the text %s.", kind, quote(before))
	case isShort(before) && isShort(after):
		return fmt.Sprintf("%s: %s → %s.", kind, quote(before), quote(after))
	}
	was, is, inside := differingWords(before, after)
	if inside {
		kind = kindOf(e) + " “" + oneLine(before, maxName) + "”" // its beginning says which of them
	}
	return fmt.Sprintf("%s: %s → %s.", kind, quote(was), quote(is))
}

// wordsAround is how many words are told before and behind those that differ.
const wordsAround = 3

// differingWords cuts two texts to the words that differ, with some before and behind them; inside reports that their beginning is
// left out.
func differingWords(before, after string) (was, is string, inside bool) {
	old, now := strings.Fields(before), strings.Fields(after)
	start := 0
	for start < min(len(old), len(now)) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < min(len(old), len(now))-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	cut := func(words []string) string {
		first, last := max(0, start-wordsAround), min(len(words), len(words)-end+wordsAround)
		text := strings.Join(words[first:last], " ")
		if first > 0 {
			text = "… " + text
		}
		if last < len(words) {
			text += " …"
		}
		return text
	}
	return cut(old), cut(now), start > wordsAround
}

// tellValue words what a control contains: what differs, if it is long.
func tellValue(name, before, after string) string {
	switch {
	case before == "":
		return fmt.Sprintf("%s was empty and now contains %s.", name, quote(after))
	case after == "":
		return fmt.Sprintf("%s contained %s and is now empty.", name, quote(before))
	case isShort(before) && isShort(after):
		return fmt.Sprintf("%s contains %s instead of %s.", name, quote(after), quote(before))
	}
	was, is, _ := differingWords(before, after)
	return fmt.Sprintf("%s: %s → %s.", name, quote(was), quote(is))
}

// isShort reports whether a text can be quoted in full.
func isShort(text string) bool { return utf8.RuneCountInString(text) <= maxQuoted }

// ends are quotations that end as sentences do: no full stop follows them.
var ends = strings.NewReplacer(".”.", ".”", "!”.", "!”", "?”.", "?”", "…”.", "…”", "。”.", "。”")

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
	f.Description = v.tellPart(v.afterTree, a, "is new", f.After)
	return f
}

// went is the finding that an element is gone, with everything in it.
func (v *view) went(b int) Finding {
	f := v.vanished(b)
	f.Description = v.tellPart(v.beforeTree, b, "is gone", f.Before)
	return f
}

// tellPart says what happened to an element that contains some words, and quotes their beginning once.
func (v *view) tellPart(t *tree, i int, happened, words string) string {
	e := t.element(i)
	if t.beside(i) {
		return "The shadow of " + v.name(t, i) + ", which is outside the picture, " + happened + "."
	}
	begin := e.Text
	if begin == "" {
		begin = t.caption(i)
	}
	rest, named := strings.CutPrefix(words, begin)
	if named && utf8.RuneCountInString(begin) > maxName {
		return kindOf(e) + " " + happened + saying(words) + "." // its name would be cut off
	}
	return v.name(t, i) + " " + happened + saying(strings.TrimSpace(rest)) + "."
}

// beside reports whether an element is outside the picture, so that only its shadow can be seen.
func (t *tree) beside(i int) bool {
	at := t.element(i).Place()
	return t.page.Width > 0 && at.Width > 0 && (at.X >= float64(t.page.Width) || at.X+at.Width <= 0)
}

// maxNames is how many elements a sentence names.
const maxNames = 3

// tellShuffle is the finding that children of an element stand in another order.
func (v *view) tellShuffle(s *shuffle) Finding {
	at := s.movers[0]
	says := ""
	if len(s.movers) == 1 {
		before := s.neighbourAfter(at)
		if before >= 0 {
			says = fmt.Sprintf("%s now comes before %s.", v.name(v.afterTree, at), v.name(v.afterTree, before))
		} else {
			says = v.name(v.afterTree, at) + " now comes last."
		}
	} else {
		at = s.parent
		says = fmt.Sprintf("%d of %d parts are in a different order: %s.", len(s.movers), len(s.movers)+len(s.stayed), v.names(s.movers))
	}
	e := v.afterTree.element(at)
	return Finding{
		Element: e, Box: e.Box.Rect(), Change: Reordered, Confidence: 0.9, elementBefore: v.beforeTree.elementAt(v.toBefore[at]),
		tree: v.afterTree, at: at, members: s.movers, Description: says,
	}
}

// names lists what some elements of the after page are called.
func (v *view) names(elements []int) string {
	var names []string
	for _, a := range elements {
		text := v.afterTree.element(a).Text
		if text == "" {
			text = v.afterTree.caption(a)
		}
		if text == "" || len(names) == maxNames {
			continue
		}
		names = append(names, "“"+oneLine(text, 30)+"”")
	}
	switch rest := len(elements) - len(names); {
	case len(names) == 0:
		return ""
	case rest > 0:
		return strings.Join(names, ", ") + " and " + counted(rest, "other", "others")
	case len(names) > 1:
		return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	}
	return names[0]
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
