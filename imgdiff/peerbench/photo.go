package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
)

// The size of a photograph.
const (
	photoWidth  = 960
	photoHeight = 640
)

// writePhoto returns a JPEG with the statistics of a photograph: a sky, hills
// in layers and grain. Equal numbers give equal photographs.
func writePhoto(n int) ([]byte, error) {
	r := rand.New(rand.NewPCG(17, uint64(n))) //nolint:gosec // a photograph that must come out the same each time
	img := image.NewRGBA(image.Rect(0, 0, photoWidth, photoHeight))
	hue, sun := r.Float64()*2*math.Pi, image.Pt(r.IntN(photoWidth), r.IntN(photoHeight/2))
	var phase, pitch [5]float64
	for i := range phase {
		phase[i], pitch[i] = r.Float64()*6, 0.004+r.Float64()*0.012
	}
	for x := range photoWidth {
		var ridge [5]float64
		for i := range ridge {
			ridge[i] = 200 + 80*float64(i) + 50*math.Sin(pitch[i]*float64(x)+phase[i]) + 12*math.Sin(9*pitch[i]*float64(x))
		}
		for y := range photoHeight {
			layer := 0
			for layer < len(ridge) && float64(y) > ridge[layer] {
				layer++
			}
			depth := float64(layer) / float64(len(ridge))
			glow := 90 * math.Exp(-math.Hypot(float64(x-sun.X), float64(y-sun.Y))/180)
			grain := r.NormFloat64() * (3 + 9*depth)
			img.SetRGBA(x, y, color.RGBA{
				channel(180 - 120*depth + 40*math.Cos(hue) + glow + grain), channel(190 - 90*depth + 40*math.Cos(hue+2) + glow + grain),
				channel(200 - 140*depth + 40*math.Cos(hue+4) + glow/2 + grain), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 88}); err != nil {
		return nil, fmt.Errorf("encode photograph %d: %w", n, err)
	}
	return b.Bytes(), nil
}

func channel(v float64) uint8 { return uint8(min(max(v, 0), 255)) }
