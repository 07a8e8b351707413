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
	// Before and After are the sizes of the two pictures.
	Before, After image.Point
	// Equal tells that every pixel is equal and so are the sizes. Pixels
	// that were ignored still make pictures unequal.
	Equal bool

	// Changed is the number of pixels that pixelmatch counts, plus the
	// pixels of the union that lie outside either picture. Ignored pixels
	// are not among them.
	Changed int
	// AntiAliased is the number of pixels that differ by more than the
	// threshold but look like anti-aliasing; 0 with
	// Options.IncludeAntiAliased.
	AntiAliased int
	// Percent is Changed in percent of the union, 0 to 100.
	Percent float64

	// Regions are the clusters of changed pixels, heaviest first.
	Regions []Region
	// RegionsLeftOut counts regions beyond the cap of MaxRegions.
	RegionsLeftOut int
	// MinSSIM is the lowest structural similarity of any region, 1 when
	// there is none. It does not depend on the height of the page, so it
	// shows a small real change that Percent dilutes on a tall page.
	MinSSIM float64

	// Aligned tells that alignment was asked for and ran; otherwise
	// AlignedPercent repeats Percent and Residual repeats Changed.
	Aligned bool
	// AlignedOnly tells that the plain difference was not counted, as
	// Options.AlignedOnly asks for: Changed, Percent, the regions and the
	// masks then tell what remains after alignment, at the place where it is
	// in the after picture. Deleted bands count, but have no place there.
	AlignedOnly bool
	// Bands are the inserted, deleted, moved and changed bands of rows, from
	// top to bottom.
	Bands []Band
	// Remaining are the clusters of changed pixels between aligned rows, in
	// the after picture, where alignment found that rows came, went or
	// moved: what changed besides. Otherwise it is nil, and the regions tell.
	Remaining []Region
	// Residual is the number of changed pixels that remain between aligned
	// rows.
	Residual int
	// AlignedPercent is Residual plus the area of inserted and deleted
	// bands, in percent of the union. It is never above Percent.
	AlignedPercent float64

	// AlignmentCut tells that alignment reached the bound of Options.Effort.
	// What it had not looked at until then counts as changed in place, or as
	// inserted and deleted at its end; when it had not even found which rows
	// correspond, Aligned is false.
	AlignmentCut bool
	// AlignmentWork is how many pixels alignment looked at.
	AlignmentWork int64

	// BlankBefore and BlankAfter tell that a picture is completely blank,
	// as Blank decides.
	BlankBefore, BlankAfter bool

	changed *Mask // nil when no pixel changed
	aa      *Mask // nil when no pixel is anti-aliased
	source  source
	kept    [2]*picture // nil unless Options.Keep
}

// Region is one cluster of changed pixels.
type Region struct {
	// ID numbers the regions of one result from 1, heaviest first.
	ID int
	// Box is the smallest box around the changed pixels.
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
	// BeforeBox is where the rows of the box are in the before picture;
	// empty when it has none of them.
	BeforeBox image.Rectangle
	// SurfaceBefore and SurfaceAfter are what the box looks like.
	SurfaceBefore, SurfaceAfter Surface
}

// BandKind says what happened to a band of rows.
type BandKind string

// The kinds of bands.
const (
	BandInserted BandKind = "inserted" // only in after
	BandDeleted  BandKind = "deleted"  // only in before
	BandMoved    BandKind = "moved"    // in both, out of order
	BandChanged  BandKind = "changed"  // in both, in order, with differing pixels
)

// Band is a run of whole rows, or of the rows of one column strip.
type Band struct {
	Kind BandKind
	// YBefore is the first row in the before picture. For an inserted band
	// it is the row that it was inserted above.
	YBefore int
	// YAfter is the first row in the after picture. For a deleted band it
	// is the row that it was deleted above.
	YAfter int
	// Rows is the height of the band.
	Rows int
	// X0 and X1 bound the columns of the band, X1 exclusive. Bands of whole
	// rows span the union's width.
	X0, X1 int
	// Surface is what an inserted or deleted band looks like.
	Surface Surface
}

// ChangedMask returns a copy of the set of changed pixels.
func (r *Result) ChangedMask() *Mask {
	if r.changed == nil {
		return NewMask(r.Width, r.Height)
	}
	return r.changed.Clone()
}

// AntiAliasedMask returns a copy of the set of pixels taken for
// anti-aliasing.
func (r *Result) AntiAliasedMask() *Mask {
	if r.aa == nil {
		return NewMask(r.Width, r.Height)
	}
	return r.aa.Clone()
}
