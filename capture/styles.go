package capture

import (
	"image"
	"math"
	"net/url"
	"strconv"
	"strings"

	"afterimage/internal/page"
)

// Limits of the styles of a page.
const (
	maxStyles     = 2000 // different ones; what is drawn in another way has an unknown style
	maxStyleValue = 300  // bytes
	maxVariables  = 300  // custom properties
	maxVariable   = 120  // characters of a name or a value
)

// styleProperty is a computed style that is recorded.
type styleProperty struct {
	name    string
	initial string                                 // a value that is not recorded
	read    func(value string, of styleRow) string // turns the browser's value into the recorded one; nil to take it as it is
}

// styleRow is the computed styles of one box.
type styleRow struct {
	*snapshot
	row    int
	places map[string]int // of the styles in a row of the snapshot
}

// value is the browser's value of a recorded style.
func (r styleRow) value(name string) string {
	n, ok := r.places[name]
	if !ok || n >= len(r.layout.Styles[r.row]) {
		return ""
	}
	return r.text(r.layout.Styles[r.row][n])
}

// The first seven are also read by their places, see [snapshot.style].
var styleProperties = []styleProperty{
	{name: "visibility", initial: "visible"}, {name: "opacity", initial: "1"}, {name: "position", initial: "static"},
	{name: "color", read: colourValue}, {name: "background-color", read: colourValue}, {name: "font-size"}, {name: "font-family"},

	{name: "font-weight", initial: "400"}, {name: "font-style", initial: "normal"}, {name: "line-height", initial: "normal"},
	{name: "letter-spacing", initial: "normal"}, {name: "word-spacing", initial: "0px"}, {name: "text-transform", initial: "none"},
	{name: "text-decoration-line", initial: "none"}, {name: "text-align", initial: "start"}, {name: "text-shadow", initial: "none"},
	{name: "text-indent", initial: "0px"}, {name: "white-space", initial: "normal"}, {name: "vertical-align", initial: "baseline"},
	{name: "direction", initial: "ltr"}, {name: "writing-mode", initial: "horizontal-tb"},

	{name: "border-width", initial: "0px", read: borderWidth}, {name: "border-style", initial: "none", read: ofBorder},
	{name: "border-color", read: borderColours}, {name: "border-radius", initial: "0px"},
	{name: "outline-style", initial: "none"}, {name: "outline-width", initial: "0px", read: outlineWidth},
	{name: "outline-color", read: ofOutline},
	{name: "box-shadow", initial: "none"}, {name: "background-image", initial: "none"},
	{name: "background-size", initial: "auto", read: ofBackground}, {name: "background-position", initial: "0% 0%", read: ofBackground},
	{name: "background-repeat", initial: "repeat", read: ofBackground},

	{name: "padding", initial: "0px"}, {name: "margin", initial: "0px"}, {name: "display"}, {name: "float", initial: "none"},
	{name: "transform", initial: "none"}, {name: "filter", initial: "none"}, {name: "backdrop-filter", initial: "none"},
	{name: "clip-path", initial: "none"}, {name: "mix-blend-mode", initial: "normal"}, {name: "object-fit", initial: "fill"},
	{name: "list-style-type", initial: "disc", read: ofListItem}, {name: "list-style-image", initial: "none"},
	{name: "fill", initial: "rgb(0, 0, 0)", read: ofDrawing}, {name: "stroke", initial: "none", read: ofDrawing},
	{name: "flex-direction", initial: "row"}, {name: "justify-content", initial: "normal"}, {name: "align-items", initial: "normal"},
	{name: "gap", initial: "normal"}, {name: "grid-template-columns", initial: "none", read: tracks}, {name: "order", initial: "0"},
	{name: "inset", initial: "auto", read: ofRelative},
	{name: "max-width", initial: "none"}, {name: "overflow", initial: "visible"}, {name: "z-index", initial: "auto"},
	{name: "accent-color", initial: "auto", read: ofControl},
}

