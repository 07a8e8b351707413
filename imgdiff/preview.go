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
// quality, 1 to 100. The image is read row by row; a JPEG or interlaced one, which cannot be, may have at most 16 million
// pixels. Errors unwrap to ErrFormat, ErrCorrupt, ErrTooLarge, ErrOptions or the error of the context.
func Preview(ctx context.Context, data []byte, maxWidth, quality int) (small []byte, err error) {
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
	width := min(s.width, maxWidth)
	if s.height*width/s.width > maxPreviewHeight {
		width = max(maxPreviewHeight*s.width/s.height, 1)
	}
	height := min(max(s.height*width/s.width, 1), maxPreviewHeight)
	img, err := shrinkScan(e, s, image.Rect(0, 0, s.width, s.height), width, height)
	if err != nil {
		return nil, err
	}
	if err := s.finish(); err != nil {
		return nil, err
	}
	return encodeSmall(e, img, quality)
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
	img, err := shrinkScan(e, s, part, width, height)
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
	return part, width, min(max(part.Dy()*width/part.Dx(), 1), maxPreviewHeight), nil
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
