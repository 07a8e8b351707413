package baseline

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/capture"
	"afterimage/internal/compare"
	"afterimage/internal/page"
)

func shot(picture string) *capture.Shot {
	return &capture.Shot{PNG: []byte(picture), Width: 1440, Height: 900, Truncated: true, Visit: page.Visit{
		Status: 200, FinalURL: "https://example.com/a", Title: "A", Console: []page.ConsoleEntry{{Text: "hello", Type: "log"}},
		Manifest: page.Manifest{Engine: "E/1", Fonts: "f", Pipeline: "virtual-time", PipelineVersion: 5, Unstable: []page.Box{{X: 1}}},
		Content:  &page.Content{Title: "A", Text: "text", Elements: []page.Element{{Tag: "body"}, {Number: 1, Tag: "p", Text: "text"}}},
	}}
}

var index = Index{Site: "https://example.com", Date: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}

// recorded makes a baseline of pages with pictures.
func recorded(t *testing.T, dir string, pictures map[string]string) *Recorder {
	t.Helper()
	r, err := NewRecorder(dir, index)
	if err != nil {
		t.Fatal(err)
	}
	for path, picture := range pictures {
		if err := r.Keep(path, capture.Desktop, shot(picture)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func commit(t *testing.T, r *Recorder) {
	t.Helper()
	if err := r.Commit(); err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T, dir string) *Baseline {
	t.Helper()
	b, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestABaselineComesBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "base")
	commit(t, recorded(t, dir, map[string]string{"/b": "two", "/": "one"}))
	b := opened(t, dir)
	if b.Engine() != "E/1 fonts/f virtual-time/5" || b.Site != index.Site || !b.Date.Equal(index.Date) ||
		strings.Join(b.Paths(), " ") != "/ /b" || len(b.Devices()) != 1 {
		t.Errorf("%+v", b.Index)
	}
	got, err := b.Shot("/", capture.Desktop)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(shot("one"), got); diff != "" {
		t.Error(diff)
	}
	if _, err := b.Shot("/", capture.Mobile); !errors.Is(err, compare.ErrNotStored) {
		t.Errorf("another device: %v", err)
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no baseline: %v", err)
	}
}

// files lists the files of a baseline with their times.
func files(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	found := make(map[string]time.Time)
	names, err := filepath.Glob(filepath.Join(dir, filesFolder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(name)] = info.ModTime()
	}
	return found
}

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	dir := t.TempDir()
	commit(t, recorded(t, dir, map[string]string{"/a": "one", "/b": "two"}))
	foreign := filepath.Join(dir, filesFolder, "notes.png")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	r := recorded(t, dir, map[string]string{"/a": "one", "/b": "other"})
	commit(t, r)
	after := files(t, dir)
	if r.Fresh() != 1 || len(after) != len(before) {
		t.Errorf("%d new pictures; %v became %v", r.Fresh(), before, after)
	}
	kept := 0
	for name, at := range after {
		if earlier, ok := before[name]; ok && earlier.Equal(at) {
			kept++
		}
	}
	if kept != len(before)-1 {
		t.Errorf("of %d files %d were left alone", len(before), kept)
	}
	index, err := os.ReadFile(filepath.Join(dir, indexName))
	if err != nil {
		t.Fatal(err)
	}
	commit(t, recorded(t, dir, map[string]string{"/b": "other", "/a": "one"}))
	if again, err := os.ReadFile(filepath.Join(dir, indexName)); err != nil || string(again) != string(index) {
		t.Errorf("the same pages have another index: %s (%v)", again, err)
	}
}

func TestABaselineThatIsNotRenewedIsAsBefore(t *testing.T) {
	dir := t.TempDir()
	commit(t, recorded(t, dir, map[string]string{"/a": "one"}))
	before := files(t, dir)
	r := recorded(t, dir, map[string]string{"/a": "other", "/b": "new"})
	if got, err := opened(t, dir).Shot("/a", capture.Desktop); err != nil || string(got.PNG) != "one" {
		t.Errorf("while it is renewed: %v", err)
	}
	if err := r.Abort(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Error(diff)
	}
	other := shot("x")
	other.Manifest.Engine = "E/2"
	if err := r.Keep("/c", capture.Desktop, other); err == nil || !strings.Contains(err.Error(), "the browser or the fonts changed") {
		t.Errorf("two engines in one baseline: %v", err)
	}
}

func TestADamagedBaselineIsRefused(t *testing.T) {
	for name, damage := range map[string]func(dir string, e *Entry) (file string){
		"a picture that changed": func(_ string, e *Entry) string { return e.Picture },
		"a visit that changed":   func(_ string, e *Entry) string { return e.Visit },
		"the index":              func(string, *Entry) string { return indexName },
	} {
		for what, spoil := range map[string]func(string) error{
			"other bytes": func(file string) error { return os.WriteFile(file, []byte("{"), 0o600) },
			"gone":        os.Remove,
		} {
			dir := t.TempDir()
			commit(t, recorded(t, dir, map[string]string{"/a": "one"}))
			file := damage(dir, &opened(t, dir).Pages[0])
			if err := spoil(filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
			b, err := Open(dir)
			if err == nil {
				_, err = b.Shot("/a", capture.Desktop)
			}
			noIndex := file == indexName && what == "gone"
			named := err != nil && strings.Contains(err.Error(), file+" is missing or not")
			if noIndex != errors.Is(err, fs.ErrNotExist) || noIndex == named {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	for name, text := range map[string]string{
		"knows 1":    `{"version": 9}`,
		"is damaged": `{"version": 1, "pages": [{"path": "/", "picture": "../../etc/passwd", "visit": "a"}]}`,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, indexName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
