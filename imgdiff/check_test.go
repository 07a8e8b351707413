package imgdiff

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

func TestCheckPNG(t *testing.T) {
	r := newRand(11)
	for range 20 {
		width, height := 1+r.IntN(300), 1+r.IntN(300)
		file := rawPNG(t, pngHeader{width: width, height: height, depth: 8, colour: pngRGB}, randomRows(r, width, height, 3), 500)
		w, h, err := CheckPNG(t.Context(), file, 0)
		if w != width || h != height || err != nil {
			t.Fatalf("%d × %d: %d × %d, %v", width, height, w, h, err)
		}
		if _, _, err := CheckPNG(t.Context(), file, width*height-1); !errors.Is(err, ErrTooLarge) {
			t.Errorf("above the limit: %v", err)
		}
		for range 20 {
			bad := bytes.Clone(file)
			bad[8+r.IntN(len(bad)-8)] ^= 1 << r.IntN(8)
			if _, _, err := CheckPNG(t.Context(), bad, 0); err == nil {
				t.Errorf("a file of %d × %d with a flipped bit is fine", width, height)
			}
		}
		if _, _, err := CheckPNG(t.Context(), file[:len(file)-1-r.IntN(len(file)-8)], 0); err == nil {
			t.Error("a truncated file is fine")
		}
	}
}

func TestCheckPNGRefusesOtherForms(t *testing.T) {
	for name, file := range uncommonPNGs(t) {
		_, _, err := CheckPNG(t.Context(), file, 0)
		if wide := strings.Contains(name, "16"); wide != errors.Is(err, ErrFormat) || !wide && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, file := range map[string][]byte{"nothing": nil, "text": []byte("no picture"), "jpeg": {0xff, 0xd8, 0xff, 0xe0}} {
		if _, _, err := CheckPNG(t.Context(), file, 0); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := rawPNG(t, pngHeader{width: 9, height: 9, depth: 8, colour: pngRGB}, make([]byte, 9*28), 500)
	if _, _, err := CheckPNG(ctx, file, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
