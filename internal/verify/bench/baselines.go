package main

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
)

// tolerance is the difference of a colour channel up to which a pixel counts as equal.
const tolerance = 16

// baselines are what simpler tools decide by: the share of the pixels that differ, and the structural similarity of Wang et al.
// (2004), over blocks of 8 × 8 pixels of both pictures. Rows that only one picture has differ.
func baselines(before, after []byte) (pixels, ssim float64, err error) {
	was, err := decoded(before)
	if err != nil {
		return 0, 0, err
	}
	is, err := decoded(after)
	if err != nil {
		return 0, 0, err
	}
	all, common := was.Rect.Union(is.Rect), was.Rect.Intersect(is.Rect)
	differing := all.Dx()*all.Dy() - common.Dx()*common.Dy()
	for y := range common.Dy() {
		for x := range common.Dx() {
			if !near(was.Pix[was.PixOffset(x, y):], is.Pix[is.PixOffset(x, y):]) {
				differing++
			}
		}
	}
	total, blocks := 0.0, 0
	for y := 0; y+8 <= all.Dy(); y += 8 {
		for x := 0; x+8 <= all.Dx(); x += 8 {
			if blocks++; image.Rect(x, y, x+8, y+8).In(common) {
				total += blockSSIM(was, is, x, y)
			}
		}
	}
	return float64(differing) / float64(all.Dx()*all.Dy()), total / float64(max(1, blocks)), nil
}

func decoded(file []byte) (*image.NRGBA, error) {
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	if same, ok := picture.(*image.NRGBA); ok {
		return same, nil
	}
	pixels := image.NewNRGBA(picture.Bounds())
	draw.Draw(pixels, pixels.Rect, picture, pixels.Rect.Min, draw.Src)
	return pixels, nil
}

func near(a, b []uint8) bool {
	for i := range 3 {
		if int(a[i])-int(b[i]) > tolerance || int(b[i])-int(a[i]) > tolerance {
			return false
		}
	}
	return true
}

func blockSSIM(a, b *image.NRGBA, x0, y0 int) float64 {
	var sa, sb, saa, sbb, sab float64
	for y := y0; y < y0+8; y++ {
		for x := x0; x < x0+8; x++ {
			l, m := luma(a.Pix[a.PixOffset(x, y):]), luma(b.Pix[b.PixOffset(x, y):])
			sa, sb, saa, sbb, sab = sa+l, sb+m, saa+l*l, sbb+m*m, sab+l*m
		}
	}
	const n, c1, c2 = 64, 6.5025, 58.5225 // (0.01 · 255)² and (0.03 · 255)²
	ma, mb := sa/n, sb/n
	va, vb, cov := saa/n-ma*ma, sbb/n-mb*mb, sab/n-ma*mb
	return (2*ma*mb + c1) * (2*cov + c2) / ((ma*ma + mb*mb + c1) * (va + vb + c2))
}

func luma(p []uint8) float64 { return 0.299*float64(p[0]) + 0.587*float64(p[1]) + 0.114*float64(p[2]) }
