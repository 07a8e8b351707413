package samplesite

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// The seed library's portraits are raster images, so that the site has both
// kinds. Each is a heap of shaded seeds in Vogel's spiral.

const portraitSide = 360 // pixels, square

// seed is one packet of the seed library.
type seed struct {
	Slug string
	Name string
	Sow  string
	Note string

	length, breadth float64 // of one seed, in pixels
	light, dark     color.RGBA
	stripes         bool
}

var seeds = []seed{
	{"sunflower", "Sunflower", "April, under glass", "Eat half of them.", 15, 8.5, color.RGBA{0xd9, 0xd3, 0xc6, 0xff},
		color.RGBA{0x2e, 0x2a, 0x2b, 0xff}, true},
	{"poppy", "Corn poppy", "September, where they shall stand", "Do not cover; they need light.", 4.6, 4.2,
		color.RGBA{0x7d, 0x86, 0x9c, 0xff}, color.RGBA{0x2b, 0x30, 0x45, 0xff}, false},
	{"runner-bean", "Runner bean", "Middle of May", "Five to a pole, a thumb deep.", 19, 11, color.RGBA{0xd7, 0x8a, 0xb8, 0xff},
		color.RGBA{0x4a, 0x1c, 0x4b, 0xff}, true},
	{"pea", "Garden pea", "March", "Soak overnight, sow double rows.", 11, 11, color.RGBA{0xc9, 0xdc, 0x8e, 0xff},
		color.RGBA{0x5f, 0x86, 0x3b, 0xff}, false},
	{"pumpkin", "Pumpkin", "May, on the compost", "One plant needs two square metres.", 18, 11, color.RGBA{0xf7, 0xec, 0xce, 0xff},
		color.RGBA{0xb5, 0x97, 0x5a, 0xff}, false},
	{"maize", "Sweetcorn", "May", "In a block, not a row: the wind pollinates it.", 12, 10.5, color.RGBA{0xff, 0xd9, 0x62, 0xff},
		color.RGBA{0xc4, 0x6a, 0x12, 0xff}, false},
}

// portrait draws a seed packet's picture as a PNG.
func portrait(s seed) ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, portraitSide, portraitSide))
	for i := 0; i < len(picture.Pix); i += 4 {
		copy(picture.Pix[i:], []byte{0xf6, 0xf1, 0xe4, 0xff})
	}
	const middle, heap = portraitSide / 2.0, 150.0
	count := int(heap * heap / (s.length * s.breadth) * 0.95)
	for i := range count {
		dx, dy := vogel(i, count)
		paintSeed(picture, s, middle+dx*heap, middle+dy*heap, float64(i)*goldenAngle)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		return nil, fmt.Errorf("encode the portrait of %s: %w", s.Slug, err)
	}
	return out.Bytes(), nil
}

// paintSeed shades one ellipse, lit from the upper left, over its own soft
// shadow. The long axis points in the given direction (radians).
func paintSeed(picture *image.RGBA, s seed, x, y, direction float64) {
	sin, cos := math.Sincos(direction)
	reach := int(s.length) + 4
	for py := int(y) - reach; py <= int(y)+reach; py++ {
		for px := int(x) - reach; px <= int(x)+reach; px++ {
			dx, dy := float64(px)-x, float64(py)-y
			if shadow := edge(dx-2.5, dy-3, sin, cos, s); shadow > 0 {
				blend(picture, px, py, color.RGBA{0x54, 0x46, 0x38, 0xff}, shadow*0.35)
			}
			if cover := edge(dx, dy, sin, cos, s); cover > 0 {
				blend(picture, px, py, s.shade(dx, dy, sin, cos), cover)
			}
		}
	}
}

// edge is how much of a pixel the ellipse covers: 1 inside, falling to 0
// across one pixel at the rim.
func edge(dx, dy, sin, cos float64, s seed) float64 {
	u, v := (dx*cos+dy*sin)/s.length, (dy*cos-dx*sin)/s.breadth
	return math.Max(0, math.Min(1, (1-math.Hypot(u, v))*s.breadth+0.5))
}

// shade is the colour of a point of the seed's surface.
func (s seed) shade(dx, dy, sin, cos float64) color.RGBA {
	light := 0.62 - 0.55*(dx+dy)/(s.length+s.breadth)
	if s.stripes {
		across := (dy*cos - dx*sin) / s.breadth
		light *= 0.55 + 0.45*math.Cos(across*9)
	}
	light = math.Max(0, math.Min(1, light))
	mix := func(dark, bright uint8) uint8 {
		return uint8(float64(dark) + (float64(bright)-float64(dark))*light)
	}
	return color.RGBA{mix(s.dark.R, s.light.R), mix(s.dark.G, s.light.G), mix(s.dark.B, s.light.B), 0xff}
}

// blend paints a colour over a pixel with the given opacity.
func blend(picture *image.RGBA, x, y int, over color.RGBA, opacity float64) {
	if !(image.Point{X: x, Y: y}).In(picture.Rect) {
		return
	}
	under := picture.RGBAAt(x, y)
	mix := func(below, above uint8) uint8 {
		return uint8(float64(below)*(1-opacity) + float64(above)*opacity)
	}
	picture.SetRGBA(x, y, color.RGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), 0xff})
}
