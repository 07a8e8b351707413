package imgdiff

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
)

func TestComposeMarksWhatChanged(t *testing.T) {
	before := newCanvas(200, 150, white)
	before.fillBox(image.Rect(0, 0, 200, 20), color.NRGBA{0, 0, 0, 255})
	after := before.copy()
	box := image.Rect(60, 60, 100, 90)
	after.fillBox(box, color.NRGBA{30, 60, 200, 255})
	result, err := Compare(t.Context(), encode(t, before), encode(t, after), DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := result.Compose(t.Context(), &out, ComposeOptions{}); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[image.Point]color.NRGBA{
		{80, 75}:  {255, 0, 0, 255},     // changed
		{150, 10}: {178, 178, 178, 255}, // black, faded
		{5, 140}:  {255, 255, 255, 255},
		{57, 70}:  {0, 90, 255, 255}, // outline
	} {
		if got := color.NRGBAModel.Convert(img.At(at.X, at.Y)); got != want {
			t.Errorf("pixel %v is %v, want %v", at, got, want)
		}
	}
	if err := result.Compose(t.Context(), &out, ComposeOptions{Opacity: 2}); !errors.Is(err, ErrOptions) {
		t.Errorf("opacity 2: error %v", err)
	}
	if err := result.Compose(t.Context(), &out, ComposeOptions{Opacity: 1, NoOutlines: true}); err != nil {
		t.Error(err)
	}
}

// TestComposeFillsTheUnion: the picture has the size of the union, also when
// the after picture is the smaller one.
func TestComposeFillsTheUnion(t *testing.T) {
	result, err := CompareImages(t.Context(), newCanvas(50, 90, white), newCanvas(80, 40, white), DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := result.Compose(t.Context(), &out, ComposeOptions{}); err != nil {
		t.Fatal(err)
	}
	config, err := png.DecodeConfig(&out)
	if err != nil || config.Width != 80 || config.Height != 90 {
		t.Errorf("picture of %d × %d, error %v; want 80 × 90", config.Width, config.Height, err)
	}
}

// TestPreviewHalves: clients lay boxes over previews with the factor 2.
func TestPreviewHalves(t *testing.T) {
	page := newCanvas(1000, 400, white)
	page.fillBox(image.Rect(0, 0, 500, 400), color.NRGBA{200, 40, 40, 255})
	for name, test := range map[string]struct {
		data []byte
		want image.Point
	}{
		"even": {encode(t, page), image.Pt(500, 200)},
		"odd":  {encode(t, newCanvas(391, 1001, white)), image.Pt(196, 501)},
		"one":  {encode(t, newCanvas(1, 1, white)), image.Pt(1, 1)},
		"tall": {encode(t, newCanvas(10, 40_000, color.NRGBA{0, 0, 0, 0})), image.Pt(5, 20_000)},
		"wide": {encode(t, newCanvas(140_000, 9, white)), image.Pt(65_535, 4)},
	} {
		data, err := Preview(t.Context(), test.data, 80)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		img, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Size() != test.want {
			t.Errorf("%s: %v, error %v; want %v", name, img.Bounds(), err, test.want)
			continue
		}
		if name == "even" {
			if r, g, _, _ := img.At(120, 50).RGBA(); r>>8 < 190 || g>>8 > 60 {
				t.Errorf("the red half is %v", img.At(120, 50))
			}
			continue
		}
		if r, _, _, _ := img.At(0, 0).RGBA(); r>>8 < 250 {
			t.Errorf("%s: the picture is not white", name)
		}
	}
	for _, quality := range []int{0, 101} {
		if _, err := Preview(t.Context(), encode(t, page), quality); !errors.Is(err, ErrOptions) {
			t.Errorf("quality %d: error %v", quality, err)
		}
	}
}
