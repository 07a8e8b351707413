package imgdiff

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// tallPage is a page of any height, encoded row by row: the test has to hold less than what it measures.
type tallPage struct {
	width, height int
	banner        int // rows inserted below row 1,000
	foot          bool
}

// encode writes the page as Chromium does: RGB, filter Up, compressed quickly.
func (p tallPage) encode(t testing.TB) []byte {
	t.Helper()
	var stream bytes.Buffer
	z, err := zlib.NewWriterLevel(&stream, zlib.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	above, row, line := make([]byte, 3*p.width), make([]byte, 3*p.width), make([]byte, 1+3*p.width)
	line[0] = 2 // Up
	height := p.height + p.banner
	for y := range height {
		p.draw(row, y)
		if p.foot && y == height-1 {
			copy(row[3*(p.width-20):], bytes.Repeat([]byte{200, 30, 30}, 20))
		}
		for i, value := range row {
			line[1+i] = value - above[i]
		}
		above, row = row, above
		_, _ = z.Write(line) // into memory
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return encodePNG(pngHeader{width: p.width, height: height, depth: 8, colour: pngRGB}, nil, nil, nil, stream.Bytes())
}

// draw fills a row: lines of words that are nowhere the same, on white.
func (p tallPage) draw(row []byte, y int) {
	if y >= 1000 && y < 1000+p.banner {
		copy(row, bytes.Repeat([]byte{250, 220, 90}, p.width))
		return
	}
	if y >= 1000 {
		y -= p.banner
	}
	for i := range row {
		row[i] = 255
	}
	if y%24 >= 14 {
		return
	}
	for word := 10; word+60 < p.width; word += 60 {
		n := uint32(word*7919+y/24*104729) * 2654435761 >> (y % 24)
		for x := range int(n % 48) {
			copy(row[3*(word+x):], []byte{byte(n >> 8 & 63), byte(x), 40})
		}
	}
}

// TestTheLastRowOfATallPage: a change in the last row is found, in place and behind a shift, and alignment looks at each
// pixel as often as on a page a twentieth as tall. AFTERIMAGE_SOAK=1 compares wide pages too.
func TestTheLastRowOfATallPage(t *testing.T) {
	widths := []int{390}
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		widths = append(widths, 1440)
	}
	for _, width := range widths {
		for _, banner := range []int{0, 40} {
			var work []float64
			for _, height := range []int{5000, 100_000 - banner} {
				before := tallPage{width: width, height: height}.encode(t)
				after := tallPage{width: width, height: height, banner: banner, foot: true}.encode(t)
				r, err := Compare(t.Context(), before, after, DefaultOptions())
				if err != nil {
					t.Fatal(err)
				}
				checkLastRow(t, r, width, banner)
				work = append(work, float64(r.AlignmentWork)/float64(width*height))
			}
			if work[1] > 1.1*work[0]+0.1 {
				t.Errorf("%d wide, shifted by %d: alignment looks at each pixel %.1f times, and %.1f times on a low page", width, banner,
					work[1], work[0])
			}
		}
	}
}

func checkLastRow(t *testing.T, r *Result, width, banner int) {
	t.Helper()
	last := image.Rect(width-20, r.Height-1, width, r.Height)
	if got := r.Changed; banner == 0 && got != 20 || r.AlignmentCut {
		t.Errorf("%d × %d: %d pixels changed, cut short %v; want 20", r.Width, r.Height, got, r.AlignmentCut)
	}
	inserted, changed := 0, false
	for _, b := range r.Bands {
		if b.Kind == BandInserted {
			inserted += b.Rows
		}
		changed = changed || b.Kind == BandChanged && b.YAfter+b.Rows == r.Height
	}
	if r.Residual != 20 || inserted != banner || !changed {
		t.Errorf("%d × %d: %d pixels remain, %d rows inserted, last row changed %v, bands %+v; want %v and %d rows", r.Width, r.Height,
			r.Residual, inserted, changed, r.Bands, last, banner)
	}
}

// bytesPerPixel is the limit for a comparison, for each pixel of the larger picture: twice three for the pixels, one for all
// that is found, and what the garbage collector has not freed yet.
const bytesPerPixel = 9

// TestMemoryOfATallPage: what a process needs to compare tall pages is what the package's documentation says.
func TestMemoryOfATallPage(t *testing.T) {
	const width, height, environment = 1000, 30_000, "IMGDIFF_TEST_TALL"
	if os.Getenv(environment) == "" {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		child.Env = append(os.Environ(), environment+"=1")
		if output, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v:\n%s", err, output)
		}
		return
	}
	files := [2][]byte{
		tallPage{width: width, height: height}.encode(t),
		tallPage{width: width, height: height - 40, banner: 40, foot: true}.encode(t),
	}
	runtime.GC()
	before := highWater(t)
	r, err := Compare(t.Context(), files[0], files[1], DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.MaskPNG(t.Context()); err != nil {
		t.Fatal(err)
	}
	const slack = 32 << 20 // stacks, tables, copies of the compressed files
	if used := highWater(t) - before; used > bytesPerPixel*width*height+slack {
		t.Errorf("comparing took %.1f bytes a pixel, want at most %d", float64(used)/width/height, bytesPerPixel)
	} else {
		t.Logf("comparing took %.1f bytes a pixel", float64(used)/width/height)
	}
}

// highWater is the largest resident size of this process so far, in bytes.
func highWater(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	t.Fatal("the kernel does not tell the largest resident size")
	return 0
}

// TestPicturesOfATallPage: its preview is half of it, and its difference can be shown.
func TestPicturesOfATallPage(t *testing.T) {
	const width, height = 390, 100_000
	after := tallPage{width: width, height: height, foot: true}.encode(t)
	r, err := Compare(t.Context(), tallPage{width: width, height: height}.encode(t), after, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	mask, err := r.MaskPNG(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var composed bytes.Buffer
	if err := Overlay(t.Context(), &composed, after, mask, ComposeOptions{}); err != nil {
		t.Fatal(err)
	}
	small, err := Preview(t.Context(), composed.Bytes(), 72)
	if err != nil {
		t.Fatal(err)
	}
	size, err := jpeg.DecodeConfig(bytes.NewReader(small))
	if err != nil || size.Width != width/2 || size.Height != height/2 {
		t.Errorf("the preview is %d × %d, %v", size.Width, size.Height, err)
	}
}
