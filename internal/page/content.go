package page

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// maxContentSize is how much of a stored content is read, in bytes, unpacked. The capture engine keeps far less.
const maxContentSize = 32 << 20

// Content is what can be read on a page: by people, by search engines, and by who describes a change.
type Content struct {
	Title     string    `json:"title"`
	Robots    string    `json:"robots"`           // content of <meta name=robots>
	Canonical string    `json:"canonical"`        // address of <link rel=canonical>, as the page spells it
	Text      string    `json:"text"`             // visible, one line for each run of it, at most 200,000 bytes
	Elements  []Element `json:"elements"`         // visible, in document order
	Assets    []Asset   `json:"assets,omitempty"` // by address; at most 300
}

// Asset is a script or style that the page loaded.
type Asset struct {
	Kind string `json:"kind"` // "script" or "style"
	URL  string `json:"url"`
}

// Element is a visible element of the page.
type Element struct {
	Number   int    `json:"-"`              // its place in document order, from 0; set when a stored content is read
	Box      Box    `json:"box"`            // its part within the picture
	Selector string `json:"selector"`       // leads to this element alone; " >>> " stands for the step into a shadow tree
	Tag      string `json:"tag"`            // in lower case
	Role     string `json:"role,omitempty"` // WAI-ARIA role, as given or as the tag implies
	Text     string `json:"text,omitempty"` // its own, without that of its descendants; a picture's alternative text

	// Parent is the number of the nearest visible ancestor; -1 for none, 0 where an older capture did not tell.
	Parent     int    `json:"parent"`
	Classes    string `json:"classes,omitempty"`    // class attribute
	Source     string `json:"source,omitempty"`     // address of the picture, film or frame that it shows, as the page spells it
	Fixed      bool   `json:"fixed,omitempty"`      // it, or what it is in, keeps its place while the page scrolls
	Color      string `json:"color,omitempty"`      // of its text, as #rrggbb, or #rrggbbaa where it is not opaque
	Background string `json:"background,omitempty"` // likewise; empty for none
	Font       string `json:"font,omitempty"`       // size and first family, as in "16px Arial"
}

// Empty tells whether there is nothing to be read. A title alone is nothing.
func (c *Content) Empty() bool {
	return c == nil || len(c.Elements) == 0 && c.Text == "" && c.Robots == "" && c.Canonical == "" && len(c.Assets) == 0
}

// Encode is the form in which a page's content is kept: JSON, packed by gzip. Equal contents have equal files.
func (c *Content) Encode() ([]byte, error) {
	var file bytes.Buffer
	packer := gzip.NewWriter(&file)
	if err := json.NewEncoder(packer).Encode(c); err != nil {
		return nil, fmt.Errorf("encode a page's content: %w", err)
	}
	if err := packer.Close(); err != nil {
		return nil, fmt.Errorf("pack a page's content: %w", err)
	}
	return file.Bytes(), nil
}

// DecodeContent reads what Encode has written.
func DecodeContent(file []byte) (*Content, error) {
	unpacker, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("unpack a page's content: %w", err)
	}
	c := &Content{}
	if err := json.NewDecoder(io.LimitReader(unpacker, maxContentSize)).Decode(c); err != nil {
		return nil, fmt.Errorf("decode a page's content: %w", err)
	}
	for i := range c.Elements {
		c.Elements[i].Number = i
	}
	return c, nil
}

// Covering is the smallest element that covers the box, the innermost of several equal ones; nil when there is none.
func (c *Content) Covering(box Box) *Element {
	var smallest *Element
	for i := range c.Elements {
		e := &c.Elements[i]
		if e.Box.Covers(box) && (smallest == nil || e.Box.Width*e.Box.Height <= smallest.Box.Width*smallest.Box.Height) {
			smallest = e
		}
	}
	return smallest
}

// ParentOf is the nearest visible ancestor of an element; nil when there is none.
func (c *Content) ParentOf(e *Element) *Element {
	if e.Parent < 0 || e.Parent >= e.Number { // an ancestor comes first
		return nil
	}
	return &c.Elements[e.Parent]
}

// LargestIn is the largest element of those of which most lies in the box, and at least a quarter of the box; nil when there is
// none.
func (c *Content) LargestIn(box Box) *Element {
	var found *Element
	for i := range c.Elements {
		e := &c.Elements[i]
		common, size := e.Box.common(box), e.Box.Width*e.Box.Height
		if 2*common > size && 4*common >= box.Width*box.Height && (found == nil || size > found.Box.Width*found.Box.Height) {
			found = e
		}
	}
	return found
}
