package imgdiff

import (
	"cmp"
	"image"
	"slices"
)

const (
	// seamRows is the height of the mark of deleted rows, which have none in the after picture; fewer deleted rows have a lower
	// one.
	seamRows = 4
	// thinRows: rounding of the layout inserts and deletes bands of so few rows. They are not outlined.
	thinRows = 2
)

// marks are the pixels that a picture of the difference marks, in the union.
type marks struct {
	changed, aa, inserted *Mask // nil when there is none
}

// marks are those of the difference that people should see; see Result.Seen.
func (r *Result) marks() marks {
	if r.seen != nil {
		return *r.seen
	}
	return marks{changed: r.changed, aa: r.aa}
}

// paint gives the marked pixels their entries of the palette.
func (m marks) paint(img *image.Paletted) {
	paint(img, m.changed, maskChanged)
	paint(img, m.aa, maskAntiAliased)
	paint(img, m.inserted, maskInserted)
}

// see sets Seen, SeenLeftOut and the marks, after everything else.
func (r *Result) see(aligned *alignedCount) {
	if aligned == nil || aligned.rest == nil || r.Remaining == nil {
		r.Seen, r.SeenLeftOut = slices.Clone(r.Regions), r.RegionsLeftOut
	} else {
		r.seen = aligned.marks()
		r.Seen, r.SeenLeftOut = aligned.seen()
	}
	slices.SortStableFunc(r.Seen, func(a, b Region) int {
		return cmp.Or(cmp.Compare(a.Box.Min.Y, b.Box.Min.Y), cmp.Compare(a.Box.Min.X, b.Box.Min.X))
	})
	for i := range r.Seen {
		r.Seen[i].ID = i + 1
	}
}

// marks are what remains between aligned rows, the inserted rows, and a seam where rows were deleted.
func (ac *alignedCount) marks() *marks {
	r := ac.counter.result
	m := &marks{changed: ac.rest.changed.Clone(), aa: ac.rest.aa}
	if len(ac.layout.inserted) > 0 {
		m.inserted = NewMask(r.Width, r.Height)
	}
	for _, i := range ac.layout.inserted {
		m.inserted.SetRect(image.Rect(i.x0, i.rows.first, i.x1, i.rows.end))
	}
	for _, d := range ac.layout.deleted {
		m.changed.SetRect(seam(d.x0, d.x1, d.at, d.rows.len(), r.Height))
	}
	for y := range r.Height { // inserted pixels are marked as such only
		inserted, ignored := m.inserted.rowOrNil(y), ac.counter.ignored.rowOrNil(y)
		for i := range inserted {
			if ignored != nil {
				inserted[i] &^= ignored[i]
			}
			m.changed.row(y)[i] &^= inserted[i]
			m.aa.row(y)[i] &^= inserted[i]
		}
	}
	return m
}

// seen lists what remains between aligned rows and the bands, heaviest first, without those beyond the largest number of
// regions.
func (ac *alignedCount) seen() (regions []Region, leftOut int) {
	r := ac.counter.result
	regions = slices.Clone(r.Remaining)
	for _, b := range r.Bands {
		if region, ok := ac.regionOf(b); ok {
			regions = append(regions, region)
		}
	}
	slices.SortStableFunc(regions, func(a, b Region) int {
		return cmp.Compare(float64(b.Pixels)*b.MeanDelta, float64(a.Pixels)*a.MeanDelta)
	})
	most := min(len(regions), MaxRegions)
	return regions[:most], ac.leftOut + len(regions) - most
}

// regionOf is the region of rows that are in one picture only, or at another place in the other.
func (ac *alignedCount) regionOf(b Band) (Region, bool) {
	after, before := image.Rect(b.X0, b.YAfter, b.X1, b.YAfter+b.Rows), image.Rect(b.X0, b.YBefore, b.X1, b.YBefore+b.Rows)
	region := Region{Kind: b.Kind, Pixels: b.Rows * (b.X1 - b.X0), MeanDelta: 1}
	switch b.Kind {
	case BandInserted:
		region.Box, region.SurfaceAfter = after, b.Surface
	case BandDeleted:
		region.Box = seam(b.X0, b.X1, b.YAfter, b.Rows, ac.counter.result.Height)
		region.BeforeBox, region.SurfaceBefore = before, b.Surface
	case BandMoved:
		region.Box, region.BeforeBox, region.MeanDelta, region.SSIM = after, before, 0, 1
		region.SurfaceBefore = ac.counter.surface(before, ac.a, ac.counter.anyBefore)
		region.SurfaceAfter = ac.counter.surface(after, ac.b, ac.counter.anyAfter)
	default:
		return Region{}, false // its changed pixels are in Remaining
	}
	region.Fingerprint = shapeOf(b)
	return region, true
}

// shapeOf is the fingerprint of a band: that of a full box of its size.
func shapeOf(b Band) Fingerprint {
	full := image.Rect(0, 0, b.X1-b.X0, b.Rows)
	m := NewMask(full.Dx(), full.Dy())
	m.SetRect(full)
	return fingerprint(m, full)
}

// seam is the mark of deleted rows above a row of the after picture.
func seam(x0, x1, y, rows, height int) image.Rectangle {
	rows = min(rows, seamRows)
	first := max(min(y-rows/2, height-rows), 0)
	return image.Rect(x0, first, x1, min(first+rows, height))
}

// outlined are the boxes that pictures of the difference outline, from the top.
func (r *Result) outlined() []image.Rectangle {
	var boxes []image.Rectangle
	for _, region := range r.Seen {
		if region.Kind == BandChanged || max(region.Box.Dy(), region.BeforeBox.Dy()) > thinRows {
			boxes = append(boxes, region.Box)
		}
	}
	return boxes
}
