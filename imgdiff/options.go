package imgdiff

import (
	"fmt"
	"image"
	"math"
)

const (
	// DefaultThreshold is pixelmatch's default matching threshold.
	DefaultThreshold = 0.1

	// DefaultMaxPixels is the size limit of an image if Options.MaxPixels is
	// 0. It allows a page of 1440 × 100,000 pixels.
	DefaultMaxPixels = 150_000_000

	// maxSide bounds each side, so that sums of two sides and byte offsets
	// stay far inside int range on every platform.
	maxSide = 1 << 20

	// maxIgnored is the largest number of boxes to ignore.
	maxIgnored = 4096
)

// Options configure one comparison. The zero value compares exactly (threshold 0); start from DefaultOptions for
// pixelmatch's defaults.
type Options struct {
	// Threshold is pixelmatch's matching threshold, 0 to 1. Smaller is more
	// sensitive; 0 counts every pixel whose colour differs at all.
	Threshold float64

	// IncludeAntiAliased counts pixels that look like anti-aliasing as
	// changed, as pixelmatch's includeAA does.
	IncludeAntiAliased bool

	// Align also detects inserted, deleted and moved bands of rows, and sets
	// Result.Bands, Residual and AlignedPercent. It does not affect the plain
	// figures.
	Align bool

	// AlignedOnly skips counting the plain difference if rows moved and
	// alignment matches at least half of them; Result.AlignedOnly is then
	// set. It implies Align.
	AlignedOnly bool

	// Effort limits the work of alignment: how many pixels it visits for each
	// pixel of both images. When the limit is reached, the result has what
	// was found so far, and Result.AlignmentCut is set. 0 means
	// DefaultEffort, which no known page reaches.
	Effort int

	// Ignore lists boxes, in pixels of the union of both images, whose pixels
	// are never counted, at most 4096.
	Ignore []image.Rectangle

	// Instability marks pixels that change on their own between screenshots;
	// they are never counted. It may be smaller than the images. Nil means
	// none.
	Instability *Mask

	// Keep retains both decoded images for Result.Crop until the caller calls
	// Result.Release. Byte-equal files are not retained.
	Keep bool

	// MaxPixels rejects larger images before any pixel memory is allocated;
	// it also limits the union of both. 0 means DefaultMaxPixels.
	MaxPixels int
}

// DefaultOptions returns pixelmatch's defaults with alignment on.
func DefaultOptions() Options {
	return Options{Threshold: DefaultThreshold, Align: true}
}

// validate refuses what no comparison could mean.
func (o Options) validate() error {
	if math.IsNaN(o.Threshold) || o.Threshold < 0 || o.Threshold > 1 {
		return fmt.Errorf("%w: threshold %v is outside 0 to 1", ErrOptions, o.Threshold)
	}
	if o.Effort < 0 {
		return fmt.Errorf("%w: Effort %d is negative", ErrOptions, o.Effort)
	}
	if len(o.Ignore) > maxIgnored {
		return fmt.Errorf("%w: Ignore lists %d boxes; the limit is %d: join some of them", ErrOptions, len(o.Ignore), maxIgnored)
	}
	if o.MaxPixels < 0 {
		return fmt.Errorf("%w: MaxPixels %d is negative", ErrOptions, o.MaxPixels)
	}
	return nil
}

// maxPixels is the bound in force.
func (o Options) maxPixels() int {
	if o.MaxPixels == 0 {
		return DefaultMaxPixels
	}
	return o.MaxPixels
}
