package zoo

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
)

const (
	bytesPixel = 4
	maxPixels  = 64 << 20 // of a picture that is decoded: no page of the zoo comes near
)

// Decode reads a picture of a page in PNG.
func Decode(picture []byte) (*image.RGBA, error) {
	config, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("decode the picture: %w", err)
	}
	if config.Width*config.Height > maxPixels {
		return nil, fmt.Errorf("the picture has %d × %d pixels: more than any page of the zoo", config.Width, config.Height)
	}
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("decode the picture: %w", err)
	}
	if rgba, ok := decoded.(*image.RGBA); ok {
		return rgba, nil
	}
	rgba := image.NewRGBA(decoded.Bounds())
	draw.Draw(rgba, rgba.Rect, decoded, decoded.Bounds().Min, draw.Src)
	return rgba, nil
}

// Uncovered counts the pixels in which two pictures differ outside of all boxes. Where only one picture has pixels, they differ.
func Uncovered(a, b *image.RGBA, boxes []image.Rectangle) int {
	differing := 0
	all := a.Rect.Union(b.Rect)
	for y := all.Min.Y; y < all.Max.Y; y++ {
		if rowA, rowB := row(a, y), row(b, y); !bytes.Equal(rowA, rowB) {
			differing += uncoveredInRow(rowA, rowB, y, boxes)
		}
	}
	return differing
}

func uncoveredInRow(a, b []byte, y int, boxes []image.Rectangle) int {
	differing := 0
	for x := 0; x < max(len(a), len(b))/bytesPixel; x++ {
		if !bytes.Equal(pixel(a, x), pixel(b, x)) && !covered(boxes, x, y) {
			differing++
		}
	}
	return differing
}

func covered(boxes []image.Rectangle, x, y int) bool {
	for _, box := range boxes {
		if image.Pt(x, y).In(box) {
			return true
		}
	}
	return false
}

func pixel(row []byte, x int) []byte {
	return row[min(x*bytesPixel, len(row)):min((x+1)*bytesPixel, len(row))]
}

func row(picture *image.RGBA, y int) []byte {
	if y >= picture.Rect.Max.Y {
		return nil
	}
	return picture.Pix[y*picture.Stride:][:picture.Rect.Dx()*bytesPixel]
}

// count counts the pixels of the palette's colours.
func count(picture *image.RGBA) map[color.RGBA]int {
	wanted := make(map[[bytesPixel]byte]*int, len(colours))
	counts := make(map[color.RGBA]int, len(colours))
	totals := make([]int, len(colours))
	i := 0
	for _, c := range colours {
		wanted[[bytesPixel]byte{c.R, c.G, c.B, c.A}] = &totals[i]
		i++
	}
	// Neighbours mostly have the same colour: look up runs, not pixels.
	pix := picture.Pix
	for from := 0; from < len(pix); {
		key := [bytesPixel]byte(pix[from : from+bytesPixel])
		to := from + bytesPixel
		for to < len(pix) && [bytesPixel]byte(pix[to:to+bytesPixel]) == key {
			to += bytesPixel
		}
		if total := wanted[key]; total != nil {
			*total += (to - from) / bytesPixel
		}
		from = to
	}
	for key, total := range wanted {
		counts[color.RGBA{key[0], key[1], key[2], key[3]}] = *total
	}
	return counts
}
