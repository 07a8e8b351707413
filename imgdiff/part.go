package imgdiff

import (
	"context"
	"fmt"
	"image"
)

// Part returns a part of an encoded image as it is. The box is clipped to the image; a box completely outside is an error, and so
// is one of more than 16 million pixels. The image is read like that of Crop. Errors are those of Crop.
func Part(ctx context.Context, data []byte, box image.Rectangle) (img *image.NRGBA, err error) {
	defer finish(&err)
	s, err := openScan(newEffort(ctx), data, DefaultMaxPixels, maxWhole)
	if err != nil {
		return nil, err
	}
	defer s.release()
	part, width, _, err := cropSize(box, s.width, s.height, s.width)
	if err == nil && width > maxWhole/part.Dy() {
		err = fmt.Errorf("%w: a part of %d × %d pixels; the limit is %d pixels", ErrOptions, width, part.Dy(), maxWhole)
	}
	if err != nil {
		return nil, err
	}
	if err := s.skip(part.Min.Y); err != nil {
		return nil, err
	}
	img = image.NewNRGBA(image.Rect(0, 0, width, part.Dy()))
	for y := range part.Dy() {
		row, err := s.next()
		if err != nil {
			return nil, err
		}
		widen(img.Pix[y*img.Stride:(y+1)*img.Stride], row[part.Min.X*s.bpp:part.Max.X*s.bpp], s.bpp)
	}
	return img, nil
}

// widen copies pixels to pixels of four bytes.
func widen(dst, src []byte, bpp int) {
	if bpp == 4 {
		copy(dst, src)
		return
	}
	for x := range len(src) / 3 {
		dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3] = src[3*x], src[3*x+1], src[3*x+2], 255
	}
}
