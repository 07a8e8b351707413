package imgdiff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"testing"
	"time"
)

// TestEveryCallHearsItsContext: no call works for a caller who is gone.
func TestEveryCallHearsItsContext(t *testing.T) {
	before, after := newCanvas(90, 300, color.NRGBA{200, 10, 10, 255}), newCanvas(90, 300, color.NRGBA{10, 200, 10, 255})
	grey := image.NewGray(image.Rect(0, 0, 90, 300)) // goes through another decoder
	files := [][]byte{encode(t, before), encode(t, after), encode(t, grey)}
	o := DefaultOptions()
	o.Keep = true
	result, err := Compare(t.Context(), files[0], files[1], o)
	if err != nil {
		t.Fatal(err)
	}
	defer result.Release()
	mask, err := result.MaskPNG(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	box := image.Rect(0, 0, 50, 50)
	for name, call := range map[string]func() error{
		"Compare":          func() error { _, err := Compare(gone, files[0], files[1], o); return err },
		"Compare, same":    func() error { _, err := Compare(gone, files[0], bytes.Clone(files[0]), o); return err },
		"Compare, foreign": func() error { _, err := Compare(gone, files[0], files[2], o); return err },
		"CompareImages":    func() error { _, err := CompareImages(gone, before, after, o); return err },
		"Blank":            func() error { _, err := Blank(gone, files[0]); return err },
		"Preview":          func() error { _, err := Preview(gone, files[0], 80); return err },
		"Crop":             func() error { _, err := Crop(gone, files[0], box, 40, 80); return err },
		"Result.Crop":      func() error { _, err := result.Crop(gone, After, box, 40, 80); return err },
		"MaskPNG":          func() error { _, err := result.MaskPNG(gone); return err },
		"Compose":          func() error { return result.Compose(gone, io.Discard, ComposeOptions{}) },
		"Overlay":          func() error { return Overlay(gone, io.Discard, files[1], mask, ComposeOptions{}) },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestEndsInTheMiddle: a deadline that comes while a comparison is under way
// ends it long before it would have ended by itself.
func TestEndsInTheMiddle(t *testing.T) {
	page := benchPage{height: 6000}
	before, after := encode(t, page.draw()), encode(t, recoloured(benchPage{height: 6000, banner: 40, words: true}.draw(), 90))
	start := time.Now()
	if _, err := Compare(t.Context(), before, after, DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(start)
	least := whole
	for share := 2; share < 12; share++ {
		limit := whole / time.Duration(share)
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		start := time.Now()
		_, err := Compare(ctx, before, after, DefaultOptions())
		took := time.Since(start)
		cancel()
		if err == nil {
			continue // faster than the first time
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error %v", err)
		}
		least = min(least, took-limit)
	}
	if least > whole/4 {
		t.Errorf("the deadline was heard %v late, where a comparison takes %v", least, whole)
	}
}

// TestAlignmentKeepsToItsBound: whatever bound alignment has, it keeps to it, and
// the result is a right one that tells that it was reached.
func TestAlignmentKeepsToItsBound(t *testing.T) {
	cut := 0
	for seed := range uint64(60) {
		e := newEdit(newRand(seed))
		a, b := drawPage(e.before), drawPage(e.after)
		free, err := CompareImages(t.Context(), a, b, DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if free.AlignmentCut {
			t.Errorf("page %d reaches the default bound", seed)
		}
		rows := int64(a.Rect.Dy() + b.Rect.Dy())
		for effort := 1; effort <= 16; effort *= 2 {
			o := DefaultOptions()
			o.Effort = effort
			name := fmt.Sprintf("page %d with effort %d", seed, effort)
			bounded, err := CompareImages(t.Context(), a, b, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if bounded.AlignmentWork > int64(effort)*rows*pageWidth {
				t.Errorf("%s: %d pixels of %d rows looked at", name, bounded.AlignmentWork, rows)
			}
			if bounded.Changed != free.Changed || bounded.AlignedPercent > bounded.Percent {
				t.Errorf("%s: %d changed, aligned %v %% of %v %%", name, bounded.Changed, bounded.AlignedPercent, bounded.Percent)
			}
			if bounded.AlignmentCut {
				cut++
			} else if bounded.Residual != free.Residual || bounded.AlignmentWork != free.AlignmentWork {
				t.Errorf("%s: another result than without a bound, and it does not tell", name)
			}
		}
	}
	if cut == 0 {
		t.Error("the bound was never reached")
	}
}

// TestManyPassesAreRefused: a small JPEG file can ask for any number of passes
// over a large picture.
func TestManyPassesAreRefused(t *testing.T) {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, newCanvas(30, 30, white), nil); err != nil {
		t.Fatal(err)
	}
	once := out.Bytes()
	pass, end := bytes.Index(once, []byte{0xff, 0xda}), len(once)-2
	file := append(bytes.Clone(once[:pass]), bytes.Repeat(once[pass:end], maxScans+1)...)
	file = append(file, once[end:]...)
	if _, err := Blank(t.Context(), file); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}
