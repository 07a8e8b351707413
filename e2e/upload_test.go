package e2e

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// screenshotsIn writes pictures with a box of the given colours into a folder, as tests do, with what tools leave beside them.
func screenshotsIn(t *testing.T, boxes map[string]color.Color) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, c := range boxes {
		img := image.NewNRGBA(image.Rect(0, 0, 400, 300))
		draw.Draw(img, img.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(img, image.Rect(50, 40, 150, 90), image.NewUniform(c), image.Point{}, draw.Src)
		var file bytes.Buffer
		if err := png.Encode(&file, img); err != nil {
			t.Fatal(err)
		}
		for _, ending := range []string{".png", "-diff.png"} {
			path := filepath.Join(dir, filepath.FromSlash(name)+ending)
			if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// TestScreenshotsAreUploadedFromTheCommandLine uploads screenshots before and after a change, accepts the change, and uploads in
// parts, on a server that runs known documents only.
func TestScreenshotsAreUploadedFromTheCommandLine(t *testing.T) {
	t.Parallel()
	s := lodge(t, "--documents-only")
	must[data[struct{ ID string }]](s, http.MethodPost, "/groups", map[string]any{"name": t.Name()})
	group := t.Name()
	black, red := color.Gray{}, color.NRGBA{R: 200, A: 255}
	main := screenshotsIn(t, map[string]color.Color{"home": black, "checkout/step 2": black, "Über uns": black})
	branch := screenshotsIn(t, map[string]color.Color{"home": black, "checkout/step 2": red, "Über uns": black, "new": black})

	s.says(2, "with --pre", "upload", main, "--group", group)
	s.says(0, "3 of 3 screenshots", "upload", main, "--group", group, "--pre")
	s.says(0, "3 pages compared on desktop: 3 equal.", "upload", main, "--group", group)

	dir := t.TempDir()
	c := finishComparison(t, dir, s.command("upload", branch, "--group", group, "--build", "4711", "--name", "a branch", "--report", dir))
	t.Logf("%s\n%s", c.stdout, c.stderr)
	verdicts := make(map[string]string)
	for _, p := range c.report.Pages {
		verdicts[p.Path] = p.Verdict
	}
	if c.code != 1 || len(verdicts) != 4 || verdicts["home"] != "equal" || verdicts["Über uns"] != "equal" ||
		verdicts["checkout/step 2"] == "equal" || verdicts["new"] != "harmless" {
		t.Fatalf("after the change: exit code %d, %v", c.code, verdicts)
	}
	s.says(1, "This build has been uploaded already.", "upload", branch, "--group", group, "--build", "4711")
	batch := strings.TrimSpace(c.stderr[strings.LastIndex(c.stderr, "approve ")+len("approve "):])
	s.says(0, "1 approved, 0 still open.", "approve", batch)
	s.says(0, "2 equal, 2 harmless", "upload", branch, "--group", group, "--build", "4711")

	s.says(0, "1 of 2 parts", "upload", main, "--group", group, "--build", "4712", "--shard", "2/2")
	s.says(0, "3 pages compared on desktop: 3 equal.", "upload", t.TempDir(), "--group", group, "--build", "4712", "--shard", "1/2")
	s.check()
}

// TestAnUploadThatCannotBeMadeSaysWhy: a clear sentence and exit code 2.
func TestAnUploadThatCannotBeMadeSaysWhy(t *testing.T) {
	t.Parallel()
	s := lodge(t)
	must[data[struct{ ID string }]](s, http.MethodPost, "/groups", map[string]any{"name": "Shop"})
	must[data[struct{ ID string }]](s, http.MethodPost, "/groups", map[string]any{"name": "Watched", "monitoring": true})
	shots := screenshotsIn(t, map[string]color.Color{"home": color.Gray{}})
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "home.png"), []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{shots, "--group", "None"}, `no group has the name or the id "None"; there are`},
		{[]string{shots, "--group", "Watched"}, "is a monitoring group"},
		{[]string{t.TempDir(), "--group", "Shop"}, "holds no PNG file"},
		{[]string{broken, "--group", "Shop"}, "home.png: The picture must be a PNG file"},
		{[]string{shots, "--group", "Shop", "--shard", "1/2"}, "--build is missing"},
		{[]string{shots, "--group", "Shop", "--shard", "3/2", "--build", "1"}, "--shard must be"},
		{[]string{shots, "--group", "Shop", "--pre", "--report", broken}, "have no result to report"},
	} {
		s.says(2, c.want, append([]string{"upload"}, c.args...)...)
	}
}
