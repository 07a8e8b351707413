package blob_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"afterimage/internal/blob"
)

func TestAStoreKeepsItsMark(t *testing.T) {
	files, dir := open(t)
	if mark, err := files.Mark(t.Context()); mark != "" || err != nil {
		t.Errorf("a new store has the mark %q (%v)", mark, err)
	}
	if err := files.SetMark(t.Context(), "first"); err != nil {
		t.Fatal(err)
	}
	if err := files.SetMark(t.Context(), "second"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second mark: %v", err)
	}
	again, err := blob.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if mark, err := again.Mark(t.Context()); mark != "first" || err != nil {
		t.Errorf("the mark is %q (%v)", mark, err)
	}
	if all := hashes(t, files); len(all) != 0 {
		t.Errorf("the mark counts as a file: %v", all)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}

func TestAMarkThatIsNoneIsRefused(t *testing.T) {
	files, _ := open(t)
	for _, content := range []string{"", "\n", strings.Repeat("x", 300)} {
		if err := os.WriteFile(files.MarkFile(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if mark, err := files.Mark(t.Context()); err == nil {
			t.Errorf("%d bytes are taken for the mark %q", len(content), mark)
		}
	}
}

// TestNothingIsWrittenIntoAnotherStore: a disk that is no longer mounted leaves an empty folder in its place.
func TestNothingIsWrittenIntoAnotherStore(t *testing.T) {
	files, dir := open(t)
	if err := files.SetMark(t.Context(), "ours"); err != nil {
		t.Fatal(err)
	}
	files.Expect("ours")
	content := []byte("pixels")
	if err := files.Put(t.Context(), blob.Hash(content), content); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+".unmounted"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := files.Put(t.Context(), blob.Hash(content), content); !errors.Is(err, blob.ErrOtherStore) {
		t.Errorf("written beside the store: %v", err)
	}
}
