package imgdiff

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"image"
	"io"
	"slices"
)

// ComposeOptions configure the image of Result.Compose. The zero value is the default.
type ComposeOptions struct {
	// Opacity of the after image, 0 to 1, like pixelmatch's alpha. 0 means
	// pixelmatch's default 0.1.
	Opacity float64
	// NoOutlines omits the boxes around the regions.
	NoOutlines bool
}

// composeOutline is the palette entry of outlines: the one that a mask has for
// nothing, for which the picture has greys instead. A mask's other entries
// keep their places and greys follow.
const composeOutline = maskNothing

// outlineGap is the distance of an outline from its region, in pixels.
const outlineGap = 3

// Compose writes a PNG of the size of the union: the after image in faded grey, changed pixels red, anti-aliased
// ones yellow, regions outlined in blue. It decodes the after image again.
func (r *Result) Compose(ctx context.Context, w io.Writer, o ComposeOptions) (err error) {
	defer finish(&err)
	e := newEffort(ctx)
	if err := o.validate(); err != nil {
		return err
	}
	after, err := r.source.decode(e)
	if err != nil {
		return onSide(err, "after")
	}
	defer after.release()
	marks := image.NewPaletted(image.Rect(0, 0, r.Width, r.Height), nil)
	paint(marks, r.changed, maskChanged)
	paint(marks, r.aa, maskAntiAliased)
	return compose(e, w, after, marks, r.boxes(), o)
}

// boxes are the regions' boxes, heaviest first.
func (r *Result) boxes() []image.Rectangle {
	boxes := make([]image.Rectangle, len(r.Regions))
	for i, region := range r.Regions {
		boxes[i] = region.Box
	}
	return boxes
}

// validate refuses what no picture could mean.
func (o ComposeOptions) validate() error {
	if !(o.Opacity >= 0 && o.Opacity <= 1) { // not a number is neither
		return fmt.Errorf("%w: opacity %v is outside 0 to 1", ErrOptions, o.Opacity)
	}
	return nil
}

// compose writes the after picture under some marks, which are the entries of
// a mask and of the size of the union. The marks' memory becomes the
// picture's.
func compose(e *effort, w io.Writer, after *picture, img *image.Paletted, boxes []image.Rectangle, o ComposeOptions) error {
	if o.Opacity == 0 {
		o.Opacity = 0.1
	}
	after.finishAll(e)
	palette, greys := composePalette(o.Opacity)
	fade(e, img, after, greys)
	if !o.NoOutlines {
		for _, box := range boxes {
			outline(img, box.Inset(-outlineGap))
		}
	}
	if _, err := w.Write(encodePaletted(e, img, palette)); err != nil {
		return fmt.Errorf("imgdiff: write the comparison image: %w", err)
	}
	return nil
}

// encodePaletted encodes a picture of 8 bits a pixel, fast rather than small.
// image/png would do the same, but hears no context.
func encodePaletted(e *effort, img *image.Paletted, palette []byte) []byte {
	var stream bytes.Buffer
	z, err := zlib.NewWriterLevel(&stream, zlib.BestSpeed)
	if err != nil {
		panic(err) // the level is a valid one
	}
	line := make([]byte, 1+img.Rect.Dx())
	for y := range img.Rect.Dy() {
		e.check()
		copy(line[1:], img.Pix[y*img.Stride:])
		_, _ = z.Write(line) // into memory
	}
	_ = z.Close()
	header := pngHeader{width: img.Rect.Dx(), height: img.Rect.Dy(), depth: 8, colour: pngPalette}
	return encodePNG(header, palette, nil, nil, stream.Bytes())
}

// decode reads the picture again.
func (s source) decode(e *effort) (*picture, error) {
	if s.image != nil {
		return fromImage(e, s.image, s.maxPixels)
	}
	return decode(e, s.file, s.maxPixels)
}

// composePalette returns the palette and the entry of each luminance.
func composePalette(opacity float64) (rgb []byte, greys *[256]uint8) {
	rgb = slices.Clone(maskPalette)
	copy(rgb[3*composeOutline:], []byte{0, 90, 255})
	greys = new([256]uint8)
	last := -1
	for l := range greys {
		grey := int(255 + (float64(l)-255)*opacity)
		// Full opacity has more greys than the palette has room for.
		if grey != last && len(rgb) < 3*256 {
			rgb = append(rgb, byte(grey), byte(grey), byte(grey))
			last = grey
		}
		greys[l] = uint8(len(rgb)/3 - 1)
	}
	return rgb, greys
}

// fade fills the picture with the luminance of another where nothing is
// marked; what lies outside becomes white.
func fade(e *effort, img *image.Paletted, p *picture, greys *[256]uint8) {
	for y := range img.Rect.Dy() {
		e.check()
		dst := img.Pix[y*img.Stride : y*img.Stride+img.Rect.Dx()]
		n := 0
		if y < p.height {
			n = p.width
			row := p.row(y)
			for x := range n {
				if dst[x] == maskNothing {
					dst[x] = greys[lumaOnWhite(row[x*p.bpp:], p.bpp)]
				}
			}
		}
		for x := n; x < len(dst); x++ {
			if dst[x] == maskNothing {
				dst[x] = greys[255]
			}
		}
	}
}

// lumaOnWhite is the luminance of a pixel laid over white.
func lumaOnWhite(p []byte, bpp int) int {
	l := luma(p)
	if bpp == 4 {
		return 255 + (l-255)*int(p[3])/255
	}
	return l
}

// paint gives the pixels of a mask one colour.
func paint(img *image.Paletted, m *Mask, entry uint8) {
	if m == nil {
		return
	}
	for y := range m.height {
		dst := img.Pix[y*img.Stride:]
		m.each(y, func(x int) { dst[x] = entry })
	}
}

// outline draws a box one pixel wide.
func outline(img *image.Paletted, box image.Rectangle) {
	box = box.Intersect(img.Rect)
	if box.Empty() {
		return
	}
	for x := box.Min.X; x < box.Max.X; x++ {
		img.SetColorIndex(x, box.Min.Y, composeOutline)
		img.SetColorIndex(x, box.Max.Y-1, composeOutline)
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		img.SetColorIndex(box.Min.X, y, composeOutline)
		img.SetColorIndex(box.Max.X-1, y, composeOutline)
	}
}
