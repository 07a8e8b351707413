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
	// 0.3, which leaves texts readable; pixelmatch's default is 0.1.
	Opacity float64
	// NoOutlines omits the boxes around the regions.
	NoOutlines bool
}

// composeOutline is the palette entry of outlines: the one that a mask has for
// nothing, for which the picture has greys instead. A mask's other entries
// keep their places and greys follow.
const composeOutline = maskNothing

// composeGreens is the number of greens of the palette.
const composeGreens = 16

// outlineGap is the distance of an outline from its region, in pixels.
const outlineGap = 3

// Compose writes a PNG of the size of the union: the after image in faded grey, changed pixels red, anti-aliased
// ones yellow, inserted rows in shades of green, a red line where rows were deleted, and the changes of Seen outlined in
// blue. It decodes the after image again.
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
	picture := image.NewPaletted(image.Rect(0, 0, r.Width, r.Height), nil)
	r.marks().paint(picture)
	return compose(e, w, after, picture, r.outlined(), o)
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
		o.Opacity = 0.3
	}
	after.finishAll(e)
	palette, shades := composePalette(o.Opacity)
	fade(e, img, after, shades)
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

// shades are the entries of a palette by luminance: greys for what did not change, greens for what was inserted.
type shades struct{ greys, greens [256]uint8 }

// composePalette returns the palette and the entry of each luminance.
func composePalette(opacity float64) (rgb []byte, found *shades) {
	rgb = slices.Clone(maskPalette)
	copy(rgb[3*composeOutline:], []byte{0, 90, 255})
	found = new(shades)
	for l := range found.greens {
		step := l * composeGreens / 256
		if step*256/composeGreens == l || l == 0 {
			light := float64(step) / (composeGreens - 1)
			rgb = append(rgb, byte(205*light), byte(80+165*light), byte(40+175*light))
		}
		found.greens[l] = uint8(len(rgb)/3 - 1)
	}
	last := -1
	for l := range found.greys {
		grey := int(255 + (float64(l)-255)*opacity)
		// Full opacity has more greys than the palette has room for.
		if grey != last && len(rgb) < 3*256 {
			rgb = append(rgb, byte(grey), byte(grey), byte(grey))
			last = grey
		}
		found.greys[l] = uint8(len(rgb)/3 - 1)
	}
	return rgb, found
}

// fade fills the picture with the luminance of another: in greys where nothing is marked, in greens where rows were
// inserted. What lies outside becomes white.
func fade(e *effort, img *image.Paletted, p *picture, found *shades) {
	for y := range img.Rect.Dy() {
		e.check()
		dst := img.Pix[y*img.Stride : y*img.Stride+img.Rect.Dx()]
		n := 0
		if y < p.height {
			n = p.width
			row := p.row(y)
			for x := range n {
				switch dst[x] {
				case maskNothing:
					dst[x] = found.greys[lumaOnWhite(row[x*p.bpp:], p.bpp)]
				case maskInserted:
					dst[x] = found.greens[lumaOnWhite(row[x*p.bpp:], p.bpp)]
				}
			}
		}
		for x := n; x < len(dst); x++ {
			if dst[x] == maskNothing {
				dst[x] = found.greys[255]
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
