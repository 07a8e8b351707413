package imgdiff

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// browsers are the names under which a headless Chromium may be installed.
var browsers = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome"}

// pageHTML is a page with text, a gradient, shadows, rounded corners, a
// translucent box and a drawing; the placeholders are where versions differ.
const pageHTML = `<!doctype html><style>
body{margin:0;font:15px/1.4 sans-serif;color:#222;background:BACKGROUND}
header{padding:20px;color:#fff;background:linear-gradient(90deg,#1d3c5c,ACCENT)}
.card{margin:16px;padding:14px;border-radius:9px;box-shadow:0 2px 8px #0005;border:1px solid #ccd}
.veil{width:240px;height:60px;background:rgba(200,40,90,VEIL)}
.nudge{transform:translate(NUDGEpx,0)}
</style><header><h1>TITLE</h1></header>
<div class=card><p>It was a page of ordinary words, set in a font of the system, and one of them is WORD.</p></div>
<div class="card nudge"><p>These words stand still or move by part of a pixel.</p><div class=veil></div></div>
<div class=card><svg width=300 height=90><circle cx=CENTRE cy=45 r=36 fill=ACCENT />` +
	`<path d="M90 80 L200 9 L290 70" stroke=#285 stroke-width=3 fill=none /></svg></div>`

var firstVersion = []string{"BACKGROUND", "#ffffff", "ACCENT", "#3377aa", "VEIL", "0.5", "NUDGE", "0", "TITLE", "A page", "WORD",
	"old", "CENTRE", "45"}

// TestParityScreenshots holds counts and masks to pixelmatch's on pages that
// a real browser drew, read from the browser's own files.
func TestParityScreenshots(t *testing.T) {
	browser := findBrowser(t)
	ref := startReference(t)
	before := screenshot(t, browser, firstVersion)
	for name, change := range map[string][]string{
		"text": {"WORD", "new"}, "colours": {"BACKGROUND", "#f4f6ff", "ACCENT", "#a05520"},
		"anti-aliasing": {"NUDGE", "0.37", "CENTRE", "45.4"}, "shift": {"TITLE", "A page<br>of two lines"},
		"alpha": {"VEIL", "0.62"},
	} {
		after := screenshot(t, browser, append(change, firstVersion...))
		if bytes.Equal(before, after) {
			t.Errorf("%s: the browser drew no difference", name)
		}
		checkParity(t, ref, name, readPNG(t, before), readPNG(t, after), before, after)
	}
	if again := screenshot(t, browser, firstVersion); !bytes.Equal(before, again) {
		t.Error("the browser draws the same page into different files")
	}
}

// findBrowser returns the path of a browser. There must be one.
func findBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatalf("none of %s is installed; make setup installs one", strings.Join(browsers, ", "))
	return ""
}

// screenshot draws one version of the page. Of several values for one
// placeholder the first counts.
func screenshot(t *testing.T, browser string, values []string) []byte {
	t.Helper()
	folder := t.TempDir()
	page, picture := filepath.Join(folder, "page.html"), filepath.Join(folder, "page.png")
	if err := os.WriteFile(page, []byte(strings.NewReplacer(firstOf(values)...).Replace(pageHTML)), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless", "--hide-scrollbars", "--disable-gpu", "--window-size=700,620",
		"--user-data-dir=" + filepath.Join(folder, "profile"), "--screenshot=" + picture, "file://" + page}
	if os.Geteuid() == 0 {
		// Chromium's sandbox refuses root, and the page is our own.
		args = append([]string{"--no-sandbox"}, args...)
	}
	if out, err := exec.Command(browser, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", browser, err, out)
	}
	data, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// firstOf keeps the first value of each placeholder.
func firstOf(values []string) []string {
	var kept []string
	seen := map[string]bool{}
	for i := 0; i+1 < len(values); i += 2 {
		if !seen[values[i]] {
			seen[values[i]] = true
			kept = append(kept, values[i], values[i+1])
		}
	}
	return kept
}

// readPNG decodes with image/png.
func readPNG(t *testing.T, data []byte) *image.NRGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(fmt.Errorf("read a screenshot: %w", err))
	}
	flat := image.NewNRGBA(img.Bounds())
	draw.Draw(flat, flat.Rect, img, image.Point{}, draw.Src)
	return flat
}
