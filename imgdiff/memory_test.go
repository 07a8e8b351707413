package imgdiff

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
)

// hugeForms are files of 25 million pixels in a few ten kilobytes, of all forms, high and very wide.
func hugeForms() []pngForm {
	var forms []pngForm
	for _, size := range []image.Point{{X: 5000, Y: 5000}, {X: 1_000_000, Y: 25}} {
		for _, h := range pngForms {
			h.width, h.height = size.X, size.Y
			f := pngForm{pngHeader: h}
			if h.colour == pngPalette {
				f.palette, f.alphas = []byte{200, 100, 50}, []byte{100}
			}
			forms = append(forms, f)
		}
	}
	return forms
}

// blankFile makes a file of zeros without ever holding its rows.
func (f pngForm) blankFile(t testing.TB) []byte {
	t.Helper()
	var stream bytes.Buffer
	w, err := zlib.NewWriterLevel(&stream, zlib.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]byte, 1+(f.width*f.bits()+7)/8)
	for range f.height {
		if _, err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return f.wrap(stream.Bytes())
}

// TestMemoryOfHugePictures: whatever the form of a picture, small pictures, parts and strips of it, its check and the picture of a
// comparison take memory of some rows.
func TestMemoryOfHugePictures(t *testing.T) {
	const environment = "IMGDIFF_TEST_HUGE"
	if os.Getenv(environment) == "" {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		child.Env = append(os.Environ(), environment+"=1")
		if output, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v:\n%s", err, output)
		}
		return
	}
	debug.SetGCPercent(20) // to measure what is needed rather than what has not been freed yet
	mask := (&pngForm{pngHeader: pngHeader{width: 5000, height: 5000, depth: 2, colour: pngPalette},
		palette: maskPalette, alphas: maskAlphas}).blankFile(t)
	wideMask := (&pngForm{pngHeader: pngHeader{width: 1_000_000, height: 25, depth: 2, colour: pngPalette},
		palette: maskPalette, alphas: maskAlphas}).blankFile(t)
	// A preview takes 1.5 bytes for each of 25 million pixels; the widest rows take 8 MB, and as much without their filters.
	const limit = 64 << 20
	for i, f := range hugeForms() {
		file := f.blankFile(t)
		over := mask
		if f.width > 5000 {
			over = wideMask
		}
		low, wide := image.Rect(f.width-600, f.height-20, f.width, f.height), image.Rect(0, f.height-20, f.width, f.height)
		calls := map[string]func(context.Context) error{
			"crop": func(ctx context.Context) error { _, err := Crop(ctx, file, wide, 540, 80); return err },
		}
		if i%4 == 0 { // all of them read all pixels in the same way
			calls["part"] = func(ctx context.Context) error { _, err := Part(ctx, file, low); return err }
			calls["preview"] = func(ctx context.Context) error { _, err := Preview(ctx, file, 72); return err }
			calls["overlay"] = func(ctx context.Context) error { return Overlay(ctx, io.Discard, file, over, ComposeOptions{}) }
			calls["strips"] = func(ctx context.Context) error {
				return Strips(ctx, file, 1024, func([]byte) error { return nil })
			}
		}
		if i%4 == 1 && f.depth <= 8 {
			calls["check"] = func(ctx context.Context) error { _, _, err := CheckPNG(ctx, file, 0); return err }
		}
		for name, call := range calls {
			runtime.GC()
			before := highWater(t)
			if err := call(t.Context()); err != nil {
				t.Fatalf("%v: %s: %v", f, name, err)
			}
			if used := highWater(t) - before; used > limit {
				t.Errorf("%v: the %s took %d MB", f, name, used>>20)
			}
		}
	}
	t.Logf("%d MB at most", highWater(t)>>20)
	if most := highWater(t); most > 2*limit {
		t.Errorf("all of it took %d MB", most>>20)
	}
}

// TestHugeInterlacedPicturesAreRefused: only all of such a picture could be read.
func TestHugeInterlacedPicturesAreRefused(t *testing.T) {
	f := pngForm{pngHeader: pngHeader{width: 5000, height: 4000, depth: 8, colour: pngGrey}, interlaced: true}
	file := f.blankFile(t)
	mask := (&pngForm{pngHeader: pngHeader{width: 5000, height: 4000, depth: 2, colour: pngPalette},
		palette: maskPalette, alphas: maskAlphas}).blankFile(t)
	for name, call := range map[string]func() error{
		"crop":    func() error { _, err := Crop(t.Context(), file, image.Rect(0, 0, 9, 9), 9, 80); return err },
		"part":    func() error { _, err := Part(t.Context(), file, image.Rect(0, 0, 9, 9)); return err },
		"preview": func() error { _, err := Preview(t.Context(), file, 80); return err },
		"strips":  func() error { return Strips(t.Context(), file, 9, func([]byte) error { return nil }) },
		"overlay": func() error { return Overlay(t.Context(), io.Discard, file, mask, ComposeOptions{}) },
	} {
		if err := call(); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Part(t.Context(), mask, image.Rect(0, 0, 5000, 4000)); !errors.Is(err, ErrOptions) {
		t.Errorf("a part of 20 million pixels: %v", err)
	}
	if _, err := Part(t.Context(), mask, image.Rect(5000, 0, 5001, 1)); !errors.Is(err, ErrOptions) {
		t.Error(fmt.Sprint("a part outside: ", err))
	}
}
