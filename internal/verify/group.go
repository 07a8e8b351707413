package verify

import (
	"fmt"
	"image"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"afterimage/internal/page"
	"afterimage/internal/verify/css"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// Equal changes of several elements are one change: a rule of a style sheet, a variable, a text that is in the menu and at the end of
// the page.

// changeGroup is a change that several elements share.
type changeGroup struct {
	members []int // own changes, in the order of the page
	says    string
	before  string
	after   string
	touched int
	varName string
	loose   bool   // nothing explains it
	key     string // equal for the changes in it
}

// Keys of groups of changes that are not equal but are told together.
const (
	keySheet    = "sheet"
	keyRestyled = "restyled"
	keyLoose    = "loose"
	keyRow      = "row "
	// and of pictures that show something else under the same address
	keySameAddress = "address "
)

// Above these numbers, changes are told together.
const (
	mostLoose  = 8  // changes that nothing explains
	mostStyles = 24 // different changes of style
)

// groups joins equal changes.
func (s *inspection) groups() []changeGroup {
	keys := make([]string, len(s.own))
	colour := s.colourKeys()
	for i := range s.own {
		keys[i] = s.own[i].groupKey(i, colour[i])
	}
	s.joinSameValue(keys)
	loose, styles := 0, make(map[string]bool)
	for i := range s.own {
		switch f := &s.own[i]; {
		case f.ofStyle():
			styles[keys[i]] = true
		case f.isLoose():
			loose++
		}
	}
	s.joinRows(keys)
	sheet := s.lostStyleSheet()
	for i := range s.own {
		f := &s.own[i]
		switch {
		case sheet != "" && f.Change != TextChanged && f.Change != ImageReplaced:
			keys[i] = keySheet
		case len(styles) > mostStyles && f.ofStyle():
			keys[i] = keyRestyled
		case loose > mostLoose && f.isLoose():
			keys[i] = keyLoose
		}
	}
	return s.collect(keys, sheet, len(styles))
}

// joinSameValue gives changes one key that set the same properties to the same values, whatever they were: a rule of a style sheet that
// several elements match.
func (s *inspection) joinSameValue(keys []string) {
	first := make(map[string]string)
	same := make(map[string]string) // by key: the one that it is joined with
	for i := range s.own {
		f := &s.own[i]
		if f.Change != StyleChanged || len(f.styles) == 0 || same[keys[i]] != "" {
			continue
		}
		to := newValue(s.inTextSizes(f))
		if first[to] == "" {
			first[to] = keys[i]
		}
		same[keys[i]] = first[to]
	}
	for i := range keys {
		if with := same[keys[i]]; with != "" {
			keys[i] = with
		}
	}
}

// inTextSizes are the changes of style of an element, with the height of its lines in sizes of its text if it was set so: a rule that makes
// lines twice as high as the text gives texts of several sizes several heights.
func (s *inspection) inTextSizes(f *Finding) []css.Change {
	i := slices.IndexFunc(f.styles, func(c css.Change) bool { return c.Property == "line-height" })
	size := css.Pixels(f.Element.StyleIn(s.AfterTree.Styles)["font-size"])
	if i < 0 || size == 0 || css.Pixels(f.styles[i].After) == 0 {
		return f.styles
	}
	changes := slices.Clone(f.styles)
	changes[i].After = strconv.FormatFloat(math.Round(100*css.Pixels(f.styles[i].After)/size)/100, 'f', -1, 64) + " × the text"
	return changes
}

// newValue is equal for changes to the same values. Of colours it is the first: what else has the colour of the text follows it.
func newValue(changes []css.Change) string {
	if exchanged := css.Colours(changes); len(exchanged) > 0 {
		return "colour\x00" + changes[0].Property + "\x00" + changes[0].After
	}
	var b strings.Builder
	for _, c := range changes {
		b.WriteString(c.Property + "\x00" + c.After + "\x00\x00")
	}
	return b.String()
}

// groupKey is equal for changes that are one; colour is that of an exchange of colours, "" for none.
func (f *Finding) groupKey(i int, colour string) string {
	switch {
	case f.ofStyle() && colour != "":
		return colour
	case f.ofStyle() && css.ExchangedLength(f.styles) != (css.Change{}):
		return string(f.Change) + css.Signature([]css.Change{css.ExchangedLength(f.styles)})
	case f.ofStyle():
		return string(f.Change) + css.Signature(f.styles)
	case f.Change == TextChanged && f.Before != "" && len(f.inline)+len(f.members) == 0, f.Change == ImageReplaced && f.Before != f.After:
		return string(f.Change) + f.Element.Tag + "\x00" + f.Before + "\x00" + f.After
	case f.Change == ImageReplaced && f.Before != "": // other content under the same address
		return keySameAddress + f.Before
	}
	return "#" + strconv.Itoa(i)
}

// ofStyle reports whether the change is one of known properties.
func (f *Finding) ofStyle() bool {
	return (f.Change == StyleChanged || f.Change == Moved) && len(f.styles) > 0
}

// isLoose reports whether nothing is known of the change but its pixels.
func (f *Finding) isLoose() bool { return f.Change == Unexplained || f.Change == Repainted }

// noRow stands for several rows.
const noRow = -2

// fewestInRow is how many changes of a table's row are one change of the row.
const fewestInRow = 3

// joinRows gives the changes of a table's row one key, if there are several. What other rows, or parts of the page, share is no change of
// the row.
func (s *inspection) joinRows(keys []string) {
	rows, only := make(map[int][]int), make(map[string]int)
	of := make([]int, len(s.own))
	for i := range s.own {
		of[i] = s.rowOf(&s.own[i])
		if row, known := only[keys[i]]; known && row != of[i] {
			only[keys[i]] = noRow
		} else {
			only[keys[i]] = of[i]
		}
	}
	for i, row := range of {
		if row >= 0 && only[keys[i]] == row {
			rows[row] = append(rows[row], i)
		}
	}
	for row, list := range rows {
		if len(list) >= fewestInRow {
			for _, i := range list {
				keys[i] = keyRow + strconv.Itoa(row)
			}
		}
	}
}

// rowOf is the row of a table in which a change lies, in the after page; -1 for none.
func (s *inspection) rowOf(f *Finding) int {
	if f.isLoose() {
		return -1
	}
	for up := f.tree.Parent(f.at); up >= 0; up = f.tree.Parent(up) {
		s.Steps.Take(1)
		if f.tree.Element(up).Tag != "tr" {
			continue
		}
		if f.tree == s.BeforeTree {
			return s.ToAfter[up]
		}
		return up
	}
	return -1
}

// wordRow words the changes of a table's row together.
func (s *inspection) wordRow(g *changeGroup) {
	var words, before, after []string
	for _, i := range g.members {
		f := &s.own[i]
		before, after = append(before, f.Before), append(after, f.After)
		if f.Change == TextChanged {
			words = append(words, wording.Quote(f.Before)+" → "+wording.Quote(f.After))
		}
	}
	row := s.rowOf(&s.own[g.members[0]])
	says := wording.Counted(len(g.members), "change", "changes")
	if most := min(len(words), css.MaxWords); most > 0 {
		says += ", " + strings.Join(words[:most], ", ")
	}
	g.says = fmt.Sprintf("%s: %s.", s.AfterTree.Name(row), says)
	g.before, g.after = strings.Join(before, ", "), strings.Join(after, ", ")
}

// lostStyleSheet says which style sheet failed to load, "" for none.
func (s *inspection) lostStyleSheet() string {
	if state := s.pageState(); state != nil && state.code == CodeStyles {
		return state.reason
	}
	return ""
}

// colourKeys are keys of the changes that exchange colours, by own change. One that exchanges several, each of which others exchange
// alone, belongs to those.
func (s *inspection) colourKeys() []string {
	keys := make([]string, len(s.own))
	alone := make(map[css.Change]int)
	for i := range s.own {
		if c := css.Colours(s.own[i].styles); len(c) == 1 && s.own[i].Change == StyleChanged {
			alone[c[0]]++
		}
	}
	for i := range s.own {
		c := css.Colours(s.own[i].styles)
		if len(c) == 0 || s.own[i].Change != StyleChanged {
			continue
		}
		if len(c) > 1 && !slices.ContainsFunc(c, func(one css.Change) bool { return alone[one] == 0 }) {
			most := slices.MaxFunc(c, func(a, b css.Change) int { return alone[a] - alone[b] })
			c = []css.Change{most}
		}
		keys[i] = "colour" + css.Signature(c)
	}
	return keys
}

// collect makes groups of equal keys and words them.
func (s *inspection) collect(keys []string, sheet string, styles int) []changeGroup {
	var groups []changeGroup
	at := make(map[string]int)
	for i, key := range keys {
		g, known := at[key]
		if !known {
			g = len(groups)
			at[key] = g
			groups = append(groups, changeGroup{key: key})
		}
		groups[g].members = append(groups[g].members, i)
	}
	for key, g := range at {
		group := &groups[g]
		f := &s.own[group.members[0]]
		group.says, group.before, group.after = f.Description, f.Before, f.After
		switch {
		case key == keySheet:
			group.says = sheet + " " + wording.Counted(len(group.members), "element looks", "elements look") + " different because of it."
		case key == keyRestyled:
			group.says = fmt.Sprintf("The page was restyled: %d elements look different, in %d different ways.", len(group.members), styles)
		case key == keyLoose:
			group.loose = true
			group.says = fmt.Sprintf("%d places look different, but no change of an element explains this.", len(group.members))
		case strings.HasPrefix(key, keyRow):
			s.wordRow(group)
		case len(f.styles) > 0:
			s.wordStyles(group)
		case len(group.members) > 1 && f.Change == TextChanged:
			group.says = fmt.Sprintf("%s: %s → %s.", s.subject(group), wording.Quote(f.Before), wording.Quote(f.After))
		case len(group.members) > 1 && f.Change == ImageReplaced && f.Before == f.After:
			group.says = fmt.Sprintf("%s show different content: %s.", s.subject(group), wording.FileName(f.Before))
		case len(group.members) > 1 && f.Change == ImageReplaced:
			was, is := wording.FileNames(f.Before, f.After)
			group.says = fmt.Sprintf("%s show %s instead of %s.", s.subject(group), is, was)
		}
	}
	return groups
}

// wordStyles words a change of style that one or several elements share.
func (s *inspection) wordStyles(g *changeGroup) {
	f := &s.own[g.members[0]]
	for _, i := range g.members {
		g.touched += s.touched(s.own[i].at)
	}
	exchanged := css.Colours(f.styles)
	g.varName = s.variable(f.styles)
	says := css.Tell(f.styles)
	switch same := !slices.ContainsFunc(g.members, func(i int) bool { return css.Signature(s.own[i].styles) != css.Signature(f.styles) }); {
	case same:
	case len(exchanged) > 0:
		if olds := s.oldColours(g); len(olds) > 1 {
			says = css.PropertyWords(f.styles[0].Property) + " → " + f.styles[0].After + " (was " + strings.Join(olds, ", ") + ")"
			g.before, g.after, g.varName = "", f.styles[0].Property+" "+f.styles[0].After, "" // equal on pages with other old colours
			break
		}
		says = "colour " + exchanged[0].Before + " → " + exchanged[0].After
		g.before, g.after = exchanged[0].Before, exchanged[0].After
	case css.ExchangedLength(f.styles) != (css.Change{}) && !slices.ContainsFunc(g.members,
		func(i int) bool { return css.ExchangedLength(s.own[i].styles) != css.ExchangedLength(f.styles) }):
		c := css.ExchangedLength(f.styles)
		says = css.Tell([]css.Change{c})
		g.before, g.after = c.Property+" "+c.Before, c.Property+" "+c.After
	default:
		says, g.before = css.TellNew(s.toldTogether(g)), ""
	}
	switch {
	case f.Change == Moved && len(g.members) == 1:
		return
	case f.Change == Moved:
		g.says = fmt.Sprintf("%s moved: %s.", s.subject(g), says)
	case g.varName != "" && g.touched > 1:
		value := f.styles[0]
		if len(exchanged) > 0 {
			value = exchanged[0]
		}
		g.says = fmt.Sprintf("%s: %s → %s, %d elements.", g.varName, value.Before, value.After, g.touched)
	case len(g.members) == 1:
		g.says = s.wordStyle(f, says)
	default:
		g.says = fmt.Sprintf("%s: %s.", s.subject(g), says)
	}
}

// toldTogether are the changes of style of a group, as they hold of all its members.
func (s *inspection) toldTogether(g *changeGroup) []css.Change {
	f := &s.own[g.members[0]]
	for _, i := range g.members {
		if newValue(s.own[i].styles) != newValue(f.styles) {
			return s.inTextSizes(f)
		}
	}
	return f.styles
}

// oldColours lists the colours that the elements of a group had, the first ones and how many more.
func (s *inspection) oldColours(g *changeGroup) []string {
	var olds []string
	for _, i := range g.members {
		for _, c := range css.Colours(s.own[i].styles)[:1] {
			if !slices.Contains(olds, c.Before) {
				olds = append(olds, c.Before)
			}
		}
	}
	if more := len(olds) - dom.MaxNames; more > 0 {
		olds = append(olds[:dom.MaxNames:dom.MaxNames], wording.Counted(more, "other", "others"))
	}
	return olds
}

// wordStyle words a change of style of one element.
func (s *inspection) wordStyle(f *Finding, says string) string {
	grown := css.Growth(f.styles)
	switch whole := f.Element.Tag == "html" || f.Element.Tag == "body"; {
	case whole && grown != 1 && len(f.styles) == 1:
		how := "larger"
		if grown < 1 {
			how = "smaller"
		}
		return fmt.Sprintf("Text is %s everywhere: %s → %s.", how, f.styles[0].Before, f.styles[0].After)
	case whole:
		return fmt.Sprintf("The page as a whole: %s.", says)
	}
	return fmt.Sprintf("%s: %s.", s.AfterTree.Name(f.at), says)
}

// touched is how many elements look different by the style of one: it and those that inherit from it.
func (s *inspection) touched(a int) int {
	n := 1
	s.Steps.Take(1)
	for i := a + 1; i < len(s.styles.Origin) && s.AfterTree.Within(i, a); i++ {
		if s.styles.Origin[i] == a {
			n++
		}
	}
	return n
}

// subject names the elements of a group: "3 links “Rye”, “Wheat” and “Spelt”".
func (s *inspection) subject(g *changeGroup) string {
	var elements []int
	kind, first := "", true
	for _, i := range g.members {
		e := s.own[i].Element
		elements = append(elements, s.own[i].at)
		word := classWord(e)
		if k := dom.KindOf(e); k != "Element" {
			word = strings.ToLower(k)
		}
		if first {
			kind, first = word, false
		}
		if word != kind {
			kind = ""
		}
	}
	if kind == "" {
		kind = "element"
	}
	says := wording.Counted(len(elements), kind, plural(kind))
	if names := s.AfterTree.Names(elements); names != "" {
		says += " (" + names + ")"
	}
	return says
}

// wordClass matches a class that is a word.
var wordClass = regexp.MustCompile(`^[a-z]{3,16}$`)

// classWord is the first class of an element, if it is a word.
func classWord(e *page.Element) string {
	first, _, _ := strings.Cut(e.Classes, " ")
	if wordClass.MatchString(first) && !strings.HasSuffix(first, "s") {
		return first
	}
	return ""
}

func plural(word string) string {
	switch {
	case strings.HasSuffix(word, "x") || strings.HasSuffix(word, "s"):
		return word + "es"
	case strings.HasSuffix(word, "ry"):
		return strings.TrimSuffix(word, "y") + "ies"
	}
	return word + "s"
}

// variable is the custom property that has the values of all changes, "" for none.
func (s *inspection) variable(changes []css.Change) string {
	wanted := css.Colours(changes)
	if len(wanted) == 0 {
		wanted = changes
	}
	if len(wanted) != 1 {
		return ""
	}
	var found []string
	for name, before := range s.Pair.Before.Variables {
		after, both := s.Pair.After.Variables[name]
		if both && before != after && sameValue(before, wanted[0].Before) && sameValue(after, wanted[0].After) {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}

// sameValue reports whether a custom property has a computed value.
func sameValue(variable, computed string) bool {
	return computed != "" && (variable == computed || longColour(variable) == computed)
}

// longColour writes a colour with six hexadecimal digits.
func longColour(value string) string {
	value = strings.ToLower(strings.TrimSpace(value))
	if len(value) == len("#rgb") && value[0] == '#' {
		return "#" + strings.Repeat(value[1:2], 2) + strings.Repeat(value[2:3], 2) + strings.Repeat(value[3:4], 2)
	}
	var r, g, b int
	if n, _ := fmt.Sscanf(strings.ReplaceAll(value, " ", ""), "rgb(%d,%d,%d)", &r, &g, &b); n == 3 {
		return fmt.Sprintf("#%02x%02x%02x", r&255, g&255, b&255)
	}
	return value
}

// placesOf are where the members of a group are in the after picture, and where they were.
func (s *inspection) placesOf(f *Finding) []image.Rectangle {
	switch {
	case f.Change == Vanished:
		if within := s.anchor(f.at); within >= 0 {
			return []image.Rectangle{{}, s.shiftedBy(f.BeforeBox, within)}
		}
		return []image.Rectangle{{}, s.forward(f.BeforeBox)}
	case f.BeforeBox.Empty() || f.at < 0:
		return []image.Rectangle{f.Box, {}}
	}
	return []image.Rectangle{f.Box, s.forward(f.BeforeBox)}
}
