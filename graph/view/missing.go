package view

import "afterimage/internal/page"

// MissingPart shows a part of a page that a screenshot does not show.
type MissingPart struct {
	page.Missing
}

// Missing are the parts of the page that the screenshot does not show.
func (m *Manifest) Missing() []*MissingPart {
	parts := make([]*MissingPart, len(m.Manifest.Missing))
	for i := range parts {
		parts[i] = &MissingPart{m.Manifest.Missing[i]}
	}
	return parts
}

// Kind is why it is missing.
func (p *MissingPart) Kind() string { return string(p.Missing.Kind) }

// Element names the element; nil if it is none.
func (p *MissingPart) Element() *string { return nonEmpty(p.Missing.Element) }

// Side is where it is from what is shown; nil if unknown.
func (p *MissingPart) Side() *string { return nonEmpty(p.Missing.Side) }

// Pixels are its rows or columns; nil if unknown.
func (p *MissingPart) Pixels() *int {
	if p.Missing.Pixels == 0 {
		return nil
	}
	return &p.Missing.Pixels
}

// Description says it in words.
func (p *MissingPart) Description() string { return p.Missing.String() }
