package imgdiff

import (
	"fmt"
	"image"
	"math"
)

const (
	// DefaultThreshold is pixelmatch's default matching threshold.
	DefaultThreshold = 0.1

	// DefaultMaxPixels bounds one picture when Options.MaxPixels is 0. It
	// holds a page of 1440 × 69,000 pixels.
	DefaultMaxPixels = 100_000_000

	// maxSide bounds each side, so that sums of two sides and byte offsets
	// stay far inside int range on every platform.
	maxSide = 1 << 20

	// maxIgnored is the largest number of boxes to ignore.
	maxIgnored = 4096
)

// Options steer one comparison. The zero value compares exactly (threshold
// 0); start from DefaultOptions for pixelmatch's defaults.
type Options struct {
	// Threshold is pixelmatch's matching threshold, 0 to 1. Smaller is more
	// sensitive; 0 counts every pixel whose colour differs at all.
	Threshold float64

	// IncludeAntiAliased counts pixels that look like anti-aliasing as
	// changed, as pixelmatch's includeAA does.
	IncludeAntiAliased bool

	// Align also looks for inserted, deleted and moved bands of rows, and
	// fills Result.Bands, Residual and AlignedPercent. The plain figures do
	// not depend on it.
	Align bool

	// AlignedOnly saves the time to count the plain difference when rows
	// moved and alignment finds at least half of them again;
	// Result.AlignedOnly tells. It implies Align.
	AlignedOnly bool

	// Effort bounds the work of alignment: how many pixels it looks at for each
	// pixel of both pictures. When the bound is reached, the result has what
	// was found until then, and Result.AlignmentCut tells. 0 means
	// DefaultEffort, which no page is known to reach.
	Effort int

	// Ignore lists boxes, in pixels of the union of both pictures, whose
	// pixels are never counted, 4096 at most.
	Ignore []image.Rectangle

	// Instability marks pixels that change by themselves from shot to shot;
	// they are never counted. It may be smaller than the pictures. Nil means
	// none.
	Instability *Mask

	// Keep holds on to both decoded pictures, so that Result.Crop can cut
	// parts out of them; the caller ends that with Result.Release. Of
	// byte-equal files none are kept.
	Keep bool

	// MaxPixels refuses larger pictures before any pixel memory is
	// allocated; it also bounds the union of both. 0 means
	// DefaultMaxPixels.
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
