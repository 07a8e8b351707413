package imgdiff

import (
	"image"
)

// Result is what one comparison found. All boxes and rows are in pixels of
// the union of both pictures, whose top left corners coincide.
type Result struct {
	// Width and Height are the size of the union: the larger width and the
	// larger height.
	Width, Height int
	// Before and After are the sizes of the two images.
	Before, After image.Point
	// Equal reports that all pixels and the sizes are equal. Ignored pixels
	// still make images unequal.
	Equal bool

	// Changed is the number of pixels that pixelmatch counts, plus the
	// pixels of the union outside either image, without ignored pixels.
	Changed int
	// AntiAliased is the number of pixels that differ by more than the
	// threshold but look like anti-aliasing; 0 with
	// Options.IncludeAntiAliased.
	AntiAliased int
	// Percent is Changed as a percentage of the union, 0 to 100.
	Percent float64

	// Seen are the changes as people should see them, in reading order and
	// numbered from the top. Where alignment found inserted, deleted or moved
	// rows, they are those bands and what remains between aligned rows;
	// otherwise they are the regions. Pictures of the difference show them.
	Seen []Region
	// SeenLeftOut is the number of such changes beyond MaxRegions.
	SeenLeftOut int

	// Regions are the clusters of changed pixels in place, heaviest first.
	Regions []Region
	// RegionsLeftOut is the number of regions beyond MaxRegions.
	RegionsLeftOut int
	// MinSSIM is the lowest structural similarity of any region, 1 if there
	// is none. It does not depend on the height of the page, so it reveals a
	// small change that Percent dilutes on a tall page.
	MinSSIM float64

	// Aligned reports that alignment was requested and ran; otherwise
	// AlignedPercent equals Percent and Residual equals Changed.
	Aligned bool
	// AlignedOnly reports that the plain difference was not counted, as
	// requested by Options.AlignedOnly: Changed, Percent, the regions and the
	// masks are then those after alignment, at their position in the after
	// image. Deleted bands count, but have no position there.
	AlignedOnly bool
	// Bands are the inserted, deleted, moved and changed bands of rows, from
	// top to bottom.
	Bands []Band
	// Remaining are the clusters of changed pixels between aligned rows, in
	// the after image, if alignment found inserted, deleted or moved rows:
	// what else changed. Otherwise it is nil; see Regions.
	Remaining []Region
	// Residual is the number of changed pixels between aligned rows.
	Residual int
	// AlignedPercent is Residual plus the area of inserted and deleted
	// bands, as a percentage of the union. It never exceeds Percent.
	AlignedPercent float64

	// AlignmentCut reports that alignment reached the limit of
	// Options.Effort. What it had not visited by then counts as changed in
	// place, or as inserted and deleted at the end; if it had not even
	// matched rows, Aligned is false.
	AlignmentCut bool
	// AlignmentWork is the number of pixels that alignment visited.
	AlignmentWork int64

	// BlankBefore and BlankAfter report that an image is completely blank,
	// by the rules of Blank.
	BlankBefore, BlankAfter bool

	changed   *Mask  // nil when no pixel changed
	aa        *Mask  // nil when no pixel is anti-aliased
	remaining *Mask  // nil when Remaining is
	seen      *marks // nil when the changed and the anti-aliased pixels are marked
	source    source
	kept      [2]*picture // nil unless Options.Keep
	limit     float64     // of the metric, up to which two pixels count as equal
}

// Region is one cluster of changed pixels.
type Region struct {
	// ID numbers the regions of a list from 1.
	ID int
	// Kind is that of the band that the region is; BandChanged for others.
	Kind BandKind
	// Box is the smallest box around the changed pixels; of deleted rows, a
	// few rows where they were.
	Box image.Rectangle
	// Pixels is the number of changed pixels in the cluster.
	Pixels int
	// MeanDelta is the mean colour difference of those pixels, 0 to 1: the
	// square root of pixelmatch's metric over its largest value. Pixels
	// outside either picture count as 1.
	MeanDelta float64
	// SSIM is the mean structural similarity of the luminance in those
	// squares of 8 × 8 pixels that changed: 1 for equal and about 0 for
	// unrelated content.
	SSIM float64
	// Fingerprint is equal for regions whose changed pixels have the same
	// shape.
	Fingerprint Fingerprint
	// BeforeBox is the position of the box's rows in the before image; empty
	// if they are not in it.
	BeforeBox image.Rectangle
	// SurfaceBefore and SurfaceAfter describe the look of the box.
	SurfaceBefore, SurfaceAfter Surface
}

// BandKind is the kind of change of a band of rows.
type BandKind string

// The kinds of bands.
const (
	BandInserted BandKind = "inserted" // only in after
	BandDeleted  BandKind = "deleted"  // only in before
	BandMoved    BandKind = "moved"    // in both, at another position
	BandChanged  BandKind = "changed"  // in both, in place, with different pixels
)

// Band is a run of whole rows, or of the rows of one column strip.
type Band struct {
	Kind BandKind
	// YBefore is the first row in the before image. For an inserted band it
	// is the row it was inserted above.
	YBefore int
	// YAfter is the first row in the after image. For a deleted band it is
	// the row it was deleted above.
	YAfter int
	// Rows is the height of the band.
	Rows int
	// X0 and X1 bound the columns of the band, X1 exclusive. Bands of whole
	// rows span the union's width.
	X0, X1 int
	// Surface describes the look of an inserted or deleted band.
	Surface Surface
}

// ChangedMask returns a copy of the set of changed pixels.
func (r *Result) ChangedMask() *Mask {
	if r.changed == nil {
		return NewMask(r.Width, r.Height)
	}
	return r.changed.Clone()
}

// AntiAliasedMask returns a copy of the set of pixels detected as anti-aliasing.
func (r *Result) AntiAliasedMask() *Mask {
	if r.aa == nil {
		return NewMask(r.Width, r.Height)
	}
	return r.aa.Clone()
}
