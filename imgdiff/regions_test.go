package imgdiff

import (
	"bytes"
	"image"
	"image/color"
	"testing"
)

var white = color.NRGBA{255, 255, 255, 255}

// fillBox paints a box in one colour.
func (c canvas) fillBox(box image.Rectangle, ink color.NRGBA) {
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c.SetNRGBA(x, y, ink)
		}
	}
}

// boxesChanged compares a white page with one on which boxes are black.
func boxesChanged(t *testing.T, width, height int, o Options, boxes ...image.Rectangle) *Result {
	t.Helper()
	before := newCanvas(width, height, white)
	after := before.copy()
	for _, box := range boxes {
		after.fillBox(box, color.NRGBA{0, 0, 0, 255})
	}
	result, err := CompareImages(t.Context(), before.NRGBA, after.NRGBA, o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestRegionsAreClusters(t *testing.T) {
	exact := Options{Threshold: DefaultThreshold, IncludeAntiAliased: true}
	word1, word2 := image.Rect(40, 40, 70, 52), image.Rect(78, 41, 120, 52)
	far := image.Rect(300, 200, 340, 230)
	result := boxesChanged(t, 400, 300, exact, word1, word2, far)
	if len(result.Regions) != 2 {
		t.Fatalf("%d regions, want two words as one and the far box: %+v", len(result.Regions), result.Regions)
	}
	if got := result.Regions[0]; got.ID != 1 || got.Box != far || got.Pixels != 40*30 || got.MeanDelta < 0.9 {
		t.Errorf("heaviest region %+v, want %v", got, far)
	}
	if got := result.Regions[1]; got.ID != 2 || got.Box != word1.Union(word2) {
		t.Errorf("second region %+v, want %v", got, word1.Union(word2))
	}
	if result.MinSSIM > 0.5 {
		t.Errorf("lowest SSIM %v, want the black boxes to show", result.MinSSIM)
	}
}

func TestRegionsMergeWithinGap(t *testing.T) {
	for gap, want := range map[int]int{mergeGap - 1: 1, mergeGap + 2*cellSide*(reachCells+1): 2} {
		result := boxesChanged(t, 300, 100, DefaultOptions(),
			image.Rect(20, 20, 60, 60), image.Rect(60+gap, 20, 100+gap, 60))
		if len(result.Regions) != want {
			t.Errorf("boxes %d apart make %d regions, want %d", gap, len(result.Regions), want)
		}
	}
}

// TestSpecks: a few pixels that hardly change their surroundings are no
// region, but as few that do are.
func TestSpecks(t *testing.T) {
	noisy := newCanvas(200, 200, white)
	r := newRand(4)
	for i := range noisy.Pix {
		if i&3 != 3 {
			noisy.Pix[i] = uint8(r.Uint32())
		}
	}
	after := noisy.copy()
	after.fillBox(image.Rect(100, 100, 102, 102), color.NRGBA{0, 255, 0, 255})
	o := Options{Threshold: DefaultThreshold, IncludeAntiAliased: true}
	result, err := CompareImages(t.Context(), noisy.NRGBA, after.NRGBA, o)
	if err != nil {
		t.Fatal(err)
	}
	if result.Changed == 0 || len(result.Regions) != 0 {
		t.Errorf("a speck in noise: %d pixels in regions %+v, want none", result.Changed, result.Regions)
	}
	result = boxesChanged(t, 200, 20_000, o, image.Rect(100, 100, 102, 103))
	if len(result.Regions) != 1 {
		t.Errorf("six black pixels on a white page of 20,000 rows: regions %+v, want one", result.Regions)
	}
}

func TestRegionsAreCapped(t *testing.T) {
	var boxes []image.Rectangle
	for i := range 20 {
		for j := range 20 {
			boxes = append(boxes, image.Rect(60*i, 60*j, 60*i+8, 60*j+8))
		}
	}
	result := boxesChanged(t, 1200, 1200, DefaultOptions(), boxes...)
	if len(result.Regions) != MaxRegions || result.RegionsLeftOut != 400-MaxRegions {
		t.Errorf("%d regions and %d left out of 400", len(result.Regions), result.RegionsLeftOut)
	}
}

func TestFingerprintFollowsShape(t *testing.T) {
	o := Options{Threshold: DefaultThreshold, IncludeAntiAliased: true}
	shape := func(x, y int) []image.Rectangle {
		return []image.Rectangle{image.Rect(x, y, x+60, y+12), image.Rect(x, y+12, x+12, y+50)}
	}
	one := boxesChanged(t, 300, 300, o, shape(20, 20)...).Regions[0].Fingerprint
	moved := boxesChanged(t, 900, 500, o, shape(331, 207)...).Regions[0].Fingerprint
	other := boxesChanged(t, 300, 300, o, image.Rect(20, 20, 80, 70)).Regions[0].Fingerprint
	if one != moved {
		t.Errorf("the same shape elsewhere: %v and %v", one, moved)
	}
	if one == other {
		t.Errorf("another shape has the same fingerprint %v", one)
	}
	if len(one.String()) != 16 {
		t.Errorf("fingerprint %q, want 16 digits", one.String())
	}
}

func TestIgnoredPixelsDoNotCount(t *testing.T) {
	box := image.Rect(50, 50, 90, 70)
	o := DefaultOptions()
	o.Ignore = []image.Rectangle{image.Rect(40, 40, 70, 90)}
	o.Instability = NewMask(80, 300)
	o.Instability.SetRect(image.Rect(70, 0, 80, 300))
	result := boxesChanged(t, 300, 300, o, box)
	if result.Changed != 10*20 || result.Regions[0].Box != image.Rect(80, 50, 90, 70) || result.Equal {
		t.Errorf("result %+v, want the 10 × 20 pixels outside what is ignored", result)
	}
	o.Ignore = []image.Rectangle{image.Rect(-10, -10, 1000, 1000)}
	result = boxesChanged(t, 300, 300, o, box)
	if result.Changed != 0 || result.Percent != 0 || len(result.Regions) != 0 {
		t.Errorf("everything ignored: %+v", result)
	}
}

// TestUnequalSizes: what lies outside either picture counts.
func TestUnequalSizes(t *testing.T) {
	before, after := newCanvas(100, 80, white), newCanvas(120, 60, white)
	for _, align := range []bool{false, true} {
		result, err := CompareImages(t.Context(), before.NRGBA, after.NRGBA, Options{Threshold: DefaultThreshold, Align: align})
		if err != nil {
			t.Fatal(err)
		}
		if result.Width != 120 || result.Height != 80 || result.Before != image.Pt(100, 80) || result.After != image.Pt(120, 60) {
			t.Errorf("sizes %+v", result)
		}
		if want := 120*80 - 100*60; result.Changed != want {
			t.Errorf("%d changed pixels, want %d", result.Changed, want)
		}
	}
	mask, err := Compare(t.Context(), encode(t, before), encode(t, after), DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if changed := mask.ChangedMask(); changed.At(99, 59) || !changed.At(100, 0) || !changed.At(0, 60) {
		t.Error("the mask does not follow the overlap")
	}
}

func TestBlank(t *testing.T) {
	noise := newCanvas(300, 400, color.NRGBA{250, 250, 250, 255})
	r := newRand(8)
	for i := range noise.Pix {
		if i&3 != 3 {
			noise.Pix[i] += uint8(r.IntN(3))
		}
	}
	word := newCanvas(300, 400, white)
	word.fillBox(image.Rect(10, 390, 13, 393), color.NRGBA{0, 0, 0, 255})
	stray := newCanvas(300, 400, white)
	stray.fillBox(image.Rect(10, 390, 12, 394), color.NRGBA{0, 0, 0, 255})
	for name, test := range map[string]struct {
		page canvas
		want bool
	}{
		"white": {newCanvas(300, 400, white), true}, "dark": {newCanvas(1, 1, color.NRGBA{3, 3, 3, 255}), true},
		"noise": {noise, true}, "word": {word, false}, "eight stray pixels": {stray, true},
		"translucent": {newCanvas(20, 20, color.NRGBA{3, 3, 3, 9}), true},
	} {
		data := encode(t, test.page)
		if got, err := Blank(t.Context(), data); err != nil || got != test.want {
			t.Errorf("%s: blank %v, error %v, want %v", name, got, err, test.want)
		}
		result, err := Compare(t.Context(), data, encode(t, newCanvas(300, 400, color.NRGBA{90, 80, 70, 255})), DefaultOptions())
		if err != nil || result.BlankBefore != test.want || !result.BlankAfter {
			t.Errorf("%s: compared: %+v, error %v", name, result, err)
		}
		result, err = Compare(t.Context(), data, bytes.Clone(data), DefaultOptions())
		if err != nil || !result.Equal || result.BlankBefore != test.want || result.BlankAfter != test.want {
			t.Errorf("%s: against itself: %+v, error %v", name, result, err)
		}
	}
}
