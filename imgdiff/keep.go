package imgdiff

import (
	"context"
	"fmt"
	"image"
)

// Side is one of the two pictures of a comparison.
type Side int

// The sides.
const (
	Before Side = iota
	After
)

// keep holds on to the decoded pictures until Release.
func (r *Result) keep(before, after *picture) { r.kept = [2]*picture{before, after} }

// Release gives the memory of kept pictures back. It does nothing to a result
// without them, or that was released before.
func (r *Result) Release() {
	for i, p := range r.kept {
		p.release()
		r.kept[i] = nil
	}
}

// Crop is the function Crop for a picture that Options.Keep has kept, which is
// not decoded again. It must not be called at the same time as another Crop or
// Release of this result. Pictures that are not kept are ErrOptions.
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
