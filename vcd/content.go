package vcd

import (
	"fmt"

	"afterimage/internal/page"
)

// maxElements is how many elements one answer lists at most.
const maxElements = 500

// Files reads what the blob store keeps; fs.ErrNotExist when it keeps nothing under the hash.
type Files interface {
	Get(hash string) ([]byte, error)
}

// ContentOf reads what can be read on a screenshot that the actor has seen; nil when that was not kept.
func (s *Service) ContentOf(shot *Screenshot) (*page.Content, error) {
	if shot.ElementsHash == "" {
		return nil, nil
	}
	file, err := s.Files.Get(shot.ElementsHash)
	if err != nil {
		return nil, fmt.Errorf("read the content of screenshot %s: %w", shot.ID, err)
	}
	return page.DecodeContent(file)
}

// ElementFilter narrows a page's elements.
type ElementFilter struct {
	Box   *page.Box // those that lie in it at least partly
	After *int      // those with a higher number
	First *int      // so many of them
}

// Find lists the elements of a page that the filter leaves, in document order, 100 unless it says otherwise and at most 500.
func (f ElementFilter) Find(content *page.Content) ([]page.Element, error) {
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
	found := []page.Element{}
	for i := range content.Elements {
		e := &content.Elements[i]
		if len(found) < limit && (f.After == nil || e.Number > *f.After) && (f.Box == nil || f.Box.Overlaps(e.Box)) {
			found = append(found, *e)
		}
	}
	return found, nil
}
