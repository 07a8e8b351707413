package imgdiff

import (
	"bytes"
	"context"
	"image"
	"testing"
)

// FuzzCompare compares any two inputs in every way and holds the results to
// what must always be true.
func FuzzCompare(f *testing.F) {
	r := newRand(2)
	for _, kind := range pairKinds {
		a, b := kind.make(r)
		f.Add(encode(f, a), encode(f, b), uint8(10), uint8(0))
		f.Add(encode(f, a), encode(f, a), uint8(0), uint8(3))
	}
	for seed := range uint64(4) {
		e := newEdit(newRand(seed))
		f.Add(encode(f, drawPage(e.before)), encode(f, drawPage(e.after)), uint8(10), uint8(2+seed%2*4))
	}
	for _, bad := range badFiles(f) {
		if len(bad.data) < 10_000 {
			f.Add(bad.data, bad.data, uint8(10), uint8(0))
		}
	}
	f.Fuzz(func(t *testing.T, before, after []byte, threshold, flags uint8) {
		o := Options{
			Threshold: float64(threshold) / 100, IncludeAntiAliased: flags&1 != 0,
			Align: flags&2 != 0, AlignedOnly: flags&4 != 0, MaxPixels: 1 << 16,
		}
		if flags&8 != 0 {
			o.Ignore = []image.Rectangle{image.Rect(2, 2, 9, 30)}
		}
		result, err := Compare(t.Context(), mendChecksums(before), mendChecksums(after), o)
		if err != nil {
			return
		}
		checkInvariants(t, result)
		if result.AlignedOnly {
			return
		}
		// The way through the files must give what the way through decoded
		// pictures does.
		a, errA := decode(newEffort(t.Context()), mendChecksums(before), o.MaxPixels)
		b, errB := decode(newEffort(t.Context()), mendChecksums(after), o.MaxPixels)
		if errA != nil || errB != nil {
			return // equal files are not decoded to their end
		}
		again, err := CompareImages(t.Context(), asImage(a), asImage(b), o)
		if err != nil {
			t.Fatal(err)
		}
		if again.Changed != result.Changed || again.AntiAliased != result.AntiAliased || again.Equal != result.Equal {
			t.Fatalf("files: %d, %d, %v; images: %d, %d, %v", result.Changed, result.AntiAliased, result.Equal,
				again.Changed, again.AntiAliased, again.Equal)
		}
	})
}

// asImage copies a picture and releases it.
func asImage(p *picture) image.Image {
	p.finishAll(newEffort(context.Background()))
	p = p.withAlpha(newEffort(context.Background()))
	defer p.release()
	img := image.NewNRGBA(image.Rect(0, 0, p.width, p.height))
	for y := range p.height {
		copy(img.Pix[y*img.Stride:], p.row(y)[:4*p.width])
	}
	return img
}

// checkInvariants tells what is true of every result.
func checkInvariants(t *testing.T, r *Result) {
	t.Helper()
	union := image.Rect(0, 0, r.Width, r.Height)
	if r.Percent < 0 || r.Percent > 100 || r.AlignedPercent < 0 || r.AlignedPercent > r.Percent {
		t.Fatalf("percent %v, aligned %v", r.Percent, r.AlignedPercent)
	}
	if r.Equal && (r.Changed != 0 || r.AntiAliased != 0 || len(r.Bands) != 0) {
		t.Fatalf("equal pictures: %+v", r)
	}
	if n := r.ChangedMask().Count(); !r.AlignedOnly && n != r.Changed {
		t.Fatalf("%d pixels in the mask, %d changed", n, r.Changed)
	}
	if n := r.AntiAliasedMask().Count(); n != r.AntiAliased {
		t.Fatalf("%d pixels in the mask, %d anti-aliased", n, r.AntiAliased)
	}
	for i, region := range r.Regions {
		if region.ID != i+1 || region.Box.Empty() || !region.Box.In(union) || region.Pixels < 1 ||
			region.MeanDelta < 0 || region.MeanDelta > 1.0001 || region.SSIM < -1.0001 || region.SSIM > 1.0001 {
			t.Fatalf("region %+v", region)
		}
	}
	for _, band := range r.Bands {
		if band.Rows < 1 || band.YBefore < 0 || band.YAfter < 0 || band.X0 < 0 || band.X1 > r.Width || band.X0 >= band.X1 ||
			band.Kind != BandInserted && band.YBefore+band.Rows > r.Before.Y ||
			band.Kind != BandDeleted && band.YAfter+band.Rows > r.After.Y {
			t.Fatalf("band %+v", band)
		}
	}
	if _, err := r.MaskPNG(t.Context()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.Compose(t.Context(), &out, ComposeOptions{}); err != nil && !r.Equal {
		t.Fatal(err)
	}
}

// FuzzMask: whatever decodes also encodes, to the same mask.
func FuzzMask(f *testing.F) {
	for seed := range uint64(4) {
		data, err := scattered(seed, 100, 9).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var m, back Mask
		if m.UnmarshalBinary(data) != nil {
			return
		}
		encoded, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := back.UnmarshalBinary(encoded); err != nil || back.Count() != m.Count() {
			t.Fatalf("%d pixels came back as %d, error %v", m.Count(), back.Count(), err)
		}
	})
}
