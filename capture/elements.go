package capture

import (
	"fmt"
	"image"
	"regexp"
	"strings"
)

const (
	maxElements    = 4000    // kept of one page, in document order
	maxElementText = 200     // bytes
	maxSelector    = 500     // bytes; what lies deeper in the page has no selector
	maxText        = 200_000 // bytes of all visible text
)

// Element is a visible element of the page.
type Element struct {
	Box      Box    `json:"box"`            // its part within the picture
	Selector string `json:"selector"`       // leads to this element alone; " >>> " stands for the step into a shadow tree
	Tag      string `json:"tag"`            // in lower case
	Role     string `json:"role,omitempty"` // WAI-ARIA role, as given or as the tag implies
	Text     string `json:"text,omitempty"` // its own, without that of its descendants; a picture's alternative text
}

// describe fills in the elements and what the page tells search engines.
func (shot *Shot) describe(result *domSnapshot) error {
	s, err := readSnapshot(result)
	if err != nil {
		return err
	}
	page := newOutline(s)
	picture := image.Rect(0, 0, shot.Width, shot.Height)
	var text strings.Builder
	for node, parent := range s.nodes.ParentIndex {
		if words := collapse(s.rendered(node)); words != "" && parent >= 0 && page.visible(parent) &&
			s.bounds(node).Overlaps(picture) && text.Len() < maxText {
			text.WriteString(words + "\n")
		}
		switch s.tag(node) {
		case "meta":
			if shot.Robots == "" && strings.EqualFold(s.attribute(node, "name"), "robots") {
				shot.Robots = cut(s.attribute(node, "content"), maxElementText)
			}
		case "link":
			if shot.Canonical == "" && strings.EqualFold(s.attribute(node, "rel"), "canonical") {
				shot.Canonical = shorten(s.attribute(node, "href"))
			}
		}
		if box := s.bounds(node).Intersect(picture); page.visible(node) && !box.Empty() && len(shot.Elements) < maxElements {
			shot.Elements = append(shot.Elements, page.element(node, box))
		}
	}
	shot.Text = cut(strings.TrimSuffix(text.String(), "\n"), maxText)
	return nil
}

// outline is what has to be known of a document before its elements can be named.
type outline struct {
	*snapshot
	hidden    []bool      // by node: transparent, or inside of something that is shown as a whole
	host      []int       // by node: the host of the shadow tree that it is in, -1 for the document itself
	ids       map[kin]int // how often an id occurs in the document or in a shadow tree
	ordinal   []int       // by node: its number among its siblings of the same tag, from 1
	siblings  map[kin]int // how many there are
	ownText   map[int]string
	selectors map[int]string
}

// kin are the nodes of one name, a tag or an id, that a node contains.
type kin struct {
	inside int
	name   string
}

func newOutline(s *snapshot) *outline {
	n := len(s.boxes)
	o := &outline{
		snapshot: s, hidden: make([]bool, n), host: make([]int, n), ids: make(map[kin]int), ordinal: make([]int, n),
		siblings: make(map[kin]int), ownText: make(map[int]string), selectors: make(map[int]string),
	}
	shadows := s.shadowTrees()
	for node, parent := range s.nodes.ParentIndex {
		o.hidden[node] = o.style(node, 1) == "0" || shadows[node] == "user-agent"
		o.host[node] = -1
		if parent >= 0 {
			o.hidden[node] = o.hidden[node] || o.hidden[parent] || o.tag(parent) == "svg"
			o.host[node] = o.host[parent]
			// A tree within a tree cannot be told from the children of its host, and is taken for them.
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
		if text := collapse(o.rendered(node)); text != "" && parent >= 0 {
			o.ownText[parent] = cut(strings.TrimSpace(o.ownText[parent]+" "+text), maxElementText)
		}
	}
	return o
}

// collapse makes one space of each run of white space.
func collapse(text string) string { return strings.Join(strings.Fields(text), " ") }

func (o *outline) visible(node int) bool {
	return o.tag(node) != "" && !o.hidden[node] && o.style(node, 0) == "visible"
}

func (o *outline) element(node int, box image.Rectangle) Element {
	text := o.ownText[node]
	for _, name := range []string{"alt", "aria-label", "placeholder"} {
		if text == "" {
			text = cut(o.attribute(node, name), maxElementText)
		}
	}
	return Element{Box: boxOf(box), Selector: o.selector(node), Tag: o.tag(node), Role: o.role(node), Text: text}
}

// plain are the names that need no escapes in a selector.
var plain = regexp.MustCompile(`^[A-Za-z][\w-]*$`)

// selector is the path from the nearest ancestor whose id is unique, else from the root.
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

// impliedRoles are those of "HTML Accessibility API Mappings" that a tag has wherever it stands.
var impliedRoles = map[string]string{
	"article": "article", "aside": "complementary", "button": "button", "dialog": "dialog", "form": "form", "h1": "heading",
	"h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading", "h6": "heading", "hr": "separator", "img": "img", "li": "listitem",
	"main": "main", "nav": "navigation", "ol": "list", "p": "paragraph", "select": "combobox", "svg": "img", "table": "table",
	"td": "cell", "textarea": "textbox", "th": "columnheader", "tr": "row", "ul": "list",
}

var inputRoles = map[string]string{
	"": "textbox", "text": "textbox", "email": "textbox", "tel": "textbox", "url": "textbox", "search": "searchbox", "checkbox": "checkbox",
	"radio": "radio", "range": "slider", "number": "spinbutton", "button": "button", "submit": "button", "reset": "button", "image": "button",
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
