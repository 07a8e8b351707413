package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// overlay is sources that take the place of others in a build, which stay as they are.
type overlay struct {
	t       *testing.T
	dir     string
	Replace map[string]string
}

func newOverlay(t *testing.T) *overlay {
	return &overlay{t: t, dir: t.TempDir(), Replace: map[string]string{}}
}

// replace changes what a pattern finds in a source, once.
func (o *overlay) replace(source, pattern, by string) {
	o.t.Helper()
	path, err := filepath.Abs(source)
	if err != nil {
		o.t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		o.t.Fatal(err)
	}
	if len(regexp.MustCompile(pattern).FindAll(text, -1)) != 1 {
		o.t.Fatalf("%s has changed: %s is not there once", source, pattern)
	}
	changed := filepath.Join(o.dir, filepath.Base(source))
	if err := os.WriteFile(changed, regexp.MustCompile(pattern).ReplaceAll(text, []byte(by)), 0o600); err != nil {
		o.t.Fatal(err)
	}
	o.Replace[path] = changed
}

// list is the file that `go build -overlay` wants.
func (o *overlay) list() (path string) {
	o.t.Helper()
	document, err := json.Marshal(o)
	if err != nil {
		o.t.Fatal(err)
	}
	path = filepath.Join(o.dir, "overlay.json")
	if err := os.WriteFile(path, document, 0o600); err != nil {
		o.t.Fatal(err)
	}
	return path
}
