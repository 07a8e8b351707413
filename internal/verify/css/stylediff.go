package css

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"afterimage/internal/page"
	"afterimage/internal/verify/wording"
)

// Change is a property of an element that has another value; empty values are the initial ones.
type Change struct{ Property, Before, After string }

// Kind is what a property does.
type Kind uint8

// The kinds; a property may be of several.
const (
	OfLayout    Kind = 1 << iota // may move or resize something
	Inheritable                  // children take it over
	OfColour                     // is a colour
	OfEffect                     // changes how everything within the element looks
	OfPlace                      // is where the element stands, and nothing else
)

// styleNames are the properties as people call them, and what they do. The order is that in which changes are told.
var styleNames = []struct {
	property, words, initial string
	kind                     Kind
}{
	{"background-color", "background", "none", OfColour},
	{"color", "text colour", "", OfColour | Inheritable},
	{"background-image", "background picture", "none", 0},
	{"font-family", "font", "", OfLayout | Inheritable}, {"font-size", "text size", "", OfLayout | Inheritable},
	{"font-weight", "weight", "400", OfLayout | Inheritable}, {"font-style", "slant", "normal", OfLayout | Inheritable},
	{"border-width", "border width", "0", OfLayout}, {"border-style", "border style", "none", OfLayout},
	{"border-color", "border colour", "that of the text", OfColour}, {"border-radius", "corner radius", "0", 0},
	{"box-shadow", "shadow", "none", 0}, {"outline-width", "outline width", "0", 0}, {"outline-style", "outline style", "none", 0},
	{"outline-color", "outline colour", "that of the text", OfColour},
	{"opacity", "opacity", "1", OfEffect}, {"filter", "filter", "none", OfEffect},
	{"backdrop-filter", "filter behind it", "none", OfEffect},
	{"mix-blend-mode", "blending", "normal", OfEffect}, {"clip-path", "outline cut", "none", OfEffect},
	{"transform", "transformation", "none", OfEffect | OfPlace | OfLayout}, {"visibility", "visibility", "visible", OfEffect | Inheritable},
	{"padding", "padding", "0", OfLayout}, {"margin", "margin", "0", OfLayout | OfPlace}, {"gap", "gap", "normal", OfLayout},
	{"line-height", "line height", "normal", OfLayout | Inheritable},
	{"letter-spacing", "letter spacing", "normal", OfLayout | Inheritable},
	{"word-spacing", "word spacing", "0", OfLayout | Inheritable}, {"text-transform", "capitals", "none", OfLayout | Inheritable},
	{"text-decoration-line", "decoration", "none", 0}, {"text-align", "alignment", "start", OfLayout | Inheritable},
	{"text-shadow", "text shadow", "none", Inheritable}, {"text-indent", "indent", "0", OfLayout | Inheritable},
	{"white-space", "line breaks", "normal", OfLayout | Inheritable}, {"vertical-align", "vertical alignment", "baseline", OfLayout},
	{"direction", "direction", "ltr", OfLayout | Inheritable},
	{"writing-mode", "direction of lines", "horizontal-tb", OfLayout | Inheritable},
	{"background-size", "size of the background picture", "auto", 0}, {"background-position", "place of the background picture", "", 0},
	{"background-repeat", "repetition of the background picture", "repeat", 0}, {"object-fit", "fit", "fill", 0},
	{"list-style-type", "list mark", "disc", OfLayout | Inheritable}, {"list-style-image", "list mark", "none", OfLayout | Inheritable},
	{"fill", "fill", "black", OfColour | Inheritable}, {"stroke", "line colour", "none", OfColour | Inheritable},
	{"accent-color", "accent colour", "automatic", OfColour},
	{"display", "display", "", OfLayout}, {"float", "float", "none", OfLayout | OfPlace},
	{"position", "position", "static", OfLayout | OfPlace}, {"inset", "offset", "auto", OfLayout | OfPlace},
	{"flex-direction", "direction of the row", "row", OfLayout}, {"justify-content", "distribution", "normal", OfLayout},
	{"align-items", "alignment", "normal", OfLayout}, {"grid-template-columns", "columns", "none", OfLayout},
	{"order", "order", "0", OfLayout | OfPlace}, {"max-width", "largest width", "none", OfLayout},
	{"overflow", "overflow", "visible", OfEffect}, {"z-index", "level", "auto", OfEffect | OfPlace},
}

