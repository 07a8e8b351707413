package vcd

import (
	"context"

	"afterimage/internal/page"
)

// maxElements is the maximum number of elements in one answer.
const maxElements = 500

// Files reads from the blob store; fs.ErrNotExist when nothing is stored under the hash.
type Files interface {
	Get(ctx context.Context, hash string) ([]byte, error)
}

// ElementFilter filters a page's elements.
type ElementFilter struct {
	Box   *page.Box // elements that overlap it at least partly
	After *int      // elements with a higher number
	First *int      // at most this many
}

// Find lists the matching elements of a page in document order, 100 by default and at most 500.
func (f ElementFilter) Find(content *page.Content) ([]page.Element, error) {
	v := &Validation{}
	limit := MaxPageSize
	if f.First != nil {
		v.Check(*f.First >= 1, "first", "min", "The {field} field must be at least 1.")
		limit = min(*f.First, maxElements)
	}
	if b := f.Box; b != nil {
		const side = 1 << 20
		v.Between("box.x", b.X, 0, side)
		v.Between("box.y", b.Y, 0, side)
		v.Between("box.width", b.Width, 1, side)
		v.Between("box.height", b.Height, 1, side)
	}
	if err := v.Err(); err != nil {
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
