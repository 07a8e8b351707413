package imgdiff

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
)

// maxPreviewHeight keeps previews of very long pages inside JPEG's own limit
// of 65,535 rows and inside reason.
const maxPreviewHeight = 16_384

// Preview returns a small JPEG of an encoded image, at most maxWidth pixels wide and never enlarged; long pages are
// scaled down further to stay within 16,384 rows. Transparent pixels are blended with white. quality is the JPEG
// quality, 1 to 100. Errors unwrap to ErrFormat, ErrCorrupt, ErrTooLarge, ErrOptions or the error of the context.
func Preview(ctx context.Context, data []byte, maxWidth, quality int) (small []byte, err error) {
	defer finish(&err)
	e := newEffort(ctx)
	if maxWidth < 1 || quality < 1 || quality > 100 {
		return nil, fmt.Errorf("%w: width %d must be positive and quality %d from 1 to 100", ErrOptions, maxWidth, quality)
	}
	p, err := decode(e, data, DefaultMaxPixels)
	if err != nil {
		return nil, err
	}
	defer p.release()
	p.finishAll(e)
	width := min(p.width, maxWidth)
	if p.height*width/p.width > maxPreviewHeight {
		width = max(maxPreviewHeight*p.width/p.height, 1)
	}
	height := min(max(p.height*width/p.width, 1), maxPreviewHeight)
	var out bytes.Buffer
	if err := jpeg.Encode(heardWriter{e, &out}, shrink(e, p, image.Rect(0, 0, p.width, p.height), width, height),
		&jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("imgdiff: write the preview: %w", err)
	}
	return out.Bytes(), nil
}

// Crop returns a part of an encoded image as a small JPEG, at most maxWidth pixels wide and never enlarged. The box
// is clipped to the image; a box completely outside is an error. Transparent pixels are blended with white. quality
// is the JPEG quality, 1 to 100. Errors unwrap to ErrFormat, ErrCorrupt, ErrTooLarge, ErrOptions or the error of the
// context.
func Crop(ctx context.Context, data []byte, box image.Rectangle, maxWidth, quality int) (small []byte, err error) {
	defer finish(&err)
	e := newEffort(ctx)
	p, err := decode(e, data, DefaultMaxPixels)
	if err != nil {
		return nil, err
	}
	defer p.release()
	p.finishAll(e)
	return cropPicture(e, p, box, maxWidth, quality)
}

// cropPicture cuts a part out of a picture whose rows there are finished.
func cropPicture(e *effort, p *picture, box image.Rectangle, maxWidth, quality int) ([]byte, error) {
	if maxWidth < 1 || quality < 1 || quality > 100 {
		return nil, fmt.Errorf("%w: width %d must be positive and quality %d from 1 to 100", ErrOptions, maxWidth, quality)
	}
	part := box.Intersect(image.Rect(0, 0, p.width, p.height))
	if part.Empty() {
		return nil, fmt.Errorf("%w: the box %v lies outside the image of %d × %d", ErrOptions, box, p.width, p.height)
	}
	width := min(part.Dx(), maxWidth)
	height := min(max(part.Dy()*width/part.Dx(), 1), maxPreviewHeight)
	var out bytes.Buffer
	if err := jpeg.Encode(heardWriter{e, &out}, shrink(e, p, part, width, height), &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("imgdiff: write the part: %w", err)
	}
	return out.Bytes(), nil
}

// shrink scales a part of a picture down; every pixel of the result is the mean
// of the whole pixels that fall into it.
func shrink(e *effort, p *picture, part image.Rectangle, width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	column := make([]int, part.Dx())
	for x := range column {
		column[x] = x * width / part.Dx()
	}
	const rows = 16
	e.inBands((height+rows-1)/rows, func(band int) {
		sums := make([][4]uint64, width) // red, green, blue, pixels
		for y := band * rows; y < min((band+1)*rows, height); y++ {
			clear(sums)
			first := y * part.Dy() / height
			for sy := first; sy < max((y+1)*part.Dy()/height, first+1); sy++ {
				e.check()
				gather(sums, column, p.row(part.Min.Y + sy)[part.Min.X*p.bpp:], p.bpp)
			}
			dst := img.Pix[y*img.Stride : y*img.Stride+4*width]
			for x, s := range sums {
				for i := range 3 {
					dst[4*x+i] = byte((s[i] + s[3]/2) / s[3])
				}
				dst[4*x+3] = 255
			}
		}
	})
	return img
}

// gather adds one row to the sums of its columns.
func gather(sums [][4]uint64, column []int, row []byte, bpp int) {
	for x, to := range column {
		px := row[x*bpp : x*bpp+bpp]
		s := &sums[to]
		if bpp == 4 && px[3] != 255 {
			alpha := uint64(px[3])
			for i := range 3 {
				s[i] += (uint64(px[i])*alpha + 255*(255-alpha) + 127) / 255
			}
		} else {
			s[0] += uint64(px[0])
			s[1] += uint64(px[1])
			s[2] += uint64(px[2])
		}
		s[3]++
	}
}
