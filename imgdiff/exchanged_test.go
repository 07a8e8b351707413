package imgdiff

import (
	"image"
	"image/color"
	"testing"
)

// TestPixelsThatNoComparisonCountsAreCountedOnRequest: a few levels are enough, of any colour or of one that gave way to another, where the
// pixel was before.
func TestPixelsThatNoComparisonCountsAreCountedOnRequest(t *testing.T) {
	const width, height, lower = 40, 30, 4
	sand, ice, dusk := [3]uint8{0xef, 0xe6, 0xd2}, [3]uint8{0xcf, 0xe3, 0xee}, [3]uint8{0xef, 0xe6, 0xd4}
	picture := func(height int, first [3]uint8) []byte {
		img := image.NewRGBA(image.Rect(0, 0, width, height))
		for y := range height {
			for x := range width {
				c := sand
				if x < 10 && y >= height-20 {
					c = first
				}
				img.SetRGBA(x, y, color.RGBA{R: c[0], G: c[1], B: c[2], A: 255})
			}
		}
		return encode(t, img)
	}
	o := DefaultOptions()
	o.Keep = true
	all := image.Rect(-5, -5, 2*width, 2*height)
	for name, c := range map[string]struct {
		is       [3]uint8
		exchange Exchange
		box      image.Rectangle
		want     int
	}{
		"any colour":                       {is: ice, box: all, want: 200},
		"within a box":                     {is: ice, box: image.Rect(5, 0, width, 1+height-20+lower), want: 5},
		"by two levels":                    {is: dusk, box: all},
		"the colour that gave way to it":   {is: ice, exchange: Exchange{&sand, &ice}, box: all, want: 200},
		"the same, of which one is known":  {is: ice, exchange: Exchange{After: &ice}, box: all, want: 200},
		"a colour that gave way to others": {is: ice, exchange: Exchange{&dusk, nil}, box: all},
		"a colour that nothing has":        {is: ice, exchange: Exchange{&sand, &dusk}, box: all},
	} {
		r, err := Compare(t.Context(), picture(height, sand), picture(height+lower, c.is), o)
		if err != nil {
			t.Fatal(err)
		}
		n, err := r.Displaced().Exchanged(c.box, image.Pt(0, lower), 3, c.exchange)
		if err != nil || n != c.want {
			t.Errorf("%s: %d pixels, want %d (%v)", name, n, c.want, err)
		}
		if n, err = r.Displaced().Exchanged(c.box, image.Pt(width, 0), 3, c.exchange); n != 0 || err != nil {
			t.Errorf("%s: %d pixels outside of a picture (%v)", name, n, err)
		}
		r.Release()
	}
}

// TestAreasThatChangedEvenlyAreToldFromNoise: what changed by as much as what is beside it has another colour, whether or not it is of one.
func TestAreasThatChangedEvenlyAreToldFromNoise(t *testing.T) {
	const width, height, lower = 40, 30, 4
	picture := func(height int, add func(x, y int) int) []byte {
		img := image.NewRGBA(image.Rect(0, 0, width, height))
		for y := range height {
			for x := range width {
				img.SetRGBA(x, y, color.RGBA{R: uint8(100 + x), G: 120, B: uint8(90 + add(x, y-(height-20))), A: 255})
			}
		}
		return encode(t, img)
	}
	o := DefaultOptions()
	o.Keep = true
	for name, c := range map[string]struct {
		add       func(x, y int) int
		even, all int
	}{
		"nothing":         {func(int, int) int { return 0 }, 0, 0},
		"two levels":      {func(int, int) int { return 2 }, 0, 0},
		"all of it":       {func(int, int) int { return 4 }, 39 * 19, 40 * 20},
		"a part of it":    {func(x, y int) int { return 4 * min(1, max(0, y-9)) }, 39 * 9, 40 * 10},
		"more and more":   {func(x, _ int) int { return 4 + x/10 }, 36 * 19, 40 * 20},
		"each by its own": {func(x, y int) int { return 3 + (7*x+5*y)%4 }, 0, 40 * 20},
		"every other one": {func(x, y int) int { return 4 * (x % 2) }, 0, 20 * 20},
	} {
		r, err := Compare(t.Context(), picture(20, func(int, int) int { return 0 }), picture(20+lower, c.add), o)
		if err != nil {
			t.Fatal(err)
		}
		even, all, err := r.Displaced().Tinted(image.Rect(-5, -5, 2*width, 2*height), image.Pt(0, lower), 3)
		if even != c.even || all != c.all || err != nil {
			t.Errorf("%s: %d of %d, want %d of %d (%v)", name, even, all, c.even, c.all, err)
		}
		r.Release()
	}
}
