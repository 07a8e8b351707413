package imgdiff

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
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

// A refusal says what is wrong with this file, and nothing else.
func TestCheckPNGSaysWhatIsWrong(t *testing.T) {
	const depth, colour, compression, filter, interlace = 24, 25, 26, 27, 28 // where a file says so
	for _, c := range []struct {
		change map[int]byte
		want   string
	}{
		{map[int]byte{interlace: 1}, "imgdiff: unsupported image format: it is interlaced"},
		{map[int]byte{depth: 16}, "imgdiff: unsupported image format: it has 16 bits per sample"},
		{map[int]byte{depth: 16, interlace: 1}, "imgdiff: unsupported image format: it is interlaced and has 16 bits per sample"},
		{map[int]byte{0: 'B'}, "imgdiff: unsupported image format: it is not a PNG file"},
		{map[int]byte{colour: 5}, "imgdiff: corrupt image: no PNG file has 8 bits per sample and colour type 5"},
		{map[int]byte{depth: 4}, "imgdiff: corrupt image: no PNG file has 4 bits per sample and colour type 2"},
		{map[int]byte{compression: 1}, "imgdiff: corrupt image: it is written by a compression or filter method that does not exist"},
		{map[int]byte{filter: 1}, "imgdiff: corrupt image: it is written by a compression or filter method that does not exist"},
		{map[int]byte{colour: pngPalette}, "imgdiff: corrupt image: the chunks that describe its pixels are missing or out of order"},
	} {
		file := rawPNG(t, pngHeader{width: 9, height: 9, depth: 8, colour: pngRGB}, make([]byte, 9*28), 500)
		for at, value := range c.change {
			file[at] = value
		}
		binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
		if _, _, err := CheckPNG(t.Context(), file, 0); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.change, err, c.want)
		}
	}
}
