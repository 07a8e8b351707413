package imgdiff

import (
	"image"
	"image/color"
	"testing"
)

// TestWhatIsDrawnAnewIsToldFromWhatIsNew: a pixel of an edge that became a mixture of both sides was drawn anew; one of a colour that
// nothing around it has, or had, is a change.
func TestWhatIsDrawnAnewIsToldFromWhatIsNew(t *testing.T) {
	const size, lower = 40, 7
	edge := func(shift int, at color.NRGBA) []byte {
		img := image.NewNRGBA(image.Rect(0, 0, size, size))
		for y := range size {
			for x := range size {
				c := color.NRGBA{R: 200, G: 60, B: 60, A: 255}
				if x >= size/2 {
					c = color.NRGBA{R: 40, G: 200, B: 220, A: 255}
				}
				img.SetNRGBA(x, y, c)
			}
		}
		img.SetNRGBA(size/2, size/2+shift, at)
		return encode(t, img)
	}
	for name, c := range map[string]struct {
		was, is color.NRGBA
		redrawn bool
	}{
		"another mixture": {color.NRGBA{R: 80, G: 160, B: 180, A: 255}, color.NRGBA{R: 160, G: 90, B: 100, A: 255}, true},
		"a dot came":      {color.NRGBA{R: 80, G: 160, B: 180, A: 255}, color.NRGBA{R: 255, G: 255, B: 255, A: 255}, false},
		"a dot went":      {color.NRGBA{A: 255}, color.NRGBA{R: 160, G: 90, B: 100, A: 255}, false},
	} {
		o := DefaultOptions()
		o.Keep = true
		r, err := Compare(t.Context(), edge(0, c.was), edge(lower, c.is), o)
		if err != nil {
			t.Fatal(err)
		}
		m := NewMask(size, size)
		m.Set(size/2, size/2+lower)
		by := image.Pt(0, lower)
		if got := r.Displaced().Redrawn(m, image.Rect(0, 0, size, size), by); got != c.redrawn {
			t.Errorf("%s: redrawn is %v", name, got)
		}
		if outside := r.Displaced().Redrawn(m, image.Rect(0, 0, size, size), image.Pt(0, size)); outside {
			t.Errorf("%s: what was outside of the picture is called redrawn", name)
		}
		r.Release()
	}
}
