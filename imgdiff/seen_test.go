package imgdiff

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"testing"
)

// TestSeenExplainsTheAlignedDifference: what is marked is what AlignedPercent counts, except deleted rows, which have no
// place in the after picture; every band and every remaining pixel lies in the box of a change.
func TestSeenExplainsTheAlignedDifference(t *testing.T) {
	shifted := 0
	for seed := range uint64(150) {
		e := newEdit(newRand(seed))
		r, err := CompareImages(t.Context(), drawPage(e.before), drawPage(e.after), DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		checkReadingOrder(t, seed, r.Seen)
		if r.seen == nil {
			continue
		}
		shifted++
		deleted, seams := 0, NewMask(r.Width, r.Height)
		for _, band := range r.Bands {
			if band.Kind == BandDeleted {
				deleted += band.Rows * (band.X1 - band.X0)
				seams.SetRect(seam(band.X0, band.X1, band.YAfter, band.Rows, r.Height))
			}
			checkBand(t, seed, r, band)
		}
		marked := r.Residual + r.seen.inserted.countOrNone() + deleted
		if want := r.AlignedPercent * float64(r.Width*r.Height) / 100; math.Abs(want-float64(marked)) > 0.5 {
			t.Errorf("seed %d: %d pixels are marked, AlignedPercent counts %.1f", seed, marked, want)
		}
		for y := range r.Height {
			r.seen.changed.each(y, func(x int) {
				if !seams.At(x, y) && !inAny(r.Seen, image.Pt(x, y)) && r.SeenLeftOut == 0 {
					t.Fatalf("seed %d: the changed pixel %d,%d is in no change", seed, x, y)
				}
			})
		}
	}
	if shifted < 50 {
		t.Errorf("only %d of the pairs had rows that moved", shifted)
	}
}

func checkReadingOrder(t *testing.T, seed uint64, seen []Region) {
	t.Helper()
	for i, region := range seen {
		if region.ID != i+1 || region.Kind == "" || i > 0 && region.Box.Min.Y < seen[i-1].Box.Min.Y {
			t.Errorf("seed %d: change %d is %+v", seed, i, region)
		}
	}
}

// checkBand looks for the change of a band.
func checkBand(t *testing.T, seed uint64, r *Result, band Band) {
	t.Helper()
	for _, region := range r.Seen {
		rows := region.Box
		if band.Kind == BandDeleted {
			rows = region.BeforeBox
		}
		if band.Kind == BandChanged || region.Kind == band.Kind && rows.Dy() == band.Rows && !region.Box.Empty() {
			return
		}
	}
	t.Errorf("seed %d: no change shows the band %+v", seed, band)
}

func inAny(regions []Region, p image.Point) bool {
	for _, region := range regions {
		if p.In(region.Box) {
			return true
		}
	}
	return false
}

// countOrNone is the number of pixels of a mask that may be nil.
func (m *Mask) countOrNone() int {
	if m == nil {
		return 0
	}
	return m.Count()
}

// TestTheMaskOfAShiftedPageMarksTheBandOnly: a banner at the top pushes the page down, and nothing else is marked.
func TestTheMaskOfAShiftedPageMarksTheBandOnly(t *testing.T) {
	page := []block{{40, 11}, {12, 0}, {60, 12}, {12, 0}, {50, 13}, {12, 0}, {45, 14}}
	banner := append([]block{{30, 99}}, page...)
	for name, test := range map[string]struct {
		before, after []block
		marked        image.Rectangle
		entry         uint8
	}{
		"inserted": {page, banner, image.Rect(0, 0, pageWidth, 30), maskInserted},
		"deleted":  {banner, page, image.Rect(0, 0, pageWidth, seamRows), maskChanged},
	} {
		r, err := CompareImages(t.Context(), drawPage(test.before), drawPage(test.after), DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		data, err := r.MaskPNG(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		mask := img.(*image.Paletted)
		for i, entry := range mask.Pix {
			in := image.Pt(i%mask.Stride, i/mask.Stride).In(test.marked)
			if in != (entry == test.entry) || !in && entry != maskNothing {
				t.Fatalf("%s: pixel %d,%d is %d", name, i%mask.Stride, i/mask.Stride, entry)
			}
		}
		if len(r.Seen) != 1 || r.Seen[0].Box != test.marked {
			t.Errorf("%s: %+v", name, r.Seen)
		}
	}
}
