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
	after, err := r.source.scan(e)
	if err != nil {
		return onSide(err, "after")
	}
	defer after.release()
	picture := image.NewPaletted(image.Rect(0, 0, r.Width, r.Height), nil)
	r.marks().paint(picture)
	y := 0
	marks := func(dst []byte) error {
		y += copy(dst, picture.Pix[y:])
		return nil
	}
	return compose(e, w, composing{after: after, marks: marks, size: picture.Rect.Size(), boxes: r.outlined()}, o)
}

// validate refuses what no picture could mean.
func (o ComposeOptions) validate() error {
	if !(o.Opacity >= 0 && o.Opacity <= 1) { // not a number is neither
		return fmt.Errorf("%w: opacity %v is outside 0 to 1", ErrOptions, o.Opacity)
	}
	return nil
}

// composing is what a comparison picture is made of.
type composing struct {
	after *scan
	marks func(dst []byte) error // gives the entries of the next row of the mask
	size  image.Point            // of the mask and the picture
	boxes []image.Rectangle
}

// compose writes the after picture under some marks, row by row.
func compose(e *effort, w io.Writer, c composing, o ComposeOptions) error {
	if o.Opacity == 0 {
		o.Opacity = 0.3
	}
	palette, shades := composePalette(o.Opacity)
	var lines outlines
	if !o.NoOutlines {
		lines = newOutlines(c.boxes, c.size)
	}
	var stream bytes.Buffer
	z, err := zlib.NewWriterLevel(&stream, zlib.BestSpeed)
	if err != nil {
		panic(err) // the level is a valid one
	}
	line := make([]byte, 1+c.size.X)
	for y := range c.size.Y {
		e.check()
		if err := c.marks(line[1:]); err != nil {
			return onSide(err, "mask")
		}
		var row []byte
		if y < c.after.height {
			if row, err = c.after.next(); err != nil {
				return onSide(err, "after")
			}
		}
		fade(line[1:], row, c.after.bpp, shades)
		lines.draw(line[1:], y)
		_, _ = z.Write(line) // into memory
	}
	_ = z.Close()
	if err := c.after.finish(); err != nil {
		return onSide(err, "after")
	}
	header := pngHeader{width: c.size.X, height: c.size.Y, depth: 8, colour: pngPalette}
	if _, err := w.Write(encodePNG(header, palette, nil, nil, stream.Bytes())); err != nil {
		return fmt.Errorf("imgdiff: write the comparison image: %w", err)
	}
	return nil
}

// scan reads the picture again.
func (s source) scan(e *effort) (*scan, error) {
	if s.image == nil {
		return openScan(e, s.file, s.maxPixels, s.maxPixels)
	}
	p, err := fromImage(e, s.image, s.maxPixels)
	if err != nil {
		return nil, err
	}
	return p.scan(), nil
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

// fade fills a row of marks with the luminance of a row of pixels: in greys where nothing is marked, in greens where rows were
// inserted. What lies outside becomes white.
func fade(dst, row []byte, bpp int, found *shades) {
	n := len(row) / bpp
	for x := range n {
		switch dst[x] {
		case maskNothing:
			dst[x] = found.greys[lumaOnWhite(row[x*bpp:x*bpp+bpp], bpp)]
		case maskInserted:
			dst[x] = found.greens[lumaOnWhite(row[x*bpp:x*bpp+bpp], bpp)]
		}
	}
	for x := n; x < len(dst); x++ {
		if dst[x] == maskNothing {
			dst[x] = found.greys[255]
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

// outlines draws boxes one pixel wide, row by row.
type outlines struct {
	boxes []image.Rectangle // that no row has met yet, from the top
	met   []image.Rectangle // those of the last row
}

// newOutlines returns the outlines of some boxes, which lie around them, as far as they lie in a picture.
func newOutlines(boxes []image.Rectangle, size image.Point) outlines {
	var o outlines
	for _, box := range boxes {
		if box = box.Inset(-outlineGap).Intersect(image.Rectangle{Max: size}); !box.Empty() {
			o.boxes = append(o.boxes, box)
		}
	}
	slices.SortFunc(o.boxes, func(a, b image.Rectangle) int { return a.Min.Y - b.Min.Y })
	return o
}

// draw draws what lies in a row, which must be the one below the last.
func (o *outlines) draw(row []byte, y int) {
	for len(o.boxes) > 0 && o.boxes[0].Min.Y == y {
		o.met, o.boxes = append(o.met, o.boxes[0]), o.boxes[1:]
	}
	for _, box := range o.met {
		if y == box.Min.Y || y == box.Max.Y-1 {
			for x := box.Min.X; x < box.Max.X; x++ {
				row[x] = composeOutline
			}
		}
		row[box.Min.X], row[box.Max.X-1] = composeOutline, composeOutline
	}
	o.met = slices.DeleteFunc(o.met, func(box image.Rectangle) bool { return y == box.Max.Y-1 })
}
