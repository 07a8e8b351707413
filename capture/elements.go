package capture

import (
	"fmt"
	"hash/crc32"
	"image"
	"math"
	"regexp"
	"strconv"
	"strings"

	"afterimage/internal/page"
)

// The limits that have a height apply to pages up to maxPainted rows; higher ones have as much for each such height that
// they begin.
const (
	maxElements    = 4000   // kept per page, in document order, by height
	maxElementText = 200    // bytes
	maxOwnText     = 1000   // bytes of the text of an element, or of what a control holds
	maxLongText    = 20_000 // bytes of that, as long as all longer ones together have not taken maxAllLong
	maxAllLong     = 60_000
	maxSelector    = 500     // bytes; elements deeper in the page have no selector
	maxSource      = 300     // bytes of the address of an element's source
	maxText        = 200_000 // bytes of all visible text, by height
)

// byHeight is a limit for a picture of the given height.
func byHeight(limit, height int) int { return limit * max(1, (height+maxPainted-1)/maxPainted) }

// section is the part of a picture that a snapshot describes.
type section struct {
	origin image.Point     // of the picture on the page
	area   image.Rectangle // of the picture
	known  map[sameBox]int // elements that other parts have listed
}

// sameBox identifies an element in several snapshots of a page.
type sameBox struct {
	selector string
	box      image.Rectangle
}

// describe fills in the elements of a part and the information for search engines.
func (shot *Shot) describe(result *domSnapshot, in section) error {
	s, err := readSnapshot(result)
	if err != nil {
		return err
	}
	s.move(in.origin)
	outline := newOutline(s)
	outline.styles.list = shot.Content.Styles
	content, picture := shot.Content, image.Rect(0, 0, shot.Width, shot.Height)
	mostElements, mostText := byHeight(maxElements, shot.Height), byHeight(maxText, shot.Height)
	var text strings.Builder
	shut := newClosed(outline)
	for node, parent := range s.nodes.ParentIndex {
		shut.read(node)
		if words := page.CollapseSpace(s.rendered(node)); words != "" && parent >= 0 && outline.visible(parent) &&
			in.begins(s.bounds(node)) && text.Len() < mostText {
			text.WriteString(words + "\n")
		}
		s.describeDocument(node, content)
		box := s.bounds(node).Intersect(picture)
		if !outline.visible(node) || len(content.Elements) >= mostElements {
			continue
		}
		if !box.Overlaps(in.area) {
			if box = outline.shadow(node).Intersect(picture); !box.Overlaps(in.area) {
				continue
			}
		}
		if place, ok := in.known[sameBox{outline.selector(node), box}]; ok {
			outline.listed[node] = place
			continue
		}
		element := outline.element(node, box)
		if in.known != nil {
			in.list(&element, sameBox{outline.selector(node), box}, len(content.Elements))
		}
		content.Elements = append(content.Elements, element)
		outline.listed[node] = len(content.Elements) - 1
	}
	shut.fill(content.Elements)
	content.Text = cut(strings.TrimSpace(content.Text+"\n"+text.String()), mostText)
	content.Styles = outline.styles.list
	return nil
}

// describeDocument keeps what a node says of the document as a whole. The first one counts.
func (s *snapshot) describeDocument(node int, content *page.Content) {
	first := func(kept *string, value string) {
		if *kept == "" {
			*kept = value
		}
	}
	switch s.tag(node) {
	case "html":
		first(&content.Language, cut(page.CollapseSpace(s.attribute(node, "lang")), maxElementText))
	case "meta":
		if strings.EqualFold(s.attribute(node, "name"), "robots") {
			first(&content.Robots, cut(s.attribute(node, "content"), maxElementText))
		}
	case "link":
		if strings.EqualFold(s.attribute(node, "rel"), "canonical") {
			first(&content.Canonical, shorten(s.attribute(node, "href")))
		}
	}
}

// list remembers the place of an element. A selector that names another one in another part, as in a list of which only the rows on
// the screen exist, identifies neither this one nor that.
func (in section) list(e *page.Element, key sameBox, place int) {
	anywhere := sameBox{selector: key.selector}
	if _, used := in.known[anywhere]; used {
		e.Selector = ""
	}
	in.known[key], in.known[anywhere] = place, place
}

// begins reports whether a text belongs to this part: one that crosses an edge belongs to the part above.
func (in section) begins(box image.Rectangle) bool {
	return box.Overlaps(in.area) && (box.Min.Y >= in.area.Min.Y || in.area.Min.Y == 0)
}

// outline is the data about a document that is needed to name its elements.
type outline struct {
	*snapshot
	hidden    []bool      // by node: transparent, or inside an element that is recorded as a whole
	host      []int       // by node: the host of the shadow tree that contains it, -1 for the document itself
	ids       map[kin]int // number of occurrences of an id in the document or in a shadow tree
	ordinal   []int       // by node: its position among its siblings of the same tag, from 1
	siblings  map[kin]int // number of such siblings
	ownText   map[int]string
	letters   map[int]image.Rectangle // by node: where its own text is
	long      longTexts
	selectors map[int]string
	fixed     []bool      // by node
	listed    map[int]int // by node: its index in the list of elements
	styles    *styleBook
	forms     *formStates
	shadows   map[int]string // by node: the kind of the shadow tree that contains it
}