// KnownProperties is how many properties have names.
var KnownProperties = len(styleNames)

var styleRanks = func() map[string]int {
	ranks := make(map[string]int)
	for i := range styleNames {
		ranks[styleNames[i].property] = i
	}
	return ranks
}()

// Bare is a property without the pseudo-element that it is of.
func Bare(property string) string {
	if i := strings.LastIndexByte(property, ' '); i >= 0 {
		return property[i+1:]
	}
	return property
}

func kindOfStyle(property string) Kind {
	if i, ok := styleRanks[Bare(property)]; ok {
		return styleNames[i].kind
	}
	return OfLayout
}

// Is reports whether the property does any of some kinds of things.
func (c Change) Is(kind Kind) bool { return kindOfStyle(c.Property)&kind != 0 }

// BeyondColour reports whether a property is no colour.
func (c Change) BeyondColour() bool { return !c.Is(OfColour) }

// Changes lists what differs between two styles, the most telling first; nothing if one is unknown. The size of generated
// content counts only when it came or went: otherwise it is what the layout made of it.
func Changes(was, is page.Style) []Change {
	if was == nil || is == nil {
		return nil
	}
	var changes []Change
	for property, before := range was {
		if after := valueBeside(is, property, before); after != before {
			changes = append(changes, Change{property, before, after})
		}
	}
	for property, after := range is {
		if _, known := was[property]; known || after == "" {
			continue
		}
		if before := valueBeside(was, property, after); after != before {
			changes = append(changes, Change{property, before, after})
		}
	}
	changes = slices.DeleteFunc(changes, func(c Change) bool {
		return Bare(c.Property) == "box" && c.Before != "" && c.After != "" || c.ofRecording(was, is)
	})
	changes = withoutGenerated(changes)
	slices.SortFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(styleRanks[Bare(a.Property)], styleRanks[Bare(b.Property)]), cmp.Compare(a.Property, b.Property))
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
	if name := Bare(property); name != property && (kindOfStyle(name)&Inheritable != 0 || style[name] == other) {
		return style[name]
	}
	return value
}

// ofRecording reports whether a change of an outline is one of what is recorded of it: once, elements without an outline had one of 3px,
// and of no outline was it known what kind it is.
func (c Change) ofRecording(was, is page.Style) bool {
	prefix := strings.TrimSuffix(c.Property, Bare(c.Property))
	switch Bare(c.Property) {
	case "outline-width":
		return !Outlined(was, prefix) && !Outlined(is, prefix)
	case "outline-style":
		return c.Before == "" && was[prefix+"outline-width"] != "" || c.After == "" && is[prefix+"outline-width"] != ""
	}
	return false
}

// withoutGenerated keeps of generated content that came or went only that it did.
func withoutGenerated(changes []Change) []Change {
	came := make(map[string]bool)
	for _, c := range changes {
		if prefix, ok := strings.CutSuffix(c.Property, "box"); ok {
			came[prefix] = true
		}
	}
	if len(came) == 0 {
		return changes
	}
	return slices.DeleteFunc(changes, func(c Change) bool {
		i := strings.LastIndexByte(c.Property, ' ')
		return i > 0 && came[c.Property[:i+1]] && Bare(c.Property) != "box"
	})
}

// Signature is equal for equal changes of style.
func Signature(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString(c.Property + "\x00" + c.Before + "\x00" + c.After + "\x00\x00")
	}
	return b.String()
}

