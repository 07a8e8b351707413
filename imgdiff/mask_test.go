package imgdiff

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"testing"
)

// scattered is a mask of random runs and single pixels.
func scattered(seed uint64, width, height int) *Mask {
	r := newRand(seed)
	m := NewMask(width, height)
	for range 1 + width*height/50 {
		x, y := r.IntN(width), r.IntN(height)
		m.SetRect(image.Rect(x, y, x+r.IntN(90), y+1+r.IntN(3)))
	}
	return m
}

func TestMaskCountsAsItsPixels(t *testing.T) {
	for seed := range uint64(30) {
		r := newRand(seed)
		m := scattered(seed, 1+r.IntN(300), 1+r.IntN(40))
		box := image.Rect(r.IntN(300), r.IntN(40), r.IntN(300), r.IntN(40))
		all, inside := 0, 0
		for y := range m.Height() {
			for x := range m.Width() {
				if m.At(x, y) {
					all++
					if image.Pt(x, y).In(box) {
						inside++
					}
				}
			}
		}
		if m.Count() != all || m.CountIn(box) != inside {
			t.Errorf("seed %d: count %d, in %v %d; pixel by pixel %d, %d", seed, m.Count(), box, m.CountIn(box), all, inside)
		}
	}
}

func TestMaskUnionKeepsInside(t *testing.T) {
	small, large := NewMask(70, 3), NewMask(200, 9)
	large.SetRect(image.Rect(0, 0, 200, 9))
	small.Union(large)
	if small.Count() != 70*3 {
		t.Errorf("union of a larger mask has %d pixels, want all %d", small.Count(), 70*3)
	}
	clone := small.Clone()
	clone.Set(0, 0)
	large = NewMask(200, 9)
	large.Union(small)
	if large.Count() != 70*3 {
		t.Errorf("union of a smaller mask has %d pixels, want %d", large.Count(), 70*3)
	}
	large.Union(nil)
	var none *Mask
	if none.At(0, 0) {
		t.Error("no mask holds a pixel")
	}
}

func TestMaskSurvivesEncoding(t *testing.T) {
	for seed := range uint64(30) {
		r := newRand(seed)
		m := scattered(seed, 1+r.IntN(300), 1+r.IntN(40))
		if seed == 0 {
			m = NewMask(0, 0)
		}
		data, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var back Mask
		if err := back.UnmarshalBinary(data); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again, err := back.MarshalBinary()
		if err != nil || !bytes.Equal(again, data) || back.Count() != m.Count() {
			t.Errorf("seed %d: %d pixels came back as %d, error %v", seed, m.Count(), back.Count(), err)
		}
	}
}

func TestMaskRefusesBadData(t *testing.T) {
	for name, bad := range map[string]struct {
		data []byte
		kind error
	}{
		"nothing":      {nil, ErrCorrupt},
		"version":      {[]byte{9, 1, 1, 1}, ErrCorrupt},
		"no height":    {[]byte{maskVersion, 5}, ErrCorrupt},
		"no runs":      {[]byte{maskVersion, 5, 5}, ErrCorrupt},
		"run too long": {[]byte{maskVersion, 5, 5, 26}, ErrCorrupt},
		"huge":         {[]byte{maskVersion, 0xff, 0xff, 0x3f, 0xff, 0xff, 0x3f}, ErrTooLarge},
		"endless":      {bytes.Repeat([]byte{0xff}, 30), ErrCorrupt},
	} {
		if err := new(Mask).UnmarshalBinary(bad.data); !errors.Is(err, bad.kind) {
			t.Errorf("%s: error %v, want %v", name, err, bad.kind)
		}
	}
}

// TestMaskPNGShowsTheMasks reads mask pictures back with image/png.
func TestMaskPNGShowsTheMasks(t *testing.T) {
	for seed := range uint64(20) {
		r := newRand(seed)
		width, height := 1+r.IntN(400), 1+r.IntN(60)
		result := &Result{Width: width, Height: height}
		if seed != 0 {
			result.changed, result.aa = scattered(seed, width, height), scattered(seed+99, width, height)
			for i, word := range result.changed.words {
				result.aa.words[i] &^= word
			}
		}
		data, err := result.MaskPNG(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		paletted, ok := img.(*image.Paletted)
		if !ok || img.Bounds() != image.Rect(0, 0, width, height) {
			t.Fatalf("seed %d: %T of %v, want a palette of %d × %d", seed, img, img.Bounds(), width, height)
		}
		for y := range height {
			for x := range width {
				want := maskNothing
				if result.changed.At(x, y) {
					want = maskChanged
				} else if result.aa.At(x, y) {
					want = maskAntiAliased
				}
				if got := int(paletted.ColorIndexAt(x, y)); got != want {
					t.Fatalf("seed %d: pixel %d,%d is %d, want %d", seed, x, y, got, want)
				}
			}
		}
	}
}

func TestMaskPNGOfALongPageIsSmall(t *testing.T) {
	result := &Result{Width: 1440, Height: 8000, changed: NewMask(1440, 8000)}
	result.changed.SetRect(image.Rect(100, 4000, 700, 4100))
	data, err := result.MaskPNG(t.Context())
	if err != nil || len(data) > 25_000 {
		t.Errorf("%d bytes, error %v; want at most 25,000", len(data), err)
	}
}
