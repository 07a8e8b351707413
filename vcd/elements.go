package vcd

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// Limits of what is read of a page's content.
const (
	maxContentSize = 32 << 20 // bytes, unpacked; the capture engine keeps far less
	maxElements    = 500      // in one answer
)

// PageContent is what can be read on a screenshot: by people, by search engines, and by who describes a change.
type PageContent struct {
	Title     string        `json:"title"`
	Robots    string        `json:"robots"`    // content of <meta name=robots>
	Canonical string        `json:"canonical"` // address of <link rel=canonical>, as the page spells it
	Text      string        `json:"text"`      // visible, one line for each run of it
	Elements  []PageElement `json:"elements"`  // visible, in document order
	Assets    []PageAsset   `json:"assets,omitempty"`
}

// PageAsset is a script or style that the page loaded.
type PageAsset struct {
	Kind string `json:"kind"` // "script" or "style"
	URL  string `json:"url"`
}

// PageElement is a visible element of the page.
type PageElement struct {
	Number   int    `json:"-"`              // its place in document order, from 0
	Box      Box    `json:"box"`            // its part within the picture
	Selector string `json:"selector"`       // leads to this element alone; " >>> " stands for the step into a shadow tree
	Tag      string `json:"tag"`            // in lower case
	Role     string `json:"role,omitempty"` // WAI-ARIA role
	Text     string `json:"text,omitempty"` // its own, without that of its descendants

	Parent     int    `json:"parent"`               // number of the nearest visible ancestor; -1 for none, 0 where an older capture did not tell
	Classes    string `json:"classes,omitempty"`    // class attribute
	Source     string `json:"source,omitempty"`     // address of the picture, film or frame that it shows
	Fixed      bool   `json:"fixed,omitempty"`      // it keeps its place while the page scrolls
	Color      string `json:"color,omitempty"`      // of its text, as #rrggbb or #rrggbbaa
	Background string `json:"background,omitempty"` // likewise; empty for none
	Font       string `json:"font,omitempty"`       // size and first family
}

// Files reads what the blob store keeps; fs.ErrNotExist when it keeps nothing under the hash.
type Files interface {
	Get(hash string) ([]byte, error)
}

// Encode is the form in which a page's content is kept: JSON, packed by gzip. Equal contents have equal files.
func (p *PageContent) Encode() ([]byte, error) {
	var file bytes.Buffer
	packer := gzip.NewWriter(&file)
	if err := json.NewEncoder(packer).Encode(p); err != nil {
		return nil, fmt.Errorf("encode a page's content: %w", err)
	}
	if err := packer.Close(); err != nil {
		return nil, fmt.Errorf("pack a page's content: %w", err)
	}
	return file.Bytes(), nil
}

func decodePageContent(file []byte) (*PageContent, error) {
	unpacker, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("unpack a page's content: %w", err)
	}
	p := &PageContent{}
	if err := json.NewDecoder(io.LimitReader(unpacker, maxContentSize)).Decode(p); err != nil {
		return nil, fmt.Errorf("decode a page's content: %w", err)
	}
	for i := range p.Elements {
		p.Elements[i].Number = i
	}
	return p, nil
}

// ContentOf reads what can be read on a screenshot that the actor has seen; nil when that was not kept.
func (s *Service) ContentOf(shot *Screenshot) (*PageContent, error) {
	if shot.ElementsHash == "" {
		return nil, nil
	}
	file, err := s.Files.Get(shot.ElementsHash)
	if err != nil {
		return nil, fmt.Errorf("read the content of screenshot %s: %w", shot.ID, err)
	}
	return decodePageContent(file)
}

// ElementFilter narrows a page's elements.
type ElementFilter struct {
	Box   *Box // those that lie in it at least partly
	After *int // those with a higher number
	First *int // so many of them
}

// Find lists the elements that the filter leaves, in document order, 100 unless it says otherwise and at most 500.
func (p *PageContent) Find(f ElementFilter) ([]PageElement, error) {
	v := &validation{}
	limit := MaxPageSize
	if f.First != nil {
		v.check(*f.First >= 1, "first", "min", "The {field} field must be at least 1.")
		limit = min(*f.First, maxElements)
	}
	if b := f.Box; b != nil {
		const side = 1 << 20
		v.between("box.x", b.X, 0, side)
		v.between("box.y", b.Y, 0, side)
		v.between("box.width", b.Width, 1, side)
		v.between("box.height", b.Height, 1, side)
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	found := []PageElement{}
	for i := range p.Elements {
		e := &p.Elements[i]
		if len(found) < limit && (f.After == nil || e.Number > *f.After) && (f.Box == nil || f.Box.Overlaps(e.Box)) {
			found = append(found, *e)
		}
	}
	return found, nil
}

// covering is the smallest element that covers the box, the innermost of several equal ones; nil when there is none.
func (p *PageContent) covering(box Box) *PageElement {
	var smallest *PageElement
	for i := range p.Elements {
		e := &p.Elements[i]
		if e.Box.Covers(box) && (smallest == nil || e.Box.Width*e.Box.Height <= smallest.Box.Width*smallest.Box.Height) {
			smallest = e
		}
	}
	return smallest
}
