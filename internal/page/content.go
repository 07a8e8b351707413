package page

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// maxContentSize limits the uncompressed size of a stored content that is read, in bytes. The capture engine stores far
// less.
const maxContentSize = 64 << 20

// Content is the readable content of a page: for people, for search engines, and for the description of changes.
type Content struct {
	Title     string    `json:"title"`
	Robots    string    `json:"robots"`             // content of <meta name=robots>
	Canonical string    `json:"canonical"`          // address of <link rel=canonical>, as the page spells it
	Language  string    `json:"language,omitempty"` // lang attribute of the document
	Text      string    `json:"text"`               // visible text, one line for each run, at most 200,000 bytes for each 16,000 rows
	Elements  []Element `json:"elements"`           // visible elements, in document order
	Assets    []Asset   `json:"assets,omitempty"`   // by address; at most 300

	// Data are the addresses on other hosts than the page's from which its scripts have read something, without queries; at most 100.
	Data []string `json:"data,omitempty"`

	// Styles are the different ways in which the elements are drawn; see Element.Style. Empty if an older capture did not
	// record them.
	Styles []Style `json:"styles,omitempty"`
	// Variables are the custom properties of the document as a whole, by name; at most 300.
	Variables map[string]string `json:"variables,omitempty"`
}

// Asset is a script or style that the page loaded.
type Asset struct {
	Kind string `json:"kind"` // "script" or "style"
	URL  string `json:"url"`
}

// Element is a visible element of the page.
type Element struct {
	Number   int    `json:"-"`              // position in document order, from 0; set when a stored content is read
	Box      Box    `json:"box"`            // its part within the picture
	Selector string `json:"selector"`       // identifies this element only; " >>> " stands for the step into a shadow tree
	Tag      string `json:"tag"`            // in lower case
	Role     string `json:"role,omitempty"` // WAI-ARIA role, as given or as the tag implies
	Text     string `json:"text,omitempty"` // own text, without that of descendants; for a picture its alternative text

	// Parent is the number of the nearest visible ancestor; -1 for none, 0 if an older capture did not record it.
	Parent     int    `json:"parent"`
	Classes    string `json:"classes,omitempty"`    // class attribute
	Source     string `json:"source,omitempty"`     // address of the picture, video or frame that it shows, as the page spells it
	Fixed      bool   `json:"fixed,omitempty"`      // it or an ancestor keeps its place while the page scrolls
	Color      string `json:"color,omitempty"`      // text colour, as #rrggbb, or #rrggbbaa if not opaque
	Background string `json:"background,omitempty"` // background colour in the same form; empty for none
	Font       string `json:"font,omitempty"`       // size and first family, as in "16px Arial"

	// Exact is its box as the layout has it: x, y, width and height in hundredths of a pixel's precision, not cut where the
	// picture ends. Zero if that is Box.
	Exact [4]float64 `json:"exact,omitzero"`
	// Letters is where its own text is, if that reaches beyond its box by more than strokes of letters do: a long word, the name of an
	// icon whose font is missing. Zero otherwise.
	Letters Box `json:"letters,omitzero"`
	// Style is the number of its style in Content.Styles, from 1; 0 for an unknown one.
	Style int `json:"style,omitempty"`

	Value    string `json:"value,omitempty"`    // what a control holds, or its chosen options; no password; the text of a frame or graphic
	Hint     string `json:"hint,omitempty"`     // the placeholder of an empty field, if Text is not that but a label that is read aloud
	Checked  bool   `json:"checked,omitempty"`  // a box or a choice is ticked
	Disabled bool   `json:"disabled,omitempty"` // a form control is out of use
	// Options are the entries of a list that is closed, with its groups, or the words of parts in it that only a click shows, line by
	// line; of a long one the beginning and then a checksum.
	Options string `json:"options,omitempty"`
}

// Empty reports whether there is nothing to read. A title alone does not count.
func (c *Content) Empty() bool {
	return c == nil || len(c.Elements) == 0 && c.Text == "" && c.Robots == "" && c.Canonical == "" && len(c.Assets) == 0
}

// Encode returns the stored form of a page's content: JSON compressed with gzip. Equal contents have equal files.
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

// DecodeContent decodes what Encode has encoded.
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

// Covering returns the smallest element that covers the box, the innermost of several equal ones; nil when there is
// none.
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

// ParentOf returns the nearest visible ancestor of an element; nil when there is none.
func (c *Content) ParentOf(e *Element) *Element {
	if e.Parent < 0 || e.Parent >= e.Number { // an ancestor comes before its descendants
		return nil
	}
	return &c.Elements[e.Parent]
}

// LargestIn returns the largest of the elements of which more than half lies in the box and that fill at least a
// quarter of the box; nil when there is none.
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
