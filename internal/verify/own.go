package verify

import (
	"fmt"
	"slices"
	"strings"

	"afterimage/internal/page"
	"afterimage/internal/verify/css"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// ownChanges lists what changed of each element itself: text, picture, state, style, its place among its neighbours, and what came or
// went. Where an element stands and how large it is is not among it, see [explanation].
func (v *view) ownChanges(r *dom.Restyling) []Finding {
	var own []Finding
	v.Steps.Take(len(v.AfterTree.Content) + len(v.BeforeTree.Content))
	for a := range v.AfterTree.Content {
		b := v.ToBefore[a]
		switch parent := v.AfterTree.Parent(a); {
		case b >= 0:
			own = v.changesOfPair(own, b, a, r.Own[a])
		case parent < 0 || v.ToBefore[parent] >= 0:
			if v.paints(v.AfterTree, a) && !v.peeks(v.AfterTree, a, r) {
				own = append(own, v.came(a))
			}
		}
	}
	for b := range v.BeforeTree.Content {
		if v.ToAfter[b] < 0 && !v.goneWithParent(b) && v.paints(v.BeforeTree, b) && !v.peeks(v.BeforeTree, b, r) {
			own = append(own, v.went(b))
		}
	}
	for _, s := range v.Shuffles() {
		if edited := editedMover(own, &s, v.AfterTree); edited != nil {
			edited.Description += " It also changed its position among its neighbours."
			edited.members = s.Movers
			continue
		}
		own = append(own, v.tellShuffle(&s))
	}
	return v.withoutInline(own)
}

// editedMover is the change of the text of the only element that changed places; nil if there is none.
func editedMover(own []Finding, s *dom.Shuffle, t *dom.Tree) *Finding {
	if len(s.Movers) != 1 {
		return nil
	}
	for i := range own {
		if f := &own[i]; f.tree == t && f.at == s.Movers[0] && f.Change == TextChanged {
			return f
		}
	}
	return nil
}

// paints reports whether an element or anything in it can be seen: what is empty and has no colour does not come or go. What the other page
// has elsewhere does not count.
func (v *view) paints(t *dom.Tree, i int) bool {
	partner := v.ToBefore
	if t == v.BeforeTree {
		partner = v.ToAfter
	}
	for j := i; j < len(t.Content) && t.Within(j, i); j++ {
		if partner[j] >= 0 || t.Sizeless(j) || v.swallowed(t, j) {
			continue
		}
		e := t.Element(j)
		if e.Text != "" || e.Source != "" || e.Background != "" || dom.ShowsPixels(e.Tag) || e.Value != "" || dom.IsControl(e.Role) ||
			decorated(t, j) {
			return true
		}
	}
	return false
}

// swallowed reports whether nothing of an element can be seen because it is in one without a size that cuts off what is in it: whether such
// are recorded depends on how their places are rounded.
func (v *view) swallowed(t *dom.Tree, i int) bool {
	for ; i >= 0; i = t.Parent(i) {
		v.Steps.Take(1)
		switch t.Element(i).StyleIn(t.Styles)["position"] {
		case "absolute", "fixed":
			return false // it may be placed within what is further out
		}
		parent := t.Parent(i)
		if parent < 0 {
			break
		}
		at := t.Element(parent).Place()
		if at.Width*at.Height == 0 && strings.HasPrefix(t.Element(parent).StyleIn(t.Styles)["overflow"], "hidden") {
			return true
		}
	}
	return false
}

// peeks reports whether an element reaches into the picture, or out of what cuts it off, by less than half, only because the text around it
// has another size or font: a link for keyboards above the page, which is a little higher now, or the last column of a wide table.
func (v *view) peeks(t *dom.Tree, i int, r *dom.Restyling) bool {
	at, seen := t.Element(i).Place(), t.Box(i)
	if 2*float64(dom.Area(seen)) >= at.Width*at.Height {
		return false
	}
	for up := t.Parent(i); up >= 0; up = t.Parent(up) {
		a := up
		if t == v.BeforeTree {
			a = v.ToAfter[up]
		}
		v.Steps.Take(1)
		if a >= 0 && v.ToBefore[a] >= 0 && slices.ContainsFunc(r.Own[a], css.Change.OfText) {
			return true
		}
	}
	return false
}

// decorations are the properties by which an element without content can be seen.
var decorations = []string{"border-width", "box-shadow", "background-image", "outline-width", "::before box", "::after box"}

func decorated(t *dom.Tree, i int) bool {
	style := t.Element(i).StyleIn(t.Styles)
	return slices.ContainsFunc(decorations, func(property string) bool {
		value := style[property]
		empty := strings.HasPrefix(value, "0 × ") || strings.HasSuffix(value, " × 0") // a box that only ends a row
		return value != "" && value != "0px" && !empty && (property != "outline-width" || css.Outlined(style, ""))
	})
}

// changesOfPair adds the changes of an element that both pages have.
func (v *view) changesOfPair(own []Finding, b, a int, restyled []css.Change) []Finding {
	was, now := v.BeforeTree.Element(b), v.AfterTree.Element(a)
	add := func(change Change, before, after string, confidence float64, says string) {
		own = append(own, Finding{
			Element: now, Box: now.Box.Rect(), Change: change, Before: before, After: after, Confidence: confidence,
			elementBefore: was, tree: v.AfterTree, at: a, Description: says,
		})
	}
	if was.Text != now.Text && !v.recased(was, now) {
		add(TextChanged, was.Text, now.Text, 0.95, v.tellText(a, was.Text, now.Text))
	}
	if was.Value != now.Value && !(mayBeUnread(now.Tag) && (was.Value == "" || now.Value == "")) {
		add(TextChanged, was.Value, now.Value, 0.95, tellValue(v.AfterTree.Name(a), was.Value, now.Value))
	}
	if was.Hint != now.Hint {
		if says := v.tellHint(b, a); says != "" {
			add(TextChanged, was.Hint, now.Hint, 0.95, says)
		}
	}
	if was.Source != now.Source {
		add(ImageReplaced, was.Source, now.Source, 0.9, describeChange(now, ImageReplaced, was.Source, now.Source))
	}
	if before, after, says := stateChange(was, now); says != "" {
		if len(restyled) > 0 { // a state has a style of its own
			says, restyled = says+": "+css.Tell(restyled), nil
		}
		add(StyleChanged, before, after, 0.95, v.AfterTree.Name(a)+" "+says+".")
	}
	if v.Reparented[a] {
		add(Reordered, "", "", 0.8, v.AfterTree.Name(a)+" moved to another part of the page.")
	}
	if len(restyled) > 0 {
		own = append(own, v.restyledFinding(b, a, restyled))
	}
	return own
}

// mayBeUnread reports whether the text in an element may not be known: earlier captures did not read that of frames and vector graphics,
// and nobody can read a frame of another site.
func mayBeUnread(tag string) bool {
	return tag == "iframe" || tag == "frame" || tag == "object" || tag == "svg"
}

// tellHint words another placeholder of a field whose name is a label that is read aloud; "" for none. Where a capture has none, the field
// may have had the label as its placeholder, or the capture is an older one that recorded none: then it takes pixels to tell.
func (v *view) tellHint(b, a int) string {
	was, now, name := v.BeforeTree.Element(b), v.AfterTree.Element(a), v.AfterTree.Name(a)
	if was.Hint != "" && now.Hint != "" {
		return fmt.Sprintf("%s: %s → %s.", name, wording.Quote(was.Hint), wording.Quote(now.Hint))
	}
	from, to := was.Place(), now.Place()
	differs := false
	for _, by := range displacements(dom.Displacement{X: to.X - from.X, Y: to.Y - from.Y}) {
		v.Steps.Take(1 + now.Box.Height)
		one, err := v.Pixels.Differs(now.Box.Rect(), by)
		if err != nil || !one {
			return "" // it looks as before
		}
		differs = true
	}
	switch {
	case !differs || was.Value+now.Value != "" || was.Text != now.Text:
		return ""
	case was.Hint == "":
		return fmt.Sprintf("%s now shows %s while it is empty.", name, wording.Quote(now.Hint))
	}
	return fmt.Sprintf("%s no longer shows %s while it is empty.", name, wording.Quote(was.Hint))
}

// restyledFinding is the finding that an element has another style.
func (v *view) restyledFinding(b, a int, changes []css.Change) Finding {
	now := v.AfterTree.Element(a)
	return Finding{
		Element: now, Box: now.Box.Rect(), Change: StyleChanged, Before: css.SideWords(changes, false),
		After: css.SideWords(changes, true), Confidence: 0.9, elementBefore: v.BeforeTree.Element(b), tree: v.AfterTree, at: a,
		styles: changes,
	}
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
		if f := &own[i]; f.Change == TextChanged && f.tree == v.AfterTree {
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
			f.Description = fmt.Sprintf("%s “%s”: %s is now %s.", dom.KindOf(f.Element), wording.OneLine(f.Before, dom.MaxName),
				wording.Quote(f.inline[0].After), howApart(f.inline[0].Element.Tag))
		default:
			f.Description += v.tellInline(f.inline)
		}
	}
	return left
}

// lineAround is the change of the text around a part of a line that changed, came or went; -1 for none.
func (v *view) lineAround(f *Finding, edited map[int]int) int {
	if f.at < 0 || !inlineTags[f.Element.Tag] || f.Element.Role == "button" || len(f.tree.Children[f.at]) > 0 ||
		f.Change != TextChanged && f.Change != Appeared && f.Change != Vanished {
		return -1
	}
	parent := f.tree.Parent(f.at)
	if parent >= 0 && f.tree == v.BeforeTree {
		parent = v.ToAfter[parent]
	}
	if around, ok := edited[parent]; ok && v.AfterTree.Element(parent).Text != "" {
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
			words = append(words, wording.Quote(f.After)+" was added")
		case Vanished:
			words = append(words, wording.Quote(f.Before)+" was removed")
		default:
			words = append(words, wording.Quote(f.Before)+" → "+wording.Quote(f.After))
		}
	}
	return " Within it: " + strings.Join(words, ", ") + "."
}
