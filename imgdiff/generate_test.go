package imgdiff

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"
)

// newRand returns a repeatable source of randomness.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// encode writes a PNG.
func encode(t testing.TB, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pairKinds are the generators of pairs that parity is tested on.
var pairKinds = []struct {
	name  string
	count int
	make  func(r *rand.Rand) (a, b *image.NRGBA)
}{
	{"text", 90, textPair},
	{"gradient", 70, gradientPair},
	{"alpha", 80, alphaPair},
	{"edges", 90, edgePair},
	{"noise", 70, noisePair},
	{"tiny", 80, tinyPair},
	{"unequal alpha", 50, unequalAlphaPair},
	{"wide", 60, widePair},
}

// canvas is a picture that shapes are drawn on with anti-aliased edges.
type canvas struct{ *image.NRGBA }

func newCanvas(width, height int, background color.NRGBA) canvas {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = background.R, background.G, background.B, background.A
	}
	return canvas{img}
}

func (c canvas) copy() canvas {
	img := *c.NRGBA
	img.Pix = bytes.Clone(img.Pix)
	return canvas{&img}
}

// fill paints the points for which inside holds, each pixel by its share of
// 4 × 4 sample points.
func (c canvas) fill(ink color.NRGBA, inside func(x, y float64) bool) {
	for y := range c.Rect.Dy() {
		for x := range c.Rect.Dx() {
			hits := 0
			for s := range 16 {
				if inside(float64(x)+(float64(s%4)+0.5)/4, float64(y)+(float64(s/4)+0.5)/4) {
					hits++
				}
			}
			if hits > 0 {
				c.mix(x, y, ink, hits)
			}
		}
	}
}

// mix lays ink over a pixel with hits/16 coverage.
func (c canvas) mix(x, y int, ink color.NRGBA, hits int) {
	old := c.NRGBAAt(x, y)
	over := func(from, to uint8) uint8 { return uint8((int(from)*(16-hits) + int(to)*hits) / 16) }
	c.SetNRGBA(x, y, color.NRGBA{over(old.R, ink.R), over(old.G, ink.G), over(old.B, ink.B), over(old.A, ink.A)})
}

// stroke paints a line of the given thickness.
func (c canvas) stroke(ink color.NRGBA, x0, y0, x1, y1, thick float64) {
	dx, dy := x1-x0, y1-y0
	length := math.Max(dx*dx+dy*dy, 1e-9)
	c.fill(ink, func(x, y float64) bool {
		t := math.Min(1, math.Max(0, ((x-x0)*dx+(y-y0)*dy)/length))
		ex, ey := x-x0-t*dx, y-y0-t*dy
		return ex*ex+ey*ey <= thick*thick/4
	})
}

// glyph paints something like a letter at a position that need not be whole.
func (c canvas) glyph(r *rand.Rand, ink color.NRGBA, x, y, size float64) {
	for range 2 + r.IntN(3) {
		c.stroke(ink, x+r.Float64()*size, y+r.Float64()*size, x+r.Float64()*size, y+r.Float64()*size, size/6)
	}
}

func randomColour(r *rand.Rand) color.NRGBA {
	return color.NRGBA{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), 255}
}

// textPair is lines of glyphs, some replaced or moved by part of a pixel.
func textPair(r *rand.Rand) (a, b *image.NRGBA) {
	paper, ink := color.NRGBA{255, 255, 255, 255}, color.NRGBA{uint8(r.IntN(80)), uint8(r.IntN(80)), uint8(r.IntN(80)), 255}
	before := newCanvas(40+r.IntN(30), 24+r.IntN(20), paper)
	after := before.copy()
	for x := 2.0; x < float64(before.Rect.Dx()-9); x += 8 {
		seed := r.Uint64()
		before.glyph(newRand(seed), ink, x, 6, 8)
		shift := 0.0
		switch r.IntN(6) {
		case 0:
			seed++
		case 1:
			shift = r.Float64()
		}
		after.glyph(newRand(seed), ink, x+shift, 6, 8)
	}
	return before.NRGBA, after.NRGBA
}

// gradientPair differs little everywhere.
func gradientPair(r *rand.Rand) (a, b *image.NRGBA) {
	width, height := 20+r.IntN(50), 20+r.IntN(30)
	before, after := newCanvas(width, height, color.NRGBA{}), newCanvas(width, height, color.NRGBA{})
	from, to := randomColour(r), randomColour(r)
	shift := r.IntN(60)
	for y := range height {
		for x := range width {
			part := func(f, t uint8, at int) uint8 {
				return uint8((int(f)*(width+60-at) + int(t)*at) / (width + 60))
			}
			before.SetNRGBA(x, y, color.NRGBA{part(from.R, to.R, x), part(from.G, to.G, x), part(from.B, to.B, y%width), 255})
			after.SetNRGBA(x, y, color.NRGBA{part(from.R, to.R, x+shift), part(from.G, to.G, x), part(from.B, to.B, y%width), 255})
		}
	}
	return before.NRGBA, after.NRGBA
}

