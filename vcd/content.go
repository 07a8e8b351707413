package vcd

import "afterimage/internal/page"

// maxElements is how many elements one answer lists at most.
const maxElements = 500

// Files reads what the blob store keeps; fs.ErrNotExist when it keeps nothing under the hash.
type Files interface {
	Get(hash string) ([]byte, error)
}

// ElementFilter narrows a page's elements.
type ElementFilter struct {
	Box   *page.Box // those that lie in it at least partly
	After *int      // those with a higher number
	First *int      // so many of them
}

// Find lists the elements of a page that the filter leaves, in document order, 100 unless it says otherwise and at most 500.
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