// Colours is the exchange of colours that changes consist of; empty if they change anything else. It does not say of what.
func Colours(changes []Change) []Change {
	pairs := make(map[Change]bool)
	for _, c := range changes {
		if !c.Is(OfColour) || c.Before == "" || c.After == "" {
			return nil
		}
		pairs[Change{"", c.Before, c.After}] = true
	}
	return slices.SortedFunc(maps.Keys(pairs), func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Before, b.Before), cmp.Compare(a.After, b.After))
	})
}

// MaxWords limits the changes of style that a sentence tells.
const MaxWords = 4

// SideWords words one side of changes of style: "background #ffffff, padding 12px".
func SideWords(changes []Change, after bool) string {
	var words []string
	for _, c := range changes[:min(len(changes), MaxWords)] {
		value := c.Before
		if after {
			value = c.After
		}
		words = append(words, PropertyWords(c.Property)+" "+valueWords(c.Property, value))
	}
	return strings.Join(words, ", ")
}

// Tell words changes of style: "corner radius 0 → 22px, padding 12px → 11px".
func Tell(changes []Change) string {
	changes = withoutLineStyles(changes)
	var words []string
	for _, c := range changes[:min(len(changes), MaxWords)] {
		name := PropertyWords(c.Property)
		switch {
		case Bare(c.Property) == "box" && c.Before == "":
			words = append(words, name+" came")
		case Bare(c.Property) == "box":
			words = append(words, name+" went")
		default:
			words = append(words, name+" "+valueWords(c.Property, c.Before)+" → "+valueWords(c.Property, c.After))
		}
	}
	if more := len(changes) - MaxWords; more > 0 {
		words = append(words, wording.Counted(more, "more property", "more properties"))
	}
	return strings.Join(words, ", ")
}

// withoutLineStyles leaves out what kind of line a border is, if the border came: of one without a width, that is not recorded.
func withoutLineStyles(changes []Change) []Change {
	came := slices.ContainsFunc(changes, func(c Change) bool { return c.Property == "border-width" && c.Before == "" })
	if !came {
		return changes
	}
	return slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return c.Property == "border-style" && c.Before == "" })
}

// TellNew words what properties are now, for elements of which each was something else.
func TellNew(changes []Change) string {
	var words []string
	for _, c := range changes[:min(len(changes), MaxWords)] {
		words = append(words, PropertyWords(c.Property)+" → "+valueWords(c.Property, c.After))
	}
	if more := len(changes) - MaxWords; more > 0 {
		words = append(words, wording.Counted(more, "more property", "more properties"))
	}
	return strings.Join(words, ", ")
}

// PropertyWords is what people call a property.
func PropertyWords(property string) string {
	name := Bare(property)
	if i, ok := styleRanks[name]; ok {
		name = styleNames[i].words
	}
	switch {
	case Bare(property) == "box":
		return "generated content"
	case strings.HasPrefix(property, "::"):
		return name + " of generated content"
	}
	return name
}

func valueWords(property, value string) string {
	if value == "" {
		if i, ok := styleRanks[Bare(property)]; ok && styleNames[i].initial != "" {
			return styleNames[i].initial
		}
		return "none"
	}
	return wording.OneLine(strings.ReplaceAll(value, ", ", ","), wording.MaxQuoted)
}

// OfText reports whether a property makes all texts within an element larger or smaller.
func (c Change) OfText() bool { return c.Is(Inheritable) && c.Is(OfLayout) }

// None reports whether a property has the value that it had.
func (c Change) None() bool { return c.Before == c.After }

// noOutline is the width of the outline of elements that have none, as it was once recorded. Then the kind of an outline was not.
const noOutline = "3px"

// Outlined reports whether an outline is drawn around an element, or around its generated content whose properties have a prefix.
func Outlined(style page.Style, prefix string) bool {
	width := style[prefix+"outline-width"]
	return width != "" && width != "0px" && (width != noOutline || style[prefix+"outline-style"] != "")
}
