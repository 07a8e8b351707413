package imgdiff

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
)

// ComposeOptions steer the viewable comparison picture. The zero value is
// the usual picture.
type ComposeOptions struct {
	// Opacity of the after picture, 0 to 1, as pixelmatch's alpha. 0 means
	// pixelmatch's default 0.1.
	Opacity float64
	// NoOutlines leaves out the boxes around the regions.
	NoOutlines bool
}

// composeOutline is the palette entry of outlines: the one that a mask has for
// nothing, for which the picture has greys instead. A mask's other entries
// keep their places and greys follow.
const composeOutline = maskNothing

// outlineGap is the distance of an outline from its region, in pixels.
const outlineGap = 3

// Compose writes a PNG, the size of the union: the after picture in faded
// grey, changed pixels red, anti-aliased ones yellow, regions outlined in
// blue. It reads the after picture again.
func (r *Result) Compose(w io.Writer, o ComposeOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	after, err := r.source.decode()
	if err != nil {
		return onSide(err, "after")
	}
	defer after.release()
	marks := image.NewPaletted(image.Rect(0, 0, r.Width, r.Height), nil)
	paint(marks, r.changed, maskChanged)
	paint(marks, r.aa, maskAntiAliased)
	return compose(w, after, marks, r.boxes(), o)
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
func compose(w io.Writer, after *picture, img *image.Paletted, boxes []image.Rectangle, o ComposeOptions) error {
	if o.Opacity == 0 {
		o.Opacity = 0.1
	}
	after.finishAll()
	palette, greys := composePalette(o.Opacity)
	img.Palette = palette
	fade(img, after, greys)
	if !o.NoOutlines {
		for _, box := range boxes {
			outline(img, box.Inset(-outlineGap))
		}
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(w, img); err != nil {
		return fmt.Errorf("imgdiff: write the comparison picture: %w", err)
	}
	return nil
}

// decode reads the picture again.
func (s source) decode() (*picture, error) {
	if s.image != nil {
		return fromImage(s.image, s.maxPixels)
	}
	return decode(s.file, s.maxPixels)
}

// composePalette returns the palette and the entry of each luminance.
func composePalette(opacity float64) (color.Palette, *[256]uint8) {
	palette := color.Palette{
		maskChanged:     color.RGBA{255, 0, 0, 255},
		maskAntiAliased: color.RGBA{255, 255, 0, 255},
		composeOutline:  color.RGBA{0, 90, 255, 255},
	}
	var greys [256]uint8
	last := -1
	for l := range greys {
		grey := int(255 + (float64(l)-255)*opacity)
		// Full opacity has more greys than the palette has room for.
		if grey != last && len(palette) < 256 {
			palette = append(palette, color.Gray{uint8(grey)})
			last = grey
		}
		greys[l] = uint8(len(palette) - 1)
	}
	return palette, &greys
}

// fade fills the picture with the luminance of another where nothing is
// marked; what lies outside becomes white.
func fade(img *image.Paletted, p *picture, greys *[256]uint8) {
	for y := range img.Rect.Dy() {
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
