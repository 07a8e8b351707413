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

// The fixed entries of the picture's palette; greys follow.
const (
	composeChanged = iota
	composeAntiAliased
	composeOutline
	composeGreys
)

// outlineGap is the distance of an outline from its region, in pixels.
const outlineGap = 3

// Compose writes a PNG, the size of the union: the after picture in faded
// grey, changed pixels red, anti-aliased ones yellow, regions outlined in
// blue. It reads the after picture again.
func (r *Result) Compose(w io.Writer, o ComposeOptions) error {
	if o.Opacity < 0 || o.Opacity > 1 {
		return fmt.Errorf("%w: opacity %v is outside 0 to 1", ErrOptions, o.Opacity)
	}
	if o.Opacity == 0 {
		o.Opacity = 0.1
	}
	after, err := r.source.decode()
	if err != nil {
		return onSide(err, "after")
	}
	defer after.release()
	after.finishAll()
	palette, greys := composePalette(o.Opacity)
	img := image.NewPaletted(image.Rect(0, 0, r.Width, r.Height), palette)
	fade(img, after, greys)
	paint(img, r.changed, composeChanged)
	paint(img, r.aa, composeAntiAliased)
	if !o.NoOutlines {
		for _, region := range r.Regions {
			outline(img, region.Box.Inset(-outlineGap))
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
		composeChanged:     color.RGBA{255, 0, 0, 255},
		composeAntiAliased: color.RGBA{255, 255, 0, 255},
		composeOutline:     color.RGBA{0, 90, 255, 255},
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

// fade fills the picture with the luminance of another; what lies outside
// becomes white.
func fade(img *image.Paletted, p *picture, greys *[256]uint8) {
	for y := range img.Rect.Dy() {
		dst := img.Pix[y*img.Stride : y*img.Stride+img.Rect.Dx()]
		n := 0
		if y < p.height {
			n = p.width
			row := p.row(y)
			for x := range n {
				dst[x] = greys[lumaOnWhite(row[x*p.bpp:], p.bpp)]
			}
		}
		for x := n; x < len(dst); x++ {
			dst[x] = greys[255]
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
