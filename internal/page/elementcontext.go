package page

import (
	"strings"
	"unicode"
)

// Limits of an element's context.
const (
	enoughContext = 12  // letters that suffice to distinguish places of a page
	maxContext    = 160 // bytes

	maxIdentityText = 200 // bytes of the element's own text
)

// Identifier creates identities of the elements of one page.
type Identifier struct {
	elements []Element
	places   map[*Element]int
}

// NewIdentifier creates an Identifier for a page's elements, in document order.
func NewIdentifier(elements []Element) *Identifier {
	id := &Identifier{elements: elements, places: make(map[*Element]int, len(elements))}
	for i := range elements {
		id.places[&elements[i]] = i
	}
	return id
}

// Identify returns the identity by which one of the page's elements is recognised; nil for nil. An element of another
// page has no context.
func (id *Identifier) Identify(e *Element) *ElementIdentity {
	if e == nil {
		return nil
	}
	identity := &ElementIdentity{
		Selector: e.Selector, Tag: e.Tag, Role: e.Role, Text: cut(e.Text, maxIdentityText), Source: e.Source, Box: e.Box,
	}
	if place, ok := id.places[e]; ok {
		identity.Context = id.context(place)
	}
	return identity
}

// context is the text around an element: that of its nearest ancestor with text besides the element's own. The page as
// a whole is no context: anything inserted at the top would change it.
func (id *Identifier) context(place int) string {
	for above := id.elements[place].Parent; above >= 0 && above < place; above = id.parent(above) {
		if tag := id.elements[above].Tag; tag == "body" || tag == "html" {
			return ""
		}
		var text strings.Builder
		letters := 0
		for i := above; id.within(i, above) && text.Len() < maxContext; i++ {
			if words := id.elements[i].Text; words != "" && !id.within(i, place) {
				text.WriteString(words + " ")
				letters += countLetters(words)
			}
		}
		if letters >= enoughContext {
			return cut(strings.TrimSpace(text.String()), maxContext)
		}
	}
	return ""
}

func (id *Identifier) parent(i int) int {
	if p := id.elements[i].Parent; p < i {
		return p
	}
	return -1
}

// within reports whether element i is the other or inside it. Elements are listed in document order, so descendants
// follow an element immediately and have no parent before it.
func (id *Identifier) within(i, ancestor int) bool {
	return i == ancestor || i > ancestor && i < len(id.elements) && id.inside(i, ancestor)
}

func (id *Identifier) inside(i, ancestor int) bool {
	for ; i > ancestor; i = id.parent(i) {
		if id.elements[i].Parent == ancestor {
			return true
		}
	}
	return false
}

func countLetters(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// cut shortens a text to n bytes at most, without splitting a character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
