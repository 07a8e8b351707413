package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// upgraded begins to build the program as its next version might be: the pipeline has another number, and desktop pages
// are wider, so that no picture of it equals one of this version. The sources stay as they are.
func upgraded(t *testing.T) (built func() string) {
	t.Helper()
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	replace := func(source, pattern, by string) {
		t.Helper()
		path, err := filepath.Abs(source)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(regexp.MustCompile(pattern).FindAll(text, -1)) != 1 {
			t.Fatalf("%s has changed: %s is not there once", source, pattern)
		}
		changed := filepath.Join(dir, filepath.Base(source))
		if err := os.WriteFile(changed, regexp.MustCompile(pattern).ReplaceAll(text, []byte(by)), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[path] = changed
	}
	replace("../capture/shot.go", `const PipelineVersion = \d+`, "const PipelineVersion = 1000")
	replace("../capture/device.go", `Width: 1440,`, "Width: 1460,")
	document, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, document, 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "afterimage")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", list, "-o", program, "../cmd/afterimage")
	done := make(chan error, 1)
	var out []byte
	go func() {
		var err error
		out, err = build.CombinedOutput()
		done <- err
	}()
	return func() string {
		t.Helper()
		if err := <-done; err != nil {
			t.Fatalf("build the next version: %v\n%s", err, out)
		}
		return program
	}
}
