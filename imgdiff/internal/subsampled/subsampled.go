// Package subsampled makes pictures for JPEG, row by row, with one colour for four pixels.
package subsampled

import (
	"image"
	"image/color"
)

// Picture makes a picture for JPEG out of rows, which come from the top: with one colour for four pixels (4:2:0), as the
// encoder would make it of a picture with all of them, in three eighths of the memory.
type Picture struct {
	img  *image.YCbCr
	blue []uint32 // the sums of two rows, for each column of the planes of colour
	red  []uint32
}

// New starts a picture of a size.
func New(size image.Point) *Picture {
	img := image.NewYCbCr(image.Rectangle{Max: size}, image.YCbCrSubsampleRatio420)
	return &Picture{img: img, blue: make([]uint32, img.CStride), red: make([]uint32, img.CStride)}
}

// Add adds row y in RGBA.
func (s *Picture) Add(y int, row []byte) {
	luma := s.img.Y[y*s.img.YStride:]
	for x := range s.img.Rect.Dx() {
		light, blue, red := color.RGBToYCbCr(row[4*x], row[4*x+1], row[4*x+2])
		luma[x] = light
		s.blue[x/2] += uint32(blue)
		s.red[x/2] += uint32(red)
	}
	if y%2 == 1 {
		s.endRows(y/2, 2)
	}
}

// Done is the picture after its last row.
func (s *Picture) Done() *image.YCbCr {
	if height := s.img.Rect.Dy(); height%2 == 1 {
		s.endRows(height/2, 1)
	}
	return s.img
}

// endRows writes a row of the planes of colour: the means of the rows that were added.
func (s *Picture) endRows(y int, rows uint32) {
	at, width := y*s.img.CStride, s.img.Rect.Dx()
	for x := range s.blue {
		n := rows * uint32(min(2, width-2*x))
		s.img.Cb[at+x] = byte((s.blue[x] + n/2) / n)
		s.img.Cr[at+x] = byte((s.red[x] + n/2) / n)
	}
	clear(s.blue)
	clear(s.red)
}
