package imgdiff

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"
)

// striped is white with a black bar in each of some boxes.
func striped(height int, boxes ...image.Rectangle) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 300, height))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for y := 5; y < height; y += 40 { // so that rows can be told apart
		for x := range 20 + y%97 {
			img.Set(x, y, color.NRGBA{uint8(y), uint8(y >> 3), 120, 255})
		}
	}
	for _, box := range boxes {
		for x := box.Min.X; x < box.Max.X; x += 2 {
			draw.Draw(img, image.Rect(x, box.Min.Y, x+1, box.Max.Y), image.Black, image.Point{}, draw.Src)
		}
	}
	return img
}

// TestSurfaces: a region knows what it looks like in both pictures.
func TestSurfaces(t *testing.T) {
	box := image.Rect(200, 100, 260, 130)
	result, err := Compare(t.Context(), encode(t, striped(400, box)), encode(t, striped(400)), DefaultOptions())
	if err != nil || len(result.Regions) != 1 || result.Remaining != nil {
		t.Fatalf("%+v (%v)", result, err)
	}
	r := result.Regions[0]
	if r.BeforeBox != r.Box || r.SurfaceBefore.Blank || r.SurfaceBefore.Edges < 0.9 || math.Abs(r.SurfaceBefore.Mean[0]-0.5) > 0.05 {
		t.Errorf("before: %v, %+v", r.BeforeBox, r.SurfaceBefore)
	}
	if a := r.SurfaceAfter; !a.Blank || a.Edges != 0 || a.Uniform != 1 || a.Mean != [3]float64{1, 1, 1} || a.Deviation != 0 {
		t.Errorf("after: %+v", a)
	}
}

// TestRemaining: what changed besides a shift is found where it is now and where it was, with the same fingerprint as without
// the shift.
func TestRemaining(t *testing.T) {
	box := image.Rect(200, 200, 260, 230)
	before := striped(400)
	after := striped(400, box)
	shifted := image.NewNRGBA(image.Rect(0, 0, 300, 470))
	draw.Draw(shifted, image.Rect(0, 0, 300, 100), after, image.Point{}, draw.Src)
	draw.Draw(shifted, image.Rect(0, 100, 300, 170), image.NewUniform(color.NRGBA{200, 60, 60, 255}), image.Point{}, draw.Src)
	draw.Draw(shifted, image.Rect(0, 170, 300, 470), after, image.Pt(0, 100), draw.Src)
	alone, err := Compare(t.Context(), encode(t, before), encode(t, after), DefaultOptions())
	if err != nil || len(alone.Regions) != 1 {
		t.Fatalf("%+v (%v)", alone, err)
	}
	result, err := Compare(t.Context(), encode(t, before), encode(t, shifted), DefaultOptions())
	if err != nil || len(result.Remaining) != 1 || len(result.Regions) == 0 || len(result.Bands) == 0 {
		t.Fatalf("%+v (%v)", result, err)
	}
	got, want := result.Remaining[0], alone.Regions[0]
	if got.Box != want.Box.Add(image.Pt(0, 70)) || got.BeforeBox != want.Box || got.Fingerprint != want.Fingerprint ||
		got.Pixels != want.Pixels {
		t.Errorf("remaining %+v, want %+v 70 pixels further down", got, want)
	}
	if !got.SurfaceBefore.Blank || got.SurfaceAfter.Edges < 0.9 {
		t.Errorf("before %+v, after %+v", got.SurfaceBefore, got.SurfaceAfter)
	}
	for _, band := range result.Bands {
		if band.Kind == BandInserted && (!band.Surface.Blank || math.Abs(band.Surface.Mean[1]-60.0/255) > 0.01) {
			t.Errorf("the inserted band looks like %+v", band.Surface)
		}
	}
}

// BenchmarkSurfaces is the cost of measuring 20 regions of 400 × 150 pixels in both pictures.
func BenchmarkSurfaces(b *testing.B) {
	picture := image.NewNRGBA(image.Rect(0, 0, 1440, 4000))
	for i := range picture.Pix {
		picture.Pix[i] = uint8(i * 7)
	}
	p, ok := borrowPair(newEffort(b.Context()), picture, picture)
	if !ok {
		b.Fatal("the pictures are not borrowed")
	}
	c := newCounter(p, &Result{Width: 1440, Height: 4000}, DefaultOptions())
	for b.Loop() {
		regions := make([]Region, 20)
		for i := range regions {
			regions[i].Box = image.Rect(100, 180*i, 500, 180*i+150)
		}
		c.surfaces(regions)
		if regions[19].SurfaceAfter.Pixels == 0 {
			b.Fatal("nothing was measured")
		}
	}
}
