package e2e

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"afterimage/internal/webtest"
)

// TestStatesOfTheDashboard looks at the page of components and their states (web/states) as a reader and as the service: it is
// accessible, and every capture of it is the same.
func TestStatesOfTheDashboard(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), filepath.Join("node_modules", ".bin", "vite"), "build", "--outDir", dir)
	build.Dir = "../web"
	build.Env = append(os.Environ(), "PAGE=states")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the page: %v\n%s", err, out)
	}
	host := pages(t, http.FileServer(http.Dir(dir)))
	webtest.Run(t, "states", "http://"+host)
	for _, device := range []string{"desktop", "mobile"} {
		first, again := captured(t, host, device), captured(t, host, device)
		if !bytes.Equal(first, again) {
			t.Errorf("two captures of the page on %s differ", device)
		}
	}
}

// captured is the picture that the program takes of a page.
func captured(t *testing.T, host, device string) []byte {
	t.Helper()
	out := t.TempDir()
	command := exec.CommandContext(t.Context(), binary, "capture", "http://"+host+"/", "--allow-hosts", host,
		"--device", device, "--deadline", "5m", "--out", out)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("capture: %v\n%s", err, said)
	}
	pictures, err := filepath.Glob(filepath.Join(out, "*.png"))
	if err != nil || len(pictures) != 1 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	picture, err := os.ReadFile(pictures[0])
	if err != nil {
		t.Fatal(err)
	}
	return picture
}
