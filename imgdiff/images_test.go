package imgdiff

import (
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"slices"
	"sync"
	"testing"
)

// onlyImage hides what type an image has.
type onlyImage struct{ image.Image }

// TestImageTypesGiveTheSameCounts: borrowed, converted and hidden pixels are
// compared alike.
func TestImageTypesGiveTheSameCounts(t *testing.T) {
	for seed := range uint64(20) {
		a, b := textPair(newRand(seed))
		want, err := CompareImages(t.Context(), a, b, DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		wide := func(img *image.NRGBA) *image.NRGBA { // the picture lies inside a larger one
			outer := newCanvas(img.Rect.Dx()+9, img.Rect.Dy()+7, randomColour(newRand(seed)))
			draw.Draw(outer.NRGBA, img.Rect.Add(image.Pt(4, 5)), img, image.Point{}, draw.Src)
			return outer.SubImage(img.Rect.Add(image.Pt(4, 5))).(*image.NRGBA)
		}
		premultiplied := func(img *image.NRGBA) *image.RGBA {
			out := image.NewRGBA(img.Rect)
			draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
			return out
		}
		for name, pair := range map[string][2]image.Image{
			"part":   {wide(a), wide(b)},
			"RGBA":   {premultiplied(a), premultiplied(b)},
			"mixed":  {a, premultiplied(b)},
			"hidden": {onlyImage{a}, onlyImage{b}}, "half hidden": {a, onlyImage{b}},
		} {
			got, err := CompareImages(t.Context(), pair[0], pair[1], DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			if got.Changed != want.Changed || got.AntiAliased != want.AntiAliased || !slices.Equal(got.Bands, want.Bands) {
				t.Errorf("seed %d, %s: %d and %d pixels, want %d and %d", seed, name, got.Changed, got.AntiAliased, want.Changed,
					want.AntiAliased)
			}
		}
	}
}

// TestTranslucentPremultipliedPixels are converted before they are compared.
func TestTranslucentPremultipliedPixels(t *testing.T) {
	for seed := range uint64(20) {
		a, b := alphaPair(newRand(seed))
		flatA, flatB := image.NewRGBA(a.Rect), image.NewRGBA(b.Rect)
		draw.Draw(flatA, a.Rect, a, image.Point{}, draw.Src)
		draw.Draw(flatB, b.Rect, b, image.Point{}, draw.Src)
		got, err := CompareImages(t.Context(), flatA, flatB, DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		// Premultiplying rounds, so the reference is what comes back.
		want, err := CompareImages(t.Context(), onlyImage{flatA}, onlyImage{flatB}, DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if got.Changed != want.Changed || got.AntiAliased != want.AntiAliased {
			t.Errorf("seed %d: %d and %d pixels, want %d and %d", seed, got.Changed, got.AntiAliased, want.Changed, want.AntiAliased)
		}
	}
}

func TestPalettesAndGreys(t *testing.T) {
	grey, paletted := image.NewGray(image.Rect(0, 0, 30, 20)), image.NewPaletted(image.Rect(0, 0, 30, 20), palette.WebSafe)
	for i := range grey.Pix {
		grey.Pix[i] = uint8(i%6) * 51
		paletted.Set(i%30, i/30, color.Gray{grey.Pix[i]})
	}
	result, err := CompareImages(t.Context(), grey, paletted, Options{})
	if err != nil || !result.Equal {
		t.Errorf("the same greys: %+v, error %v", result, err)
	}
}

// TestConcurrentComparisons share pools, but nothing else.
func TestConcurrentComparisons(t *testing.T) {
	type job struct {
		before, after []byte
		want          *Result
	}
	var jobs []job
	for seed := range uint64(6) {
		e := newEdit(newRand(seed))
		before, after := encode(t, drawPage(e.before)), encode(t, drawPage(e.after))
		want, err := Compare(t.Context(), before, after, DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, job{before, after, want})
	}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for round := range 12 {
				j := jobs[(worker+round)%len(jobs)]
				got, err := Compare(t.Context(), j.before, j.after, DefaultOptions())
				if err != nil {
					t.Error(err)
					return
				}
				if got.Changed != j.want.Changed || got.AntiAliased != j.want.AntiAliased || !slices.Equal(got.Regions, j.want.Regions) ||
					!slices.Equal(got.Bands, j.want.Bands) || got.Residual != j.want.Residual {
					t.Errorf("worker %d, round %d: another result than alone", worker, round)
				}
			}
		})
	}
	wg.Wait()
}
