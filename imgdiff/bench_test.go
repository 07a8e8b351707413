package imgdiff

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"testing"
)

// benchPage is how a benchmark page is drawn.
type benchPage struct {
	height int
	banner int     // rows inserted above everything
	words  bool    // one word in nine cards differs
	photos bool    // every second photo differs
	nudge  float64 // text moved by part of a pixel
	tint   uint8   // all colours a little darker
}

const benchWidth = 1440

// draw draws a page of headings, photos and lines of words in three columns.
func (b benchPage) draw() *image.NRGBA {
	height := b.height + b.banner
	page := newCanvas(benchWidth, height, color.NRGBA{255 - b.tint, 255 - b.tint, 255, 255})
	page.fillBox(image.Rect(0, 0, benchWidth, b.banner), color.NRGBA{255, 220, 90, 255})
	for top := b.banner + 20; top+300 < height; top += 320 {
		for column := range 3 {
			number := uint64(top-b.banner)*3 + uint64(column)
			b.card(page, 60+column*450, top, number)
		}
	}
	return page.NRGBA
}

// card draws one photo with some lines of words below it.
func (b benchPage) card(page canvas, x0, y0 int, number uint64) {
	seed := number
	if b.photos && number%2 == 0 {
		seed += 1 << 40
	}
	r := newRand(seed)
	wave := r.Float64()*6 + 1
	for y := range 130 {
		for x := range 400 {
			v := 120 + 50*math.Sin(float64(x)/40+wave) + 40*math.Cos(float64(y)/30*wave) + float64(r.IntN(5))
			page.SetNRGBA(x0+x, y0+y, color.NRGBA{uint8(v), uint8(v * 0.8), uint8(255 - v), 255})
		}
	}
	for line := range 6 {
		for word := range 16 {
			seed := number*1000 + uint64(line*16+word)
			if b.words && number%9 == 4 && line == 2 && word == 5 {
				seed += 1 << 40
			}
			b.word(page, float64(x0+word*25)+b.nudge, y0+144+line*24, seed)
		}
	}
}

// word draws a few strokes with soft edges.
func (b benchPage) word(page canvas, x0 float64, y0 int, seed uint64) {
	r := newRand(seed)
	for range 5 {
		left := x0 + float64(r.IntN(18))
		for y := r.IntN(6); y < 10+r.IntN(4); y++ {
			for x := int(left); x <= int(left)+1; x++ {
				cover := 1 - math.Abs(float64(x)-left)
				ink := uint8(255 - 220*cover)
				page.SetNRGBA(x, y0+y, color.NRGBA{ink, ink, ink, 255})
			}
		}
	}
}

// benchFiles are pairs of encoded pages.
func benchFiles(b *testing.B) (names []string, before []byte, after map[string][]byte) {
	b.Helper()
	const height = 8000
	after = map[string][]byte{}
	for name, page := range map[string]benchPage{
		"identical": {height: height}, "sparse": {height: height, words: true}, "images": {height: height, photos: true},
		"antialiasing": {height: height, nudge: 0.35}, "theme": {height: height, tint: 6}, "banner": {height: height, banner: 40},
	} {
		after[name] = encode(b, page.draw())
	}
	return []string{"identical", "sparse", "images", "antialiasing", "theme", "banner"}, after["identical"], after
}

// BenchmarkCompare compares files of 1440 × 8000 pixels in memory.
func BenchmarkCompare(b *testing.B) {
	names, before, after := benchFiles(b)
	for _, mode := range []struct {
		name string
		o    Options
	}{
		{"plain", Options{Threshold: DefaultThreshold}},
		{"aligned", DefaultOptions()},
		{"aligned only", Options{Threshold: DefaultThreshold, AlignedOnly: true}},
	} {
		for _, name := range names {
			b.Run(mode.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				var r *Result
				for b.Loop() {
					var err error
					if r, err = Compare(b.Context(), before, after[name], mode.o); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(r.Percent, "percent")
			})
		}
	}
}

// BenchmarkFloor measures what no comparison can go below: comparing the
// memory of both decoded pictures, and decoding one file; and how near
// comparing decoded pictures comes.
func BenchmarkFloor(b *testing.B) {
	page, sparse := benchPage{height: 8000}, benchPage{height: 8000, words: true}
	before, after := page.draw(), sparse.draw()
	file := encode(b, before)
	same := bytes.Clone(before.Pix)
	b.Run("memcmp", func(b *testing.B) {
		for b.Loop() {
			if !bytes.Equal(before.Pix, same) {
				b.Fatal("differ")
			}
		}
	})
	b.Run("decoded sparse", func(b *testing.B) {
		for b.Loop() {
			if _, err := CompareImages(b.Context(), before, after, Options{Threshold: DefaultThreshold}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("inflate", func(b *testing.B) {
		for b.Loop() {
			p, err := decode(newEffort(b.Context()), file, DefaultMaxPixels)
			if err != nil {
				b.Fatal(err)
			}
			p.release()
		}
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			p, err := decode(newEffort(b.Context()), file, DefaultMaxPixels)
			if err != nil {
				b.Fatal(err)
			}
			p.finishAll(newEffort(b.Context()))
			p.release()
		}
	})
}

// BenchmarkHeight shows how cost grows with the height of the page.
func BenchmarkHeight(b *testing.B) {
	for _, height := range []int{1000, 2000, 5000, 10_000, 20_000, 40_000} {
		before := encode(b, benchPage{height: height}.draw())
		for name, page := range map[string]benchPage{
			"sparse": {height: height, words: true}, "banner": {height: height, banner: 40},
		} {
			after := encode(b, page.draw())
			b.Run(fmt.Sprintf("%s/%d", name, height), func(b *testing.B) {
				for b.Loop() {
					if _, err := Compare(b.Context(), before, after, DefaultOptions()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkPictures measures the pictures of a result.
func BenchmarkPictures(b *testing.B) {
	before := encode(b, benchPage{height: 8000}.draw())
	after := encode(b, benchPage{height: 8000, words: true}.draw())
	result, err := Compare(b.Context(), before, after, DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("mask", func(b *testing.B) {
		var data []byte
		for b.Loop() {
			if data, err = result.MaskPNG(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(data)), "bytes")
	})
	b.Run("compose", func(b *testing.B) {
		var out bytes.Buffer
		for b.Loop() {
			out.Reset()
			if err := result.Compose(b.Context(), &out, ComposeOptions{}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(out.Len()), "bytes")
	})
	b.Run("overlay", func(b *testing.B) {
		mask, err := result.MaskPNG(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := Overlay(b.Context(), io.Discard, after, mask, ComposeOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("preview", func(b *testing.B) {
		for b.Loop() {
			if _, err := Preview(b.Context(), after, 75); err != nil {
				b.Fatal(err)
			}
		}
	})
}