// describedStyles are the computed styles that the browser is asked for.
func describedStyles() []string {
	names := make([]string, len(styleProperties))
	for i := range styleProperties {
		names[i] = styleProperties[i].name
	}
	return names
}

func colourValue(value string, _ styleRow) string { return hexColour(value) }

func borderWidth(value string, of styleRow) string {
	if of.value("border-style") == "none" {
		return ""
	}
	return value
}

// ofBorder leaves out what a border that is not drawn would look like.
func ofBorder(value string, of styleRow) string {
	if of.value("border-width") == "0px" || of.value("border-style") == "none" {
		return ""
	}
	return value
}

// borderColours are the colours of the sides of a border that are drawn, once if they are equal. Those of the text are left out.
func borderColours(value string, of styleRow) string {
	if ofBorder(value, of) == "" {
		return ""
	}
	sides, widths := split(value), strings.Fields(of.value("border-width"))
	var drawn []string
	for i := range 4 {
		colour := side(sides, i)
		if side(widths, i) == "0px" || colour == of.value("color") || len(drawn) > 0 && drawn[len(drawn)-1] == hexColour(colour) {
			continue
		}
		drawn = append(drawn, hexColour(colour))
	}
	return strings.Join(drawn, " ")
}

// split cuts a list of values at the spaces outside of parentheses.
func split(list string) []string {
	depth := 0
	return strings.FieldsFunc(list, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ' ' && depth == 0
	})
}

// side is the value of the top, right, bottom or left side in a list of one to four values.
func side(list []string, i int) string {
	switch {
	case len(list) == 0:
		return ""
	case i < len(list):
		return list[i]
	case i == 3 && len(list) > 1:
		return list[1]
	}
	return list[0]
}

// outlineWidth is that of an outline that is drawn: browsers compute 3px for elements without one.
func outlineWidth(value string, of styleRow) string {
	if of.value("outline-style") == "none" || strings.HasPrefix(of.value("outline-color"), "rgba(0, 0, 0, 0)") {
		return ""
	}
	return value
}

func ofOutline(value string, of styleRow) string {
	if of.value("outline-width") == "0px" || of.value("outline-style") == "none" || value == of.value("color") {
		return ""
	}
	return hexColour(value)
}

// ofRelative is how far an element is drawn from its place. Of what has a place of its own, the layout says where it is.
func ofRelative(value string, of styleRow) string {
	if position := of.value("position"); position != "relative" && position != "sticky" {
		return ""
	}
	return value
}

func ofBackground(value string, of styleRow) string {
	if of.value("background-image") == "none" {
		return ""
	}
	return value
}

func ofListItem(value string, of styleRow) string {
	if of.value("display") != "list-item" {
		return ""
	}
	return value
}

// hasMark reports whether a control is drawn in the accent colour, which all elements take over.
func hasMark(tag string) bool { return tag == "input" || tag == "progress" || tag == "meter" }

func ofControl(value string, of styleRow) string {
	if !hasMark(of.tag(of.layout.NodeIndex[of.row])) {
		return ""
	}
	return hexColour(value)
}

// ofDrawing is the colour of a part of a drawing, unless it is that of the text.
func ofDrawing(value string, of styleRow) string {
	if value == of.value("color") {
		return ""
	}
	return hexColour(value)
}

// tracks is the number of the tracks of a grid: how wide they are is a matter of the layout.
func tracks(value string, _ styleRow) string {
	if value == "none" {
		return value
	}
	return strconv.Itoa(len(strings.Fields(value)))
}

// styleBook numbers the different styles of a page.
type styleBook struct {
	*snapshot
	list      []page.Style
	known     map[string]int
	generated map[int][]generatedBox // by element
	places    map[string]int         // of the styles in a row of the snapshot
	origin    string                 // of the document, with a slash; "" for none
}

// generatedBox is what a pseudo-element adds to an element.
type generatedBox struct {
	prefix string
	row    int
}

// pseudoPrefixes are the pseudo-elements whose styles stand beside those of their elements.
var pseudoPrefixes = map[string]string{"::before": "::before ", "::after": "::after "}

