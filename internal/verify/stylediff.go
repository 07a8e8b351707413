package verify

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"afterimage/internal/page"
)

// styleChange is a property of an element that has another value; empty values are the initial ones.
type styleChange struct{ property, before, after string }

// styleKind is what a property does.
type styleKind uint8

const (
	ofLayout    styleKind = 1 << iota // may move or resize something
	inheritable                       // children take it over
	ofColour                          // is a colour
	ofEffect                          // changes how everything within the element looks
	ofPlace                           // is where the element stands, and nothing else
)

// styleNames are the properties as people call them, and what they do. The order is that in which changes are told.
var styleNames = []struct {
	property, words, initial string
	kind                     styleKind
}{
	{"background-color", "background", "none", ofColour},
	{"color", "text colour", "", ofColour | inheritable},
	{"background-image", "background picture", "none", 0},
	{"font-family", "font", "", ofLayout | inheritable}, {"font-size", "text size", "", ofLayout | inheritable},
	{"font-weight", "weight", "400", ofLayout | inheritable}, {"font-style", "slant", "normal", ofLayout | inheritable},
	{"border-width", "border width", "0", ofLayout}, {"border-style", "border style", "none", ofLayout},
	{"border-color", "border colour", "that of the text", ofColour}, {"border-radius", "corner radius", "0", 0},
	{"box-shadow", "shadow", "none", 0}, {"outline-width", "outline width", "0", 0}, {"outline-style", "outline style", "none", 0},
	{"outline-color", "outline colour", "that of the text", ofColour},
	{"opacity", "opacity", "1", ofEffect}, {"filter", "filter", "none", ofEffect},
	{"backdrop-filter", "filter behind it", "none", ofEffect},
	{"mix-blend-mode", "blending", "normal", ofEffect}, {"clip-path", "outline cut", "none", ofEffect},
	{"transform", "transformation", "none", ofEffect | ofPlace | ofLayout}, {"visibility", "visibility", "visible", ofEffect | inheritable},
	{"padding", "padding", "0", ofLayout}, {"margin", "margin", "0", ofLayout | ofPlace}, {"gap", "gap", "normal", ofLayout},
	{"line-height", "line height", "normal", ofLayout | inheritable},
	{"letter-spacing", "letter spacing", "normal", ofLayout | inheritable},
	{"word-spacing", "word spacing", "0", ofLayout | inheritable}, {"text-transform", "capitals", "none", ofLayout | inheritable},
	{"text-decoration-line", "decoration", "none", 0}, {"text-align", "alignment", "start", ofLayout | inheritable},
	{"text-shadow", "text shadow", "none", inheritable}, {"text-indent", "indent", "0", ofLayout | inheritable},
	{"white-space", "line breaks", "normal", ofLayout | inheritable}, {"vertical-align", "vertical alignment", "baseline", ofLayout},
	{"direction", "direction", "ltr", ofLayout | inheritable},
	{"writing-mode", "direction of lines", "horizontal-tb", ofLayout | inheritable},
	{"background-size", "size of the background picture", "auto", 0}, {"background-position", "place of the background picture", "", 0},
	{"background-repeat", "repetition of the background picture", "repeat", 0}, {"object-fit", "fit", "fill", 0},
	{"list-style-type", "list mark", "disc", ofLayout | inheritable}, {"list-style-image", "list mark", "none", ofLayout | inheritable},
	{"fill", "fill", "black", ofColour | inheritable}, {"stroke", "line colour", "none", ofColour | inheritable},
	{"display", "display", "", ofLayout}, {"float", "float", "none", ofLayout | ofPlace},
	{"position", "position", "static", ofLayout | ofPlace}, {"inset", "offset", "auto", ofLayout | ofPlace},
	{"flex-direction", "direction of the row", "row", ofLayout}, {"justify-content", "distribution", "normal", ofLayout},
	{"align-items", "alignment", "normal", ofLayout}, {"grid-template-columns", "columns", "none", ofLayout},
	{"order", "order", "0", ofLayout | ofPlace}, {"max-width", "largest width", "none", ofLayout},
	{"overflow", "overflow", "visible", ofEffect}, {"z-index", "level", "auto", ofEffect | ofPlace},
}

var styleRanks = func() map[string]int {
	ranks := make(map[string]int)
	for i := range styleNames {
		ranks[styleNames[i].property] = i
	}
	return ranks
}()

// bare is a property without the pseudo-element that it is of.
func bare(property string) string {
	if i := strings.LastIndexByte(property, ' '); i >= 0 {
		return property[i+1:]
	}
	return property
}

func kindOfStyle(property string) styleKind {
	if i, ok := styleRanks[bare(property)]; ok {
		return styleNames[i].kind
	}
	return ofLayout
}

func (c styleChange) is(kind styleKind) bool { return kindOfStyle(c.property)&kind != 0 }

// beyondColour reports whether a property is no colour.
func (c styleChange) beyondColour() bool { return !c.is(ofColour) }

// styleChanges lists what differs between two styles, the most telling first; nothing if one is unknown. The size of generated
// content counts only when it came or went: otherwise it is what the layout made of it.
func styleChanges(was, is page.Style) []styleChange {
	if was == nil || is == nil {
		return nil
	}
	var changes []styleChange
	for property, before := range was {
		if after := valueBeside(is, property, before); after != before {
			changes = append(changes, styleChange{property, before, after})
		}
	}
	for property, after := range is {
		if _, known := was[property]; known || after == "" {
			continue
		}
		if before := valueBeside(was, property, after); after != before {
			changes = append(changes, styleChange{property, before, after})
		}
	}
	changes = slices.DeleteFunc(changes, func(c styleChange) bool {
		return bare(c.property) == "box" && c.before != "" && c.after != "" || c.ofRecording(was, is)
	})
	changes = withoutGenerated(changes)
	slices.SortFunc(changes, func(a, b styleChange) int {
		return cmp.Or(cmp.Compare(styleRanks[bare(a.property)], styleRanks[bare(b.property)]), cmp.Compare(a.property, b.property))
	})
	return changes
}

