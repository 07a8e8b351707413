package imgdiff

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // JPEG pictures are accepted
	_ "image/png"  // the forms that the own reader leaves out
)

// picture is a decoded picture in PNG's own layout: every row is one filter
// byte followed by width × bpp bytes of pixels, non-premultiplied.
type picture struct {
	width, height int
	bpp           int // bytes a pixel: 3 opaque, 4 with alpha
	stride        int // bytes from row to row
	buf           []byte
}

// rowSlack is how many bytes lie behind the last row, so that a three-byte
// pixel can be read as a word.
const rowSlack = 8

// newPicture allocates a picture whose bounds were checked before.
func newPicture(width, height, bpp int) *picture {
	stride := 1 + width*bpp
	return &picture{width: width, height: height, bpp: bpp, stride: stride,
		buf: make([]byte, stride*height+rowSlack)}
}

// row is the pixels of row y and one byte more.
func (p *picture) row(y int) []byte {
	start := y*p.stride + 1
	return p.buf[start : start+p.width*p.bpp+1]
}

// mask is the bits of a word read from a row that belong to the pixel.
func (p *picture) mask() uint32 {
	if p.bpp == 3 {
		return opaque - 1
	}
	return ^uint32(0)
}

// checkSize refuses pictures without pixels or with too many.
func checkSize(width, height, maxPixels int) error {
	switch {
	case width <= 0 || height <= 0:
		return &PictureError{Kind: ErrCorrupt, Reason: fmt.Sprintf("it is %d × %d pixels", width, height)}
	case width > maxSide || height > maxSide:
		return &PictureError{Kind: ErrTooLarge,
			Reason: fmt.Sprintf("it is %d × %d pixels; a side may have %d", width, height, maxSide)}
	case width > maxPixels/height:
		return &PictureError{Kind: ErrTooLarge,
			Reason: fmt.Sprintf("it is %d × %d pixels; the limit is %d pixels", width, height, maxPixels)}
	}
	return nil
}

// decode reads an encoded picture.
func decode(data []byte, maxPixels int) (*picture, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, &PictureError{Kind: ErrFormat, Reason: err.Error()}
	}
	if err := checkSize(config.Width, config.Height, maxPixels); err != nil {
		return nil, err
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, &PictureError{Kind: ErrCorrupt, Reason: err.Error()}
	}
	return fromImage(img, maxPixels)
}

// fromImage copies a decoded picture.
func fromImage(img image.Image, maxPixels int) (*picture, error) {
	if img == nil {
		return nil, &PictureError{Kind: ErrFormat, Reason: "there is no picture"}
	}
	bounds := img.Bounds()
	if err := checkSize(bounds.Dx(), bounds.Dy(), maxPixels); err != nil {
		return nil, err
	}
	p := newPicture(bounds.Dx(), bounds.Dy(), 4)
	if src, ok := img.(*image.NRGBA); ok {
		for y := range p.height {
			start := src.PixOffset(bounds.Min.X, bounds.Min.Y+y)
			copy(p.row(y), src.Pix[start:start+4*p.width])
		}
		return p, nil
	}
	line := image.NewNRGBA(image.Rect(0, 0, p.width, 1))
	for y := range p.height {
		draw.Draw(line, line.Rect, img, image.Pt(bounds.Min.X, bounds.Min.Y+y), draw.Src)
		copy(p.row(y), line.Pix)
	}
	return p, nil
}