func newStyleBook(s *snapshot) *styleBook {
	b := &styleBook{snapshot: s, known: make(map[string]int), generated: make(map[int][]generatedBox), places: make(map[string]int)}
	for i, name := range describedStyles() {
		b.places[name] = i
	}
	if address, err := url.Parse(s.address); err == nil && address.Host != "" {
		b.origin = address.Scheme + "://" + address.Host + "/"
	}
	last := -1
	for row, node := range s.layout.NodeIndex {
		prefix := pseudoPrefixes[s.text(s.nodes.NodeName[node])]
		if prefix == "" || node == last || len(s.layout.Styles[row]) == 0 { // further rows are parts of its text
			continue
		}
		last = node
		b.generated[s.nodes.ParentIndex[node]] = append(b.generated[s.nodes.ParentIndex[node]], generatedBox{prefix, row})
	}
	return b
}

// number is that of the style of a node, from 1; 0 when it is unknown.
func (b *styleBook) number(node int) int {
	row := b.boxes[node]
	if row < 0 || len(b.layout.Styles[row]) == 0 {
		return 0
	}
	key := b.key(node, row)
	if n, ok := b.known[key]; ok {
		return n
	}
	if len(b.list) == maxStyles {
		return 0
	}
	style := make(page.Style)
	b.read(style, "", row, -1)
	for _, box := range b.generated[node] {
		style[box.prefix+"box"] = b.sizeOf(box.row)
		b.read(style, box.prefix, box.row, row)
	}
	b.list = append(b.list, style)
	b.known[key] = len(b.list)
	return len(b.list)
}

// key is equal for nodes of equal styles: the browser names equal values by equal numbers.
func (b *styleBook) key(node, row int) string {
	key := make([]byte, 0, 4*len(styleProperties))
	add := func(row int) {
		for _, value := range b.layout.Styles[row] {
			key = strconv.AppendInt(key, int64(value), 36)
			key = append(key, ' ')
		}
	}
	if hasMark(b.tag(node)) {
		key = append(key, 'c')
	}
	add(row)
	for _, box := range b.generated[node] {
		key = append(key, box.prefix+b.sizeOf(box.row)...)
		add(box.row)
	}
	return string(key)
}

// read adds the values of a row to a style, without those of another row.
func (b *styleBook) read(style page.Style, prefix string, row, but int) {
	of := styleRow{b.snapshot, row, b.places}
	for i := range styleProperties {
		p := &styleProperties[i]
		if i >= len(b.layout.Styles[row]) ||
			but >= 0 && i < len(b.layout.Styles[but]) && b.layout.Styles[but][i] == b.layout.Styles[row][i] {
			continue
		}
		value := b.text(b.layout.Styles[row][i])
		if value == p.initial {
			continue
		}
		if p.read != nil {
			value = p.read(value, of)
		}
		if b.origin != "" && strings.Contains(value, "url(") { // browsers write whole addresses, which differ on another host
			value = strings.ReplaceAll(value, b.origin, "/")
		}
		if value != "" {
			style[prefix+p.name] = cut(value, maxStyleValue)
		}
	}
}

// sizeOf is the size of a box, rounded: that of generated content has no element of its own.
func (b *styleBook) sizeOf(row int) string {
	bounds := b.layout.Bounds[row]
	if len(bounds) != 4 {
		return ""
	}
	return strconv.Itoa(int(math.Round(bounds[2]))) + " × " + strconv.Itoa(int(math.Round(bounds[3])))
}

// exact is where the layout has a node, if that is not the box; see page.Element.
func (s *snapshot) exact(node int, box image.Rectangle) [4]float64 {
	row := s.boxes[node]
	if row < 0 || len(s.layout.Bounds[row]) != 4 {
		return [4]float64{}
	}
	var at [4]float64
	for i, side := range s.layout.Bounds[row] {
		at[i] = math.Round(100*max(-1e7, min(side, 1e7))) / 100
	}
	if at == [4]float64{float64(box.Min.X), float64(box.Min.Y), float64(box.Dx()), float64(box.Dy())} {
		return [4]float64{}
	}
	return at
}