// kin are the nodes of one name, a tag or an id, within a node.
type kin struct {
	inside int
	name   string
}

func newOutline(s *snapshot) *outline {
	n := len(s.boxes)
	o := &outline{
		snapshot: s, hidden: make([]bool, n), host: make([]int, n), ids: make(map[kin]int), ordinal: make([]int, n),
		siblings: make(map[kin]int), ownText: make(map[int]string), letters: make(map[int]image.Rectangle), selectors: make(map[int]string),
		fixed: make([]bool, n), listed: make(map[int]int), styles: newStyleBook(s), forms: newFormStates(s),
		shadows: s.shadowTrees(),
	}
	o.addTexts(s.generated("::before"))
	shadows := o.shadows
	for node, parent := range s.nodes.ParentIndex {
		o.hidden[node] = o.style(node, 1) == "0" || shadows[node] == "user-agent" || o.copied(node)
		o.host[node] = -1
		o.fixed[node] = o.style(node, 2) == "fixed" || o.style(node, 2) == "sticky"
		if parent >= 0 {
			o.fixed[node] = o.fixed[node] || o.fixed[parent]
			o.hidden[node] = o.hidden[node] || o.hidden[parent] || o.tag(parent) == "svg"
			o.host[node] = o.host[parent]
			// A nested shadow tree cannot be distinguished from the children of its host and is treated as such.
			if shadows[node] != "" && shadows[parent] == "" {
				o.host[node] = parent
			}
		}
		if tag := o.tag(node); tag != "" {
			relation := kin{parent, tag}
			o.siblings[relation]++
			o.ordinal[node] = o.siblings[relation]
			o.ids[kin{o.host[node], o.attribute(node, "id")}]++
		}
		if text := page.CollapseSpace(o.rendered(node)); text != "" && parent >= 0 {
			o.addText(parent, text)
			o.letters[parent] = o.letters[parent].Union(s.bounds(node))
		}
	}
	o.addTexts(s.generated("::after"))
	return o
}

func (o *outline) addTexts(texts map[int]string) {
	for node, text := range texts {
		o.addText(node, page.CollapseSpace(text))
	}
}

func (o *outline) addText(node int, text string) {
	had := o.ownText[node]
	o.ownText[node] = o.long.cut(strings.TrimSpace(had+" "+text), len(had))
}

// longTexts is how much of texts is kept that are longer than those of most elements.
type longTexts struct{ taken int }

// cut cuts a text of which a part may have been kept before. What is cut off is no longer compared in words.
func (l *longTexts) cut(text string, had int) string {
	had = max(had, maxOwnText)
	kept := cut(text, min(maxLongText, had+maxAllLong-l.taken))
	l.taken += max(0, len(kept)-had)
	return kept
}

func (o *outline) visible(node int) bool {
	return o.tag(node) != "" && !o.hidden[node] && o.style(node, 0) == "visible"
}

func (o *outline) element(node int, box image.Rectangle) page.Element {
	text := o.ownText[node]
	for _, name := range []string{"alt", "aria-label", "placeholder"} {
		if text == "" {
			text = cut(o.attribute(node, name), maxElementText)
		}
	}
	e := page.Element{
		Box: page.BoxOf(box), Exact: o.exact(node, box), Selector: o.selector(node), Tag: o.tag(node), Role: o.role(node), Text: text,
		Parent: o.parent(node), Classes: cut(page.CollapseSpace(o.attribute(node, "class")), maxElementText), Source: o.source(node),
		Fixed: o.fixed[node],
		Color: hexColour(o.style(node, 3)), Background: hexColour(o.style(node, 4)), Font: o.font(node),
		Style: o.styles.number(node), Letters: page.BoxOf(o.beyond(node)),
	}
	o.forms.fill(node, &e)
	if _, isFrame := o.frames[node]; isFrame {
		e.Value = o.long.cut(o.frameText(node, maxLongText), 0)
	}
	if e.Tag == "svg" {
		e.Value = o.long.cut(o.graphicText(node, maxLongText), 0)
	}
	return e
}

// overhang is how far letters reach beyond the box of their element without being recorded: that much strokes and accents do.
const overhang = 6

// beyond is where the text of an element is, if that reaches beyond its box; empty otherwise.
func (o *outline) beyond(node int) image.Rectangle {
	if letters := o.letters[node]; !letters.In(o.bounds(node).Inset(-overhang)) {
		return letters
	}
	return image.Rectangle{}
}

// maxShadow limits how far the shadow of an element is followed that itself is not in the picture.
const maxShadow = 120

