package verify

import (
	"fmt"
	"slices"
	"strings"

	"afterimage/internal/page"
)

// ownChanges lists what changed of each element itself: text, picture, state, style, its place among its neighbours, and what came or
// went. Where an element stands and how large it is is not among it, see [explanation].
func (v *view) ownChanges(r *restyling) []Finding {
	var own []Finding
	v.steps.take(len(v.afterTree.content) + len(v.beforeTree.content))
	for a := range v.afterTree.content {
		b := v.toBefore[a]
		switch parent := v.afterTree.parent(a); {
		case b >= 0:
			own = v.changesOfPair(own, b, a, r.own[a])
		case parent < 0 || v.toBefore[parent] >= 0:
			if v.paints(v.afterTree, a) && !v.peeks(v.afterTree, a, r) {
				own = append(own, v.came(a))
			}
		}
	}
	for b := range v.beforeTree.content {
		if v.toAfter[b] < 0 && !v.goneWithParent(b) && v.paints(v.beforeTree, b) && !v.peeks(v.beforeTree, b, r) {
			own = append(own, v.went(b))
		}
	}
	for _, s := range v.shuffles() {
		if edited := editedMover(own, &s, v.afterTree); edited != nil {
			edited.Description += " It also changed its position among its neighbours."
			edited.members = s.movers
			continue
		}
		own = append(own, v.tellShuffle(&s))
	}
	return v.withoutInline(own)
}

// editedMover is the change of the text of the only element that changed places; nil if there is none.
func editedMover(own []Finding, s *shuffle, t *tree) *Finding {
	if len(s.movers) != 1 {
		return nil
	}
	for i := range own {
		if f := &own[i]; f.tree == t && f.at == s.movers[0] && f.Change == TextChanged {
			return f
		}
	}
	return nil
}

// paints reports whether an element or anything in it can be seen: what is empty and has no colour does not come or go. What the other page
// has elsewhere does not count.
func (v *view) paints(t *tree, i int) bool {
	partner := v.toBefore
	if t == v.beforeTree {
		partner = v.toAfter
	}
	for j := i; j < len(t.content) && t.within(j, i); j++ {
		if partner[j] >= 0 || t.sizeless(j) {
			continue
		}
		e := t.element(j)
		if e.Text != "" || e.Source != "" || e.Background != "" || shows[e.Tag] || e.Value != "" || controls[e.Role] || t.decorated(j) {
			return true
		}
	}
	return false
}

// peeks reports whether an element reaches into the picture, or out of what cuts it off, by less than half, only because the text around it
// has another size or font: a link for keyboards above the page, which is a little higher now, or the last column of a wide table.
func (v *view) peeks(t *tree, i int, r *restyling) bool {
	at, seen := t.element(i).Place(), t.box(i)
	if 2*float64(area(seen)) >= at.Width*at.Height {
		return false
	}
	for up := t.parent(i); up >= 0; up = t.parent(up) {
		a := up
		if t == v.beforeTree {
			a = v.toAfter[up]
		}
		v.steps.take(1)
		if a >= 0 && v.toBefore[a] >= 0 && slices.ContainsFunc(r.own[a], styleChange.ofText) {
			return true
		}
	}
	return false
}

// ofText reports whether a property makes all texts within an element larger or smaller.
func (c styleChange) ofText() bool { return c.is(inheritable) && c.is(ofLayout) }

// decorations are the properties by which an element without content can be seen.
var decorations = []string{"border-width", "box-shadow", "background-image", "outline-width", "::before box", "::after box"}

// noOutline is the width of the outline of elements that have none, as it was once recorded. Then the kind of an outline was not.
const noOutline = "3px"

// outlined reports whether an outline is drawn around an element, or around its generated content whose properties have a prefix.
func outlined(style page.Style, prefix string) bool {
	width := style[prefix+"outline-width"]
	return width != "" && width != "0px" && (width != noOutline || style[prefix+"outline-style"] != "")
}

func (t *tree) decorated(i int) bool {
	style := t.element(i).StyleIn(t.page.Styles)
	return slices.ContainsFunc(decorations, func(property string) bool {
		value := style[property]
		empty := strings.HasPrefix(value, "0 × ") || strings.HasSuffix(value, " × 0") // a box that only ends a row
		return value != "" && value != "0px" && !empty && (property != "outline-width" || outlined(style, ""))
	})
}

