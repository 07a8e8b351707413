package causes

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"afterimage/capture"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// screens are those on which a test sees the page of this number: every third page on a narrow one, the others on a wide one, and all on
// both with AFTERIMAGE_SOAK=1.
func screens(page int) []capture.Device {
	both := []capture.Device{capture.Desktop, capture.Mobile}
	switch {
	case os.Getenv("AFTERIMAGE_SOAK") != "":
		return both
	case page%3 == 2:
		return both[1:]
	}
	return both[:1]
}

// TestOneEditIsOneEntry: of each page with one edit, that edit is told, once, and nothing that merely follows from it; nothing is said
// that is not so.
func TestOneEditIsOneEntry(t *testing.T) {
	before, after := make(map[string]string), make(map[string]string)
	pages := make(map[string]string) // where a page is before its edits, of which it may have several
	for _, c := range Cases {
		if pages[c.Before] == "" {
			pages[c.Before] = pathOf(c.Name)
		}
		before[pages[c.Before]], after[pathOf(c.Name)] = c.Before, c.After
	}
	before[picturePath], after[picturePath] = waves(t, 40, 90), waves(t, 130, 60)
	before[pierPath] = waves(t, 70, 120)
	after[pierPath] = before[pierPath]
	studio, err := Open(t.Context(), 2, Pages(before), Pages(after))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := studio.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, c := range Cases {
		for _, device := range screens(i) {
			j, err := studio.JudgeEdit(t.Context(), pages[c.Before], pathOf(c.Name), device)
			if err != nil {
				t.Fatal(err)
			}
			if problem := c.problem(j); problem != "" {
				t.Errorf("%s on %s: %s:\n  %s", c.Name, device, problem, j.Told())
			}
		}
	}
}

// waves is a picture of waves that are so long, of a colour that is so green.
func waves(t *testing.T, length int, green uint8) string {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 320, 240))
	for y := range 240 {
		for x := range 320 {
			img.SetNRGBA(x, y, color.NRGBA{R: uint8(20 + (x+y)%length), G: green, B: 120, A: 255})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func pathOf(name string) string { return "/" + strings.ReplaceAll(name, " ", "-") }

// problem is what is wrong with what was said of a case, "" for nothing.
func (c *Case) problem(j *Judged) string {
	var says strings.Builder
	for _, f := range j.Entries() {
		says.WriteString(f.Description + "\n")
	}
	switch n := len(j.Entries()); {
	case j.Changed == 0: // a narrow screen has no room for some
		return ""
	case n == 0:
		return "it is silent"
	case n > c.Most:
		return "it has too many entries"
	case !j.Result.Explained:
		return "it is not explained"
	}
	for _, word := range c.Words {
		if !strings.Contains(says.String(), word) {
			return "no entry says " + word
		}
	}
	for _, word := range c.Not {
		if strings.Contains(j.Told(), word) {
			return "it says " + word
		}
	}
	return ""
}
