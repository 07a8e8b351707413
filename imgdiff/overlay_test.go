package imgdiff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"testing"
)

// composed is what both ways to the comparison picture give.
func composed(t *testing.T, before, after []byte, options Options, o ComposeOptions) (direct, later []byte) {
	t.Helper()
	result, err := Compare(t.Context(), before, after, options)
	if err != nil {
		t.Fatal(err)
	}
	mask, err := result.MaskPNG(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var a, b bytes.Buffer
	if err := result.Compose(t.Context(), &a, o); err != nil {
		t.Fatal(err)
	}
	if err := Overlay(t.Context(), &b, after, mask, o); err != nil {
		t.Fatal(err)
	}
	return a.Bytes(), b.Bytes()
}

// TestOverlayIsCompose: the picture made later from the mask is the one that
// the comparison would have made, byte by byte.
func TestOverlayIsCompose(t *testing.T) {
	looks := []ComposeOptions{{}, {Opacity: 1}, {Opacity: 0.4, NoOutlines: true}}
	ways := []Options{{}, DefaultOptions(), {Threshold: 0.1, AlignedOnly: true}, {Threshold: 0.3, IncludeAntiAliased: true}}
	check := func(name string, before, after []byte) {
		t.Helper()
		for i, way := range ways {
			if direct, later := composed(t, before, after, way, looks[i%len(looks)]); !bytes.Equal(direct, later) {
				t.Errorf("%s, way %d: %d bytes by Compose and %d others by Overlay", name, i, len(direct), len(later))
			}
		}
	}
	r := newRand(7)
	for _, kind := range pairKinds {
		a, b := kind.make(r)
		check(kind.name, encode(t, a), encode(t, b))
		check(kind.name+" against itself", encode(t, a), encode(t, a))
	}
	for seed := range uint64(6) {
		e := newEdit(newRand(seed))
		check(fmt.Sprint("page ", seed), encode(t, drawPage(e.before)), encode(t, drawPage(e.after)))
	}
	wide, tall := newCanvas(80, 40, white), newCanvas(50, 90, white)
	check("unequal sizes", encode(t, tall), encode(t, wide))
	check("one inside the other", encode(t, newCanvas(80, 90, white)), encode(t, tall))
}

func TestOverlayRefusesWhatIsNoMaskOfThePicture(t *testing.T) {
	small, large := encode(t, newCanvas(40, 30, white)), encode(t, newCanvas(60, 30, white))
	result := &Result{Width: 40, Height: 30, changed: NewMask(40, 30)}
	result.changed.SetRect(image.Rect(3, 3, 9, 9))
	mask, err := result.MaskPNG(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// withText is the mask with a text in place of its boxes.
	withText := func(text string) []byte {
		i := bytes.Index(mask, []byte("IDAT")) - 4
		return append(appendChunk(bytes.Clone(mask[:i]), "tEXt", []byte(boxKeyword+text)), mask[i:]...)
	}
	foreign := bytes.Clone(mask)
	i := bytes.Index(foreign, []byte("PLTE")) - 4
	copy(foreign[i:], appendChunk(nil, "PLTE", []byte{0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}))
	tooMany := strings.Repeat("1,1,2,2 ", MaxRegions) + "1,1,2,2"
	for name, test := range map[string]struct {
		after, mask []byte
		kind        error
		side        string
	}{
		"nothing":          {small, nil, ErrFormat, "mask"},
		"another picture":  {small, small, ErrFormat, "mask"},
		"other colours":    {small, foreign, ErrFormat, "mask"},
		"cut off":          {small, mask[:len(mask)-20], ErrCorrupt, "mask"},
		"smaller":          {large, mask, ErrCorrupt, "mask"},
		"no after picture": {nil, mask, ErrFormat, "after"},
		"box outside":      {small, withText("1,1,40,2"), ErrCorrupt, "mask"},
		"empty box":        {small, withText("1,1,0,2"), ErrCorrupt, "mask"},
		"negative box":     {small, withText("-1,1,2,2"), ErrCorrupt, "mask"},
		"huge box":         {small, withText("9999999999999999999,1,2,2"), ErrCorrupt, "mask"},
		"half a box":       {small, withText("1,1,2"), ErrCorrupt, "mask"},
		"too many boxes":   {small, withText(tooMany), ErrCorrupt, "mask"},
	} {
		err := Overlay(t.Context(), io.Discard, test.after, test.mask, ComposeOptions{})
		var pe *PictureError
		if !errors.As(err, &pe) || !errors.Is(err, test.kind) || pe.Side != test.side {
			t.Errorf("%s: error %v, want %v of the %s", name, err, test.kind, test.side)
		}
	}
	if err := Overlay(t.Context(), io.Discard, small, mask, ComposeOptions{Opacity: -1}); !errors.Is(err, ErrOptions) {
		t.Errorf("opacity -1: error %v", err)
	}
	if err := Overlay(t.Context(), io.Discard, small, withText("1,1,2,2"), ComposeOptions{}); err != nil {
		t.Errorf("one good box: %v", err)
	}
}

// FuzzOverlay: no mask and no picture make it fail otherwise than by an error.
func FuzzOverlay(f *testing.F) {
	r := newRand(3)
	for _, kind := range pairKinds {
		a, b := kind.make(r)
		result, err := CompareImages(context.Background(), a, b, DefaultOptions())
		if err != nil {
			f.Fatal(err)
		}
		mask, err := result.MaskPNG(context.Background())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(encode(f, b), mask)
	}
	f.Fuzz(func(t *testing.T, after, mask []byte) {
		mask = mendChecksums(mask)
		for _, data := range [][]byte{after, mask} {
			if size, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && size.Width > 1<<16/max(size.Height, 1) {
				return // large ones are only slower
			}
		}
		var pe *PictureError
		if err := Overlay(t.Context(), io.Discard, after, mask, ComposeOptions{}); err != nil && !errors.As(err, &pe) {
			t.Fatal(err)
		}
	})
}