// changesOfPair adds the changes of an element that both pages have.
func (v *view) changesOfPair(own []Finding, b, a int, restyled []styleChange) []Finding {
	was, now := v.beforeTree.element(b), v.afterTree.element(a)
	add := func(change Change, before, after string, confidence float64, says string) *Finding {
		own = append(own, Finding{
			Element: now, Box: now.Box.Rect(), Change: change, Before: before, After: after, Confidence: confidence,
			elementBefore: was, tree: v.afterTree, at: a, Description: says,
		})
		return &own[len(own)-1]
	}
	if was.Text != now.Text && !v.recased(was, now) {
		add(TextChanged, was.Text, now.Text, 0.95, v.tellText(a, was.Text, now.Text))
	}
	if was.Value != now.Value {
		add(TextChanged, was.Value, now.Value, 0.95, tellValue(v.name(v.afterTree, a), was.Value, now.Value))
	}
	if was.Hint != now.Hint && was.Hint != "" && now.Hint != "" { // older captures know of none
		add(TextChanged, was.Hint, now.Hint, 0.95, fmt.Sprintf("%s: %s → %s.", v.name(v.afterTree, a), quote(was.Hint), quote(now.Hint)))
	}
	if was.Source != now.Source {
		add(ImageReplaced, was.Source, now.Source, 0.9, describeChange(now, ImageReplaced, was.Source, now.Source))
	}
	if before, after, says := stateChange(was, now); says != "" {
		if len(restyled) > 0 { // a state has a style of its own
			says, restyled = says+": "+tellStyles(restyled), nil
		}
		add(StyleChanged, before, after, 0.95, v.name(v.afterTree, a)+" "+says+".")
	}
	if v.reparented[a] {
		add(Reordered, "", "", 0.8, v.name(v.afterTree, a)+" moved to another part of the page.")
	}
	if len(restyled) > 0 {
		add(StyleChanged, sideWords(restyled, false), sideWords(restyled, true), 0.9, "").styles = restyled
	}
	return own
}

// recased reports whether a text only has other capitals because its style says so.
func (v *view) recased(was, now *page.Element) bool {
	const property = "text-transform"
	return strings.EqualFold(was.Text, now.Text) &&
		was.StyleIn(v.Pair.Before.Styles)[property] != now.StyleIn(v.Pair.After.Styles)[property]
}

// inlineTags are elements within a line of text.
var inlineTags = map[string]bool{"a": true, "abbr": true, "b": true, "br": true, "cite": true, "code": true, "em": true, "i": true,
	"kbd": true, "mark": true, "q": true, "s": true, "small": true, "span": true, "strong": true, "sub": true, "sup": true, "u": true}

// withoutInline folds what happened to a part of a line of text into the change of the text around it.
func (v *view) withoutInline(own []Finding) []Finding {
	edited := make(map[int]int) // paragraphs of the after page whose text changed, by element: its place in the list
	for i := range own {
		if f := &own[i]; f.Change == TextChanged && f.tree == v.afterTree {
			if _, known := edited[f.at]; !known {
				edited[f.at] = i
			}
		}
	}
	kept := make([]bool, len(own))
	for i := range own {
		around := v.lineAround(&own[i], edited)
		if kept[i] = around < 0 || own[around].Before == ""; !kept[i] {
			own[around].inline = append(own[around].inline, own[i])
		}
	}
	var left []Finding
	for i := range own {
		if kept[i] {
			left = append(left, own[i])
		}
	}
	for i := range left {
		switch f := &left[i]; {
		case len(f.inline) == 0:
		case setApart(f):
			f.Description = fmt.Sprintf("%s “%s”: %s is now %s.", kindOf(f.Element), oneLine(f.Before, maxName), quote(f.inline[0].After),
				howApart(f.inline[0].Element.Tag))
		default:
			f.Description += v.tellInline(f.inline)
		}
	}
	return left
}

// lineAround is the change of the text around a part of a line that changed, came or went; -1 for none.
func (v *view) lineAround(f *Finding, edited map[int]int) int {
	if f.at < 0 || !inlineTags[f.Element.Tag] || f.Element.Role == "button" || len(f.tree.children[f.at]) > 0 ||
		f.Change != TextChanged && f.Change != Appeared && f.Change != Vanished {
		return -1
	}
	parent := f.tree.parent(f.at)
	if parent >= 0 && f.tree == v.beforeTree {
		parent = v.toAfter[parent]
	}
	if around, ok := edited[parent]; ok && v.afterTree.element(parent).Text != "" {
		return around
	}
	return -1
}

// setApart reports whether a text lost nothing but the words of an element that came within it.
func setApart(f *Finding) bool {
	if len(f.inline) != 1 || f.inline[0].Change != Appeared {
		return false
	}
	was, is := strings.Fields(f.Before), strings.Fields(f.After+" "+f.inline[0].After)
	slices.Sort(was)
	slices.Sort(is)
	return slices.Equal(was, is)
}

func howApart(tag string) string {
	switch tag {
	case "a":
		return "a link"
	case "b", "strong":
		return "bold"
	case "em", "i":
		return "emphasised"
	}
	return "marked up"
}

// tellInline words what happened within a line of text whose own words changed as well.
func (v *view) tellInline(parts []Finding) string {
	var words []string
	for i := range parts {
		switch f := &parts[i]; f.Change {
		case Appeared:
			words = append(words, quote(f.After)+" was added")
		case Vanished:
			words = append(words, quote(f.Before)+" was removed")
		default:
			words = append(words, quote(f.Before)+" → "+quote(f.After))
		}
	}
	return " Within it: " + strings.Join(words, ", ") + "."
}
