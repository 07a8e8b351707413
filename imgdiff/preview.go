package imgdiff

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"

	"afterimage/imgdiff/internal/subsampled"
)

// maxJPEG is the longest side of a JPEG.
const maxJPEG = 65_535

// maxCropHeight bounds the memory of crops.
const maxCropHeight = 16_384

// Preview returns a JPEG of an encoded image at exactly half its width and height, odd ones rounded up; a picture of which half a
// side exceeds 65,535 pixels is scaled down further. Transparent pixels are blended with white. quality is the JPEG quality, 1 to
// 100. The image is read row by row, and the result takes 1.5 bytes per pixel; a JPEG or interlaced image, which cannot be read so,
// may have at most 16 million pixels. Errors unwrap to ErrFormat, ErrCorrupt, ErrTooLarge, ErrOptions or the error of the context.
func Preview(ctx context.Context, data []byte, quality int) (small []byte, err error) {
	defer finish(&err)
	e := newEffort(ctx)
	if err := checkSmall(1, quality); err != nil {
		return nil, err
	}
	s, err := openScan(e, data, DefaultMaxPixels, maxWhole)
	if err != nil {
		return nil, err
	}
	defer s.release()
	size := previewSize(s.width, s.height)
	img := subsampled.New(size)
	if err := shrinkScan(e, s, image.Rect(0, 0, s.width, s.height), size, img.Add); err != nil {
		return nil, err
	}
	if err := s.finish(); err != nil {
		return nil, err
	}
	return encodeSmall(e, img.Done(), quality)
}

// previewSize is half the size of a picture, or what of it fits a JPEG.
func previewSize(width, height int) image.Point {
	half := image.Pt((width+1)/2, (height+1)/2)
	if long := max(half.X, half.Y); long > maxJPEG {
		return image.Pt(max(half.X*maxJPEG/long, 1), max(half.Y*maxJPEG/long, 1))
	}
	return half
}

// checkSmall refuses what no small picture could be made with.
func checkSmall(maxWidth, quality int) error {
	if maxWidth < 1 || quality < 1 || quality > 100 {
		return fmt.Errorf("%w: width %d must be positive and quality %d from 1 to 100", ErrOptions, maxWidth, quality)
	}
	return nil
}

func encodeSmall(e *effort, img image.Image, quality int) ([]byte, error) {
	var out bytes.Buffer
	if err := jpeg.Encode(heardWriter{e, &out}, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("imgdiff: write the small picture: %w", err)
	}
	return out.Bytes(), nil
}

// Crop returns a part of an encoded image as a small JPEG, at most maxWidth pixels wide and never enlarged. The box
// is clipped to the image; a box completely outside is an error. Transparent pixels are blended with white. quality
// is the JPEG quality, 1 to 100. The image is read row by row as far as the box reaches; corruption below it is not detected.
// A JPEG or interlaced image, which cannot be read so, may have at most 16 million pixels. Errors unwrap to ErrFormat,
// ErrCorrupt, ErrTooLarge, ErrOptions or the error of the context.
func Crop(ctx context.Context, data []byte, box image.Rectangle, maxWidth, quality int) (small []byte, err error) {
	defer finish(&err)
	e := newEffort(ctx)
	if err := checkSmall(maxWidth, quality); err != nil {
		return nil, err
	}
	s, err := openScan(e, data, DefaultMaxPixels, maxWhole)
	if err != nil {
		return nil, err
	}
	defer s.release()
	part, width, height, err := cropSize(box, s.width, s.height, maxWidth)
	if err != nil {
		return nil, err
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	err = shrinkScan(e, s, part, img.Rect.Max, func(y int, row []byte) { copy(img.Pix[y*img.Stride:], row) })
	if err != nil {
		return nil, err
	}
	return encodeSmall(e, img, quality)
}

// cropSize returns the part of a picture that a box shows, and the size at which it is shown.
func cropSize(box image.Rectangle, imageWidth, imageHeight, maxWidth int) (part image.Rectangle, width, height int, err error) {
	part = box.Intersect(image.Rect(0, 0, imageWidth, imageHeight))
	if part.Empty() {
		return part, 0, 0, fmt.Errorf("%w: the box %v lies outside the image of %d × %d", ErrOptions, box, imageWidth, imageHeight)
	}
	width = min(part.Dx(), maxWidth)
	return part, width, min(max(part.Dy()*width/part.Dx(), 1), maxCropHeight), nil
}

// cropPicture cuts a part out of a picture whose rows there are finished.
func cropPicture(e *effort, p *picture, box image.Rectangle, maxWidth, quality int) ([]byte, error) {
	if err := checkSmall(maxWidth, quality); err != nil {
		return nil, err
	}
	part, width, height, err := cropSize(box, p.width, p.height, maxWidth)
	if err != nil {
		return nil, err
	}
	return encodeSmall(e, shrink(e, p, part, width, height), quality)
}
