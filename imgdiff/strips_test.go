package imgdiff

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// checkStrips: the strips of a file, put together, are the file's pixels as image/png reads them.
func checkStrips(t *testing.T, data []byte, rows int) {
	t.Helper()
	whole, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	height, y := whole.Bounds().Dy(), 0
	err = Strips(t.Context(), data, rows, func(strip []byte) error {
		part, err := png.Decode(bytes.NewReader(strip))
		if err != nil {
			return err
		}
		if size := part.Bounds(); size.Dx() != whole.Bounds().Dx() || size.Dy() != min(rows, height-y) {
			t.Fatalf("the strip at row %d is %v of %v", y, size, whole.Bounds())
		}
		for sy := range part.Bounds().Dy() {
			for x := range part.Bounds().Dx() {
				if !sameByte(part.At(x, sy), whole.At(x, y+sy)) {
					t.Fatalf("pixel %d, %d is %v, want %v", x, y+sy, part.At(x, sy), whole.At(x, y+sy))
				}
			}
		}
		y += part.Bounds().Dy()
		return nil
	})
	if err != nil || y != height {
		t.Errorf("%d of %d rows, error %v", y, height, err)
	}
}

// sameByte tells whether two colours are equal at eight bits a sample, however these are rounded.
func sameByte(a, b color.Color) bool {
	if a == b {
		return true
	}
	p, q := color.NRGBAModel.Convert(a).(color.NRGBA), color.NRGBAModel.Convert(b).(color.NRGBA)
	near := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 1 }
	return p == q || near(p.R, q.R) && near(p.G, q.G) && near(p.B, q.B) && near(p.A, q.A)
}

func TestStripsHaveThePixelsOfTheWhole(t *testing.T) {
	r := newRand(7)
	for range 40 {
		width, height, bpp := 1+r.IntN(90), 1+r.IntN(120), 3+r.IntN(2)
		h := pngHeader{width: width, height: height, depth: 8, colour: pngRGB}
		if bpp == 4 {
			h.colour = pngRGBA
		}
		checkStrips(t, rawPNG(t, h, randomRows(r, width, height, bpp), 1+r.IntN(3000)), 1+r.IntN(50))
	}
	for name, data := range uncommonPNGs(t) {
		for _, rows := range []int{1, 3, 7, 100} {
			t.Run(name, func(t *testing.T) {
				if !Streamable(data[:HeaderBytes]) {
					t.Error("it is not said to be cut without decoding it")
				}
				checkStrips(t, data, rows)
			})
		}
	}
}

// TestStripsReachFarBack: a match may refer to 32 kB before, which is several calls ago in a narrow picture.
func TestStripsReachFarBack(t *testing.T) {
	page := tallPage{width: 300, height: 4000, banner: 100}
	checkStrips(t, page.encode(t), 10)
	checkStrips(t, page.encode(t), 1024)
}

func TestStripsOfAMaskAndOfAJPEG(t *testing.T) {
	a, b := textPair(newRand(4))
	found, err := CompareImages(t.Context(), a, b, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	mask, err := found.MaskPNG(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	checkStrips(t, mask, 16)
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, a, nil); err != nil {
		t.Fatal(err)
	}
	rows := 0
	if err := Strips(t.Context(), photo.Bytes(), 16, func([]byte) error { rows += 16; return nil }); err != nil || rows < a.Rect.Dy() {
		t.Errorf("a JPEG: %d rows of %d, error %v", rows, a.Rect.Dy(), err)
	}
}

func TestStripsRefuseBadFiles(t *testing.T) {
	for name, bad := range badFiles(t) {
		if err := Strips(t.Context(), bad.data, 20, func([]byte) error { return nil }); !errors.Is(err, bad.kind) {
			t.Errorf("%s: error %v, want %v", name, err, bad.kind)
		}
	}
	page := tallPage{width: 30, height: 40}.encode(t)
	if err := Strips(t.Context(), page, 0, nil); !errors.Is(err, ErrOptions) {
		t.Errorf("strips of no rows: error %v", err)
	}
	full := errors.New("the disk is full")
	if err := Strips(t.Context(), page, 10, func([]byte) error { return full }); !errors.Is(err, full) {
		t.Errorf("error %v, want that of emit", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Strips(ctx, page, 10, func([]byte) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestMemoryOfStrips: a tall page is cut in memory that does not grow with its height, beside its file and the strips.
func TestMemoryOfStrips(t *testing.T) {
	const environment = "IMGDIFF_TEST_STRIPS"
	if os.Getenv(environment) == "" {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		child.Env = append(os.Environ(), environment+"=1")
		if output, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v:\n%s", err, output)
		}
		return
	}
	page := tallPage{width: 1440, height: 30_000}.encode(t) // 130 MB of rows
	runtime.GC()
	before := highWater(t)
	if err := Strips(t.Context(), page, 1024, func([]byte) error { return nil }); err != nil {
		t.Fatal(err)
	}
	const limit = 64 << 20 // eight or so buffers of 4.4 MB, and what the garbage collector has not freed yet
	if used := highWater(t) - before; used > limit {
		t.Errorf("cutting took %d MB", used>>20)
	} else {
		t.Logf("cutting took %d MB", used>>20)
	}
}

func BenchmarkStrips(b *testing.B) {
	page := tallPage{width: 1440, height: 20_000}.encode(b)
	b.SetBytes(1440 * 20_000 * 3)
	size := 0
	for b.Loop() {
		size = 0
		if err := Strips(b.Context(), page, 1024, func(strip []byte) error { size += len(strip); return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(size)/float64(len(page)), "size/file")
}

func FuzzStrips(f *testing.F) {
	r := newRand(8)
	f.Add(rawPNG(f, pngHeader{width: 9, height: 20, depth: 8, colour: pngRGB}, randomRows(r, 9, 20, 3), 50), 3)
	for _, data := range uncommonPNGs(f) {
		f.Add(data, 2)
	}
	f.Fuzz(func(t *testing.T, data []byte, rows int) {
		data = mendChecksums(data)
		var strips [][]byte
		if err := Strips(t.Context(), data, rows, func(strip []byte) error { strips = append(strips, strip); return nil }); err != nil {
			return
		}
		for _, strip := range strips {
			if _, err := png.DecodeConfig(bytes.NewReader(strip)); err != nil {
				t.Fatalf("a strip of a picture that was read is no picture: %v", err)
			}
		}
	})
}