// shadow is how far an element can be seen by its shadow; empty if it has none.
func (o *outline) shadow(node int) image.Rectangle {
	row := o.boxes[node]
	if row < 0 {
		return image.Rectangle{}
	}
	value := styleRow{o.snapshot, row, o.styles.places}.value("box-shadow")
	if value == "" || value == "none" || strings.Contains(value, "inset") {
		return image.Rectangle{}
	}
	reach := 0.0
	for _, word := range split(value) {
		number, isLength := strings.CutSuffix(strings.TrimSuffix(word, ","), "px")
		if length, err := strconv.ParseFloat(number, 64); isLength && err == nil {
			reach += math.Abs(length)
		}
	}
	return o.bounds(node).Inset(-int(min(reach, maxShadow)))
}

// parent is the index of the nearest listed ancestor in the list.
func (o *outline) parent(node int) int {
	for above := o.nodes.ParentIndex[node]; above >= 0; above = o.nodes.ParentIndex[above] {
		if place, ok := o.listed[above]; ok {
			return place
		}
	}
	return -1
}

// source is the address of what the element shows. Data addresses are described by their beginning, size and checksum, since they
// contain the data itself.
func (o *outline) source(node int) string {
	switch o.tag(node) {
	case "img", "iframe", "frame", "video", "embed", "input", "source", "audio":
		address := o.attribute(node, "src")
		if kind, data, ok := strings.Cut(address, ","); ok && strings.HasPrefix(address, "data:") {
			return fmt.Sprintf("%s,(%d bytes, checksum %08x)", cut(kind, maxElementText), len(data), crc32.ChecksumIEEE([]byte(data)))
		}
		return cut(address, maxSource)
	case "object":
		return cut(o.attribute(node, "data"), maxSource)
	}
	return ""
}

func (o *outline) font(node int) string {
	family, _, _ := strings.Cut(o.style(node, 6), ",")
	if o.style(node, 5) == "" {
		return ""
	}
	return cut(o.style(node, 5)+" "+strings.Trim(family, `" `), maxElementText)
}

// hexColour shortens a computed colour, rgb(…) or rgba(…); other notations are kept. A fully transparent colour becomes
// empty.
func hexColour(computed string) string {
	var r, g, b int
	alpha := 1.0
	if n, _ := fmt.Sscanf(computed, "rgb(%d, %d, %d)", &r, &g, &b); n != 3 {
		if n, _ := fmt.Sscanf(computed, "rgba(%d, %d, %d, %g)", &r, &g, &b, &alpha); n != 4 {
			return cut(computed, maxElementText)
		}
	}
	switch {
	case alpha <= 0:
		return ""
	case alpha < 1:
		return fmt.Sprintf("#%02x%02x%02x%02x", r&255, g&255, b&255, int(min(alpha, 1)*255+0.5))
	}
	return fmt.Sprintf("#%02x%02x%02x", r&255, g&255, b&255)
}

// plain matches names that need no escapes in a selector.
var plain = regexp.MustCompile(`^[A-Za-z][\w-]*$`)

// selector is the path from the nearest ancestor with a unique id, otherwise from the root.
func (o *outline) selector(node int) string {
	if known, ok := o.selectors[node]; ok {
		return known
	}
	tag, id, parent, joint := o.tag(node), o.attribute(node, "id"), o.nodes.ParentIndex[node], " > "
	selector, host := tag, o.host[node]
	switch {
	case o.ids[kin{host, id}] == 1 && plain.MatchString(id):
		selector, parent = "#"+id, host
	case o.siblings[kin{parent, tag}] > 1:
		selector = fmt.Sprintf("%s:nth-of-type(%d)", tag, o.ordinal[node])
	}
	if parent == host {
		joint = " >>> "
	}
	if parent >= 0 && o.tag(parent) != "" {
		above := o.selector(parent)
		selector = above + joint + selector
		if above == "" || len(selector) > maxSelector {
			selector = ""
		}
	}
	o.selectors[node] = selector
	return selector
}

// impliedRoles are the roles of "HTML Accessibility API Mappings" that a tag has in every context.
var impliedRoles = map[string]string{
	"article": "article", "aside": "complementary", "button": "button", "dialog": "dialog", "form": "form", "h1": "heading",
	"h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading", "h6": "heading", "hr": "separator", "img": "img", "li": "listitem",
	"main": "main", "nav": "navigation", "ol": "list", "p": "paragraph", "select": "combobox", "svg": "img", "table": "table",
	"td": "cell", "textarea": "textbox", "th": "columnheader", "tr": "row", "ul": "list",
}

var inputRoles = map[string]string{
	"": "textbox", "text": "textbox", "email": "textbox", "tel": "textbox", "url": "textbox", "search": "searchbox", "checkbox": "checkbox",
	"radio": "radio", "range": "slider", "number": "spinbutton", "button": "button", "submit": "button", "reset": "button",
	"image": "button",
}

func (o *outline) role(node int) string {
	if given := strings.Fields(strings.ToLower(o.attribute(node, "role"))); len(given) > 0 {
		return cut(given[0], maxElementText)
	}
	switch tag := o.tag(node); {
	case tag == "input":
		return inputRoles[strings.ToLower(o.attribute(node, "type"))]
	case tag == "a" && o.attribute(node, "href") != "":
		return "link"
	default:
		return impliedRoles[tag]
	}
}