// alphaPair is translucent shapes that move.
func alphaPair(r *rand.Rand) (a, b *image.NRGBA) {
	paper := color.NRGBA{uint8(r.Uint32()), 200, 180, uint8(r.IntN(256))}
	before := newCanvas(20+r.IntN(40), 20+r.IntN(30), paper)
	after := before.copy()
	for range 4 {
		ink := randomColour(r)
		ink.A = uint8(r.IntN(256))
		x, y, radius := r.Float64()*40, r.Float64()*30, 2+r.Float64()*8
		move := r.Float64() * 2 * float64(r.IntN(2))
		disc := func(cx float64) func(px, py float64) bool {
			return func(px, py float64) bool { return (px-cx)*(px-cx)+(py-y)*(py-y) < radius*radius }
		}
		before.fill(ink, disc(x))
		after.fill(ink, disc(x+move))
	}
	return before.NRGBA, after.NRGBA
}

// edgePair is slanted edges whose anti-aliasing differs.
func edgePair(r *rand.Rand) (a, b *image.NRGBA) {
	before := newCanvas(24+r.IntN(40), 24+r.IntN(30), randomColour(r))
	after := before.copy()
	for range 3 {
		ink := randomColour(r)
		slope, offset, move := r.Float64()*2-1, r.Float64()*30, r.Float64()
		thick := 1 + r.Float64()*6
		band := func(shift float64) func(x, y float64) bool {
			return func(x, y float64) bool { return math.Abs(y-slope*x-offset-shift) < thick }
		}
		before.fill(ink, band(0))
		after.fill(ink, band(move))
	}
	return before.NRGBA, after.NRGBA
}

// noisePair is random pixels of random strength.
func noisePair(r *rand.Rand) (a, b *image.NRGBA) {
	before := newCanvas(10+r.IntN(40), 10+r.IntN(30), randomColour(r))
	after := before.copy()
	strength, share := 1+r.IntN(255), r.IntN(101)
	for i := range before.Pix {
		if i&3 == 3 {
			continue
		}
		before.Pix[i] = uint8(r.Uint32())
		after.Pix[i] = before.Pix[i]
		if r.IntN(100) < share {
			after.Pix[i] = uint8(max(0, min(255, int(before.Pix[i])+r.IntN(2*strength)-strength)))
		}
	}
	return before.NRGBA, after.NRGBA
}

// tinyPair is pictures smaller than the neighbourhoods that the
// anti-aliasing test looks at, of few colours.
func tinyPair(r *rand.Rand) (a, b *image.NRGBA) {
	before := newCanvas(1+r.IntN(5), 1+r.IntN(5), color.NRGBA{255, 255, 255, 255})
	after := before.copy()
	for i := 0; i < len(before.Pix); i += 4 {
		before.Pix[i+r.IntN(3)] = uint8(r.IntN(3) * 100)
		after.Pix[i+r.IntN(3)] = uint8(r.IntN(3) * 100)
		if r.IntN(8) == 0 {
			after.Pix[i+3] = uint8(r.Uint32())
		}
	}
	return before.NRGBA, after.NRGBA
}

// unequalAlphaPair has the same colours with different alpha.
func unequalAlphaPair(r *rand.Rand) (a, b *image.NRGBA) {
	before := newCanvas(12+r.IntN(30), 12+r.IntN(30), randomColour(r))
	after := before.copy()
	for i := 3; i < len(before.Pix); i += 4 {
		switch r.IntN(4) {
		case 0:
			before.Pix[i] = uint8(r.Uint32())
		case 1:
			after.Pix[i] = uint8(r.Uint32())
		case 2:
			before.Pix[i], after.Pix[i] = 0, 0
			after.Pix[i-1]++
		}
	}
	return before.NRGBA, after.NRGBA
}

// widePair has rows of many changed pixels: flat areas with slightly moved
// edges between them, noise, and translucent pixels in every third pair.
func widePair(r *rand.Rand) (a, b *image.NRGBA) {
	before := newCanvas(150+r.IntN(200), 9+r.IntN(40), randomColour(r))
	after := before.copy()
	for range 30 {
		ink := randomColour(r)
		x, y, radius, move := r.Float64()*350, r.Float64()*40, 2+r.Float64()*20, r.Float64()
		disc := func(cx float64) func(px, py float64) bool {
			return func(px, py float64) bool { return (px-cx)*(px-cx)+(py-y)*(py-y) < radius*radius }
		}
		before.fill(ink, disc(x))
		after.fill(ink, disc(x+move))
	}
	translucent := r.IntN(3) == 0
	for i := 0; i < len(after.Pix); i += 4 {
		if r.IntN(9) == 0 {
			after.Pix[i+r.IntN(3)] += uint8(r.IntN(120))
		}
		if translucent && r.IntN(40) == 0 {
			after.Pix[i+3] = uint8(r.Uint32())
		}
	}
	return before.NRGBA, after.NRGBA
}
