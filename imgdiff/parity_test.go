package imgdiff

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const parityFolder = "testdata/parity"

// installReference puts the reference library in place once a test run: from
// the lock file, so that every run compares against the same code.
var installReference = sync.OnceValue(func() error {
	if _, err := os.Stat(filepath.Join(parityFolder, "node_modules", "pixelmatch", "index.js")); err == nil {
		return nil
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts")
	cmd.Dir = parityFolder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in imgdiff/%s: %w (the parity tests need node and npm)\n%s", parityFolder, err, out)
	}
	return nil
})

// reference is a running pixelmatch.
type reference struct {
	in  io.Writer
	out *bufio.Reader
}

// startReference starts node and ends it with the test.
func startReference(t *testing.T) *reference {
	t.Helper()
	if err := installReference(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "serve.mjs")
	cmd.Dir = parityFolder
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start node (the parity tests need it): %v", err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("node: %v\n%s", err, stderr.String())
		}
	})
	return &reference{in: in, out: bufio.NewReaderSize(out, 1<<20)}
}

// compare asks the reference for its count and its output picture with the
// given settings.
func (r *reference) compare(t *testing.T, a, b *image.NRGBA, threshold float64, includeAA bool) (int, []byte) {
	t.Helper()
	size := a.Rect.Size()
	head := make([]byte, 0, 20)
	aa := uint32(0)
	if includeAA {
		aa = 1
	}
	for _, word := range []uint32{uint32(size.X), uint32(size.Y), uint32(threshold*1e6 + 0.5), aa, 2} {
		head = binary.LittleEndian.AppendUint32(head, word)
	}
	for _, part := range [][]byte{head, a.Pix, b.Pix} {
		if _, err := r.in.Write(part); err != nil {
			t.Fatalf("write to node: %v", err)
		}
	}
	answer := make([]byte, 4+len(a.Pix))
	if _, err := io.ReadFull(r.out, answer); err != nil {
		t.Fatalf("read from node: %v", err)
	}
	return int(binary.LittleEndian.Uint32(answer)), answer[4:]
}

var parityThresholds = []float64{0, 0.05, 0.1, 0.3}

// checkParity compares counts and masks of one pair with the reference at
// every threshold, with and without anti-aliased pixels.
func checkParity(t *testing.T, ref *reference, name string, a, b *image.NRGBA, beforePNG, afterPNG []byte) {
	t.Helper()
	for _, threshold := range parityThresholds {
		for _, includeAA := range []bool{false, true} {
			want, output := ref.compare(t, a, b, threshold, includeAA)
			o := Options{Threshold: threshold, IncludeAntiAliased: includeAA}
			got, err := CompareImages(t.Context(), a, b, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkOne(t, fmt.Sprintf("%s, threshold %v, includeAA %v", name, threshold, includeAA), got, want, output)
			if beforePNG == nil {
				continue
			}
			got, err = Compare(t.Context(), beforePNG, afterPNG, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkOne(t, fmt.Sprintf("%s (files), threshold %v, includeAA %v", name, threshold, includeAA), got, want, output)
		}
	}
}

// checkOne compares one result with the reference's count and output, in
// which changed pixels are pure red and anti-aliased ones pure yellow.
func checkOne(t *testing.T, name string, got *Result, want int, output []byte) {
	t.Helper()
	if got.Changed != want {
		t.Errorf("%s: %d changed pixels, pixelmatch counts %d", name, got.Changed, want)
		return
	}
	changed, aa := got.ChangedMask(), got.AntiAliasedMask()
	for i := 0; i < len(output); i += 4 {
		x, y := i/4%got.Width, i/4/got.Width
		red := output[i] == 255 && output[i+1] == 0
		yellow := output[i] == 255 && output[i+1] == 255 && output[i+2] == 0
		if changed.At(x, y) != red || aa.At(x, y) != yellow {
			t.Errorf("%s: pixel %d,%d is changed %v, anti-aliased %v; pixelmatch says %v, %v",
				name, x, y, changed.At(x, y), aa.At(x, y), red, yellow)
			return
		}
	}
}

// TestParityGenerated holds counts and masks to pixelmatch's on generated
// pairs of every kind.
func TestParityGenerated(t *testing.T) {
	ref := startReference(t)
	pairs := 0
	for _, kind := range pairKinds {
		for seed := range uint64(kind.count) {
			a, b := kind.make(newRand(seed))
			checkParity(t, ref, fmt.Sprintf("%s %d", kind.name, seed), a, b, encode(t, a), encode(t, b))
			pairs++
		}
	}
	if pairs < 500 {
		t.Errorf("%d pairs, want at least 500", pairs)
	}
}