// valueBeside is the value of a property, of which the other side has another one. A border without a colour has that of the text. Of
// generated content no value is recorded if it is the initial one or that of the element: one that elements take over is that of the
// element, as is any other where that explains it.
func valueBeside(style page.Style, property, other string) string {
	value, known := style[property]
	if known {
		return value
	}
	if prefix, isBorder := strings.CutSuffix(property, "border-color"); isBorder && style[prefix+"border-width"] != "" {
		return valueBeside(style, prefix+"color", other)
	}
	if name := bare(property); name != property && (kindOfStyle(name)&inheritable != 0 || style[name] == other) {
		return style[name]
	}
	return value
}

// ofRecording reports whether a change of an outline is one of what is recorded of it: once, elements without an outline had one of 3px,
// and of no outline was it known what kind it is.
func (c styleChange) ofRecording(was, is page.Style) bool {
	prefix := strings.TrimSuffix(c.property, bare(c.property))
	switch bare(c.property) {
	case "outline-width":
		return !outlined(was, prefix) && !outlined(is, prefix)
	case "outline-style":
		return c.before == "" && was[prefix+"outline-width"] != "" || c.after == "" && is[prefix+"outline-width"] != ""
	}
	return false
}

// withoutGenerated keeps of generated content that came or went only that it did.
func withoutGenerated(changes []styleChange) []styleChange {
	came := make(map[string]bool)
	for _, c := range changes {
		if prefix, ok := strings.CutSuffix(c.property, "box"); ok {
			came[prefix] = true
		}
	}
	if len(came) == 0 {
		return changes
	}
	return slices.DeleteFunc(changes, func(c styleChange) bool {
		i := strings.LastIndexByte(c.property, ' ')
		return i > 0 && came[c.property[:i+1]] && bare(c.property) != "box"
	})
}

// signature is equal for equal changes of style.
func signature(changes []styleChange) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString(c.property + "\x00" + c.before + "\x00" + c.after + "\x00\x00")
	}
	return b.String()
}

// colours is the exchange of colours that changes consist of; empty if they change anything else. It does not say of what.
func colours(changes []styleChange) []styleChange {
	pairs := make(map[styleChange]bool)
	for _, c := range changes {
		if !c.is(ofColour) || c.before == "" || c.after == "" {
			return nil
		}
		pairs[styleChange{"", c.before, c.after}] = true
	}
	return slices.SortedFunc(maps.Keys(pairs), func(a, b styleChange) int {
		return cmp.Or(cmp.Compare(a.before, b.before), cmp.Compare(a.after, b.after))
	})
}

// maxStyleWords limits the changes of style that a sentence tells.
const maxStyleWords = 4

// sideWords words one side of changes of style: "background #ffffff, padding 12px".
func sideWords(changes []styleChange, after bool) string {
	var words []string
	for _, c := range changes[:min(len(changes), maxStyleWords)] {
		value := c.before
		if after {
			value = c.after
		}
		words = append(words, styleWords(c.property)+" "+valueWords(c.property, value))
	}
	return strings.Join(words, ", ")
}

// tellStyles words changes of style: "corner radius 0 → 22px, padding 12px → 11px".
func tellStyles(changes []styleChange) string {
	changes = withoutLineStyles(changes)
	var words []string
	for _, c := range changes[:min(len(changes), maxStyleWords)] {
		name := styleWords(c.property)
		switch {
		case bare(c.property) == "box" && c.before == "":
			words = append(words, name+" came")
		case bare(c.property) == "box":
			words = append(words, name+" went")
		default:
			words = append(words, name+" "+valueWords(c.property, c.before)+" → "+valueWords(c.property, c.after))
		}
	}
	if more := len(changes) - maxStyleWords; more > 0 {
		words = append(words, counted(more, "more property", "more properties"))
	}
	return strings.Join(words, ", ")
}

// withoutLineStyles leaves out what kind of line a border is, if the border came: of one without a width, that is not recorded.
func withoutLineStyles(changes []styleChange) []styleChange {
	came := slices.ContainsFunc(changes, func(c styleChange) bool { return c.property == "border-width" && c.before == "" })
	if !came {
		return changes
	}
	return slices.DeleteFunc(slices.Clone(changes), func(c styleChange) bool { return c.property == "border-style" && c.before == "" })
}

// tellNew words what properties are now, for elements of which each was something else.
func tellNew(changes []styleChange) string {
	var words []string
	for _, c := range changes[:min(len(changes), maxStyleWords)] {
		words = append(words, styleWords(c.property)+" → "+valueWords(c.property, c.after))
	}
	if more := len(changes) - maxStyleWords; more > 0 {
		words = append(words, counted(more, "more property", "more properties"))
	}
	return strings.Join(words, ", ")
}

func styleWords(property string) string {
	name := bare(property)
	if i, ok := styleRanks[name]; ok {
		name = styleNames[i].words
	}
	switch {
	case bare(property) == "box":
		return "generated content"
	case strings.HasPrefix(property, "::"):
		return name + " of generated content"
	}
	return name
}

func valueWords(property, value string) string {
	if value == "" {
		if i, ok := styleRanks[bare(property)]; ok && styleNames[i].initial != "" {
			return styleNames[i].initial
		}
		return "none"
	}
	return oneLine(strings.ReplaceAll(value, ", ", ","), maxQuoted)
}
