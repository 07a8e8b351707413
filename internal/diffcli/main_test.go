package diffcli

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"afterimage/imgdiff"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// page is a picture with a gradient and, where asked for, a light box.
func page(width, height int, box image.Rectangle) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA{uint8(x), uint8(y), 90, 255}
			if image.Pt(x, y).In(box) {
				c = color.NRGBA{250, 250, 250, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// pagePNG is page encoded.
func pagePNG(t testing.TB, width, height int, box image.Rectangle) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, page(width, height, box)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pageJPEG is page encoded at full quality.
func pageJPEG(t testing.TB, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, page(width, height, image.Rectangle{}), &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// inFolder runs the test in a fresh folder with these files.
func inFolder(t *testing.T, files map[string][]byte) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// ran is what one run of the command did.
type ran struct {
	out, err  string
	different bool
	failure   error
}

// run runs the command with pixelmatch's threshold.
func run(t *testing.T, c Command, in string) ran {
	t.Helper()
	if c.Options.Threshold == 0 {
		c.Options.Threshold = imgdiff.DefaultThreshold
	}
	var out, errs bytes.Buffer
	different, err := c.Run(context.Background(), Streams{In: strings.NewReader(in), Out: &out, Err: &errs})
	return ran{out: out.String(), err: errs.String(), different: different, failure: err}
}

// golden holds got against a file of testdata. The test may have left the
// package's folder, so the file is named by goldenPath before.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("output differs from %s:\n%s", filepath.Base(path), got)
	}
}

// goldenPath is a file of testdata, whatever folder the test goes to.
func goldenPath(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
