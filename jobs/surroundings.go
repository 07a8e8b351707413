package jobs

import (
	"strings"
	"unicode"

	"afterimage/internal/verify"
	"afterimage/vcd"
)

// Limits of what is kept of an element for feedback rules to follow.
const (
	enoughContext = 12  // letters that tell one place of a page from another
	maxContext    = 160 // bytes
)

// surroundings are a page's elements with what stands around each.
type surroundings struct {
	elements []verify.Element
	places   map[*verify.Element]int
}

func newSurroundings(elements []verify.Element) *surroundings {
	s := &surroundings{elements: elements, places: make(map[*verify.Element]int, len(elements))}
	for i := range elements {
		s.places[&elements[i]] = i
	}
	return s
}

// element is one of the page's as feedback rules follow it; nil stays nil.
func (s *surroundings) element(e *verify.Element) *vcd.FoundElement {
	if e == nil {
		return nil
	}
	found := &vcd.FoundElement{
		Selector: e.Selector, Tag: e.Tag, Role: e.Role, Text: e.Text, Source: e.Source,
		Box: vcd.Box{X: e.Box.Min.X, Y: e.Box.Min.Y, Width: e.Box.Dx(), Height: e.Box.Dy()},
	}
	if place, ok := s.places[e]; ok {
		found.Context = s.context(place)
	}
	return found
}

// context is the text around an element: that of its nearest ancestor that says something beside the element itself. The
// page as a whole is no context: what is inserted on top changes it.
func (s *surroundings) context(place int) string {
	for above := s.elements[place].Parent; above >= 0 && above < place; above = s.parent(above) {
		if tag := s.elements[above].Tag; tag == "body" || tag == "html" {
			return ""
		}
		var text strings.Builder
		letters := 0
		for i := above; s.within(i, above) && text.Len() < maxContext; i++ {
			if words := s.elements[i].Text; words != "" && !s.within(i, place) {
				text.WriteString(words + " ")
				letters += countLetters(words)
			}
		}
		if letters >= enoughContext {
			return cutBytes(strings.TrimSpace(text.String()), maxContext)
		}
	}
	return ""
}

func (s *surroundings) parent(i int) int {
	if p := s.elements[i].Parent; p < i {
		return p
	}
	return -1
}

// within tells whether element i is the other or inside of it. Elements are listed in document order, so that what is inside
// follows at once and points to nothing before.
func (s *surroundings) within(i, ancestor int) bool {
	return i == ancestor || i > ancestor && i < len(s.elements) && s.inside(i, ancestor)
}

func (s *surroundings) inside(i, ancestor int) bool {
	for ; i > ancestor; i = s.parent(i) {
		if s.elements[i].Parent == ancestor {
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

func cutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
