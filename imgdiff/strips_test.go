package imgdiff

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
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

// sameByte reports whether two colours are equal at eight bits per sample, however these are rounded.
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

// TestMemoryOfStrips: a tall page is cut in memory that does not grow with its height or with the processors, beside its file and the
// strips.
func TestMemoryOfStrips(t *testing.T) {
	if !childOfManyProcessors(t) {
		return
	}
	page := tallPage{width: 1440, height: 30_000}.encode(t) // 130 MB of rows
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

// TestMemoryOfManyCuttings does not grow with their number, and all make the same strips.
func TestMemoryOfManyCuttings(t *testing.T) {
	if !childOfManyProcessors(t) {
		return
	}
	const rows, width, cuttings = 1024, 5300, 12
	var stream bytes.Buffer
	z := quickDeflater(&stream)
	for range 6 * rows { // a black picture: its file takes next to nothing, and its strips just below 16 MiB each
		_, _ = z.Write(make([]byte, 1+3*width))
	}
	_ = z.Close()
	page := encodePNG(pngHeader{width: width, height: 6 * rows, depth: 8, colour: pngRGB}, nil, nil, nil, stream.Bytes())
	before := highWater(t)
	var wg sync.WaitGroup
	var made [cuttings]hash.Hash
	for i := range made {
		made[i] = sha256.New()
		wg.Go(func() {
			if err := Strips(t.Context(), page, rows, func(strip []byte) error {
				_, err := made[i].Write(strip)
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	const limit = 256 << 20 // 64 MB, and what the garbage collector has not freed yet
	used := highWater(t) - before
	t.Logf("%d cuttings took %d MB", cuttings, used>>20)
	if used > limit {
		t.Errorf("more than %d MB", limit>>20)
	}
	for _, strips := range made {
		if !bytes.Equal(strips.Sum(nil), made[0].Sum(nil)) {
			t.Error("two cuttings made different strips")
		}
	}
}

// childOfManyProcessors reports whether this is a process of its own for a test that measures memory, on sixteen processors. If it is
// not, it runs the test in one.
func childOfManyProcessors(t *testing.T) bool {
	t.Helper()
	const environment = "IMGDIFF_TEST_STRIPS"
	if os.Getenv(environment) != "" {
		if n := runtime.GOMAXPROCS(0); n != 16 {
			t.Fatalf("on %d processors", n)
		}
		return true
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), environment+"=1", "GOMAXPROCS=16")
	output, err := child.CombinedOutput()
	if err != nil {
		t.Errorf("%v:\n%s", err, output)
	}
	t.Logf("%s", output)
	return false
}

// TestCuttingWaitsForMemory: it begins once others have left some, and does not wait when nobody waits for it.
func TestCuttingWaitsForMemory(t *testing.T) {
	page := tallPage{width: 30, height: 40}.encode(t)
	synctest.Test(t, func(t *testing.T) {
		if !cut.TryAcquire(maxCut) {
			t.Fatal("a cutting that is over holds memory")
		}
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan error, 2)
		begin := func(ctx context.Context) {
			ended <- Strips(ctx, page, 10, func([]byte) error { return nil })
		}
		go begin(ctx)
		go begin(t.Context())
		synctest.Wait()
		if len(ended) > 0 {
			t.Fatalf("cut without memory: %v", <-ended)
		}
		leave()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
		cut.Release(maxCut)
		if err := <-ended; err != nil {
			t.Errorf("with memory again: %v", err)
		}
		if !cut.TryAcquire(maxCut) {
			t.Fatal("cuttings that are over hold memory")
		}
		cut.Release(maxCut)
	})
}

// TestAnEmitMayCut: no memory is held while a strip is emitted, so whoever takes it may wait for another cutting.
func TestAnEmitMayCut(t *testing.T) {
	page := tallPage{width: 30, height: 40}.encode(t)
	err := Strips(t.Context(), page, 10, func([]byte) error {
		if !cut.TryAcquire(maxCut) {
			return errors.New("memory is held")
		}
		cut.Release(maxCut)
		return nil
	})
	if err != nil {
		t.Error(err)
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
