package imgdiff

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"testing"
)

// Parts of kept pictures are those of the files, whatever their filters and however few of their rows the comparison needed.
func TestPartsOfKeptPictures(t *testing.T) {
	const width, height = 80, 300
	was, is := image.NewNRGBA(image.Rect(0, 0, width, height)), image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA{R: uint8(x * 3), G: uint8(y), B: uint8(x ^ y), A: 255}
			was.SetNRGBA(x, y, c)
			if y >= 200 && y < 210 && x < 40 {
				c.R = 255 - c.R
			}
			is.SetNRGBA(x, y, c)
		}
	}
	for _, filters := range []func(y int) byte{
		func(int) byte { return 2 }, func(int) byte { return 4 }, func(y int) byte { return byte(y % 5) },
	} {
		files := [2][]byte{encodeFiltered(t, was, filters), encodeFiltered(t, is, filters)}
		o := DefaultOptions()
		o.Keep = true
		r, err := Compare(t.Context(), files[Before], files[After], o)
		if err != nil || r.Changed == 0 {
			t.Fatal(r, err)
		}
		for _, box := range []image.Rectangle{image.Rect(0, 190, 60, 220), image.Rect(10, 0, 20, 300), image.Rect(70, 290, 500, 900)} {
			for side, file := range files {
				want, err := Crop(t.Context(), file, box, 50, 80)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := r.Crop(t.Context(), Side(side), box, 50, 80); err != nil || !bytes.Equal(got, want) {
					t.Errorf("side %d, box %v: %d bytes, %v", side, box, len(got), err)
				}
			}
		}
		r.Release()
		r.Release()
		if _, err := r.Crop(t.Context(), After, image.Rect(0, 0, 9, 9), 50, 80); !errors.Is(err, ErrOptions) {
			t.Errorf("after the release: %v", err)
		}
	}
}
