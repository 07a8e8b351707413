package imgdiff

import (
	"context"
	"fmt"
	"image"
)

// Side is one of the two images of a comparison.
type Side int

// The sides.
const (
	Before Side = iota
	After
)

// keep holds on to the decoded pictures until Release.
func (r *Result) keep(before, after *picture) { r.kept = [2]*picture{before, after} }

// Release frees the memory of retained images. It may be called repeatedly, and for results without any.
func (r *Result) Release() {
	for i, p := range r.kept {
		p.release()
		r.kept[i] = nil
	}
}

// Crop is like the function Crop, for an image retained by Options.Keep, which is not decoded again. It must not be
// called concurrently with another Crop or Release of this result. It returns ErrOptions if the image was not
// retained.
func (r *Result) Crop(ctx context.Context, side Side, box image.Rectangle, maxWidth, quality int) (jpeg []byte, err error) {
	defer finish(&err)
	if side < Before || side > After || r.kept[side] == nil {
		return nil, fmt.Errorf("%w: the image was not kept", ErrOptions)
	}
	p := r.kept[side]
	e := newEffort(ctx)
	p.finishRows(e, span{box.Min.Y, box.Max.Y})
	return cropPicture(e, p, box, maxWidth, quality)
}
