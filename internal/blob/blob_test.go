package blob_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"afterimage/internal/blob"
)

func open(t *testing.T) (*blob.Folder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "blobs")
	files, err := blob.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return files, dir
}

func hashes(t *testing.T, files *blob.Folder) []string {
	t.Helper()
	var all []string
	if err := files.Walk(t.Context(), func(hash string) error { all = append(all, hash); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestContentIsKeptOnceUnderItsHash(t *testing.T) {
	files, _ := open(t)
	content := []byte("pixels")
	hash := blob.Hash(content)
	for range 2 {
		if err := files.Put(t.Context(), hash, content); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := files.Get(t.Context(), hash); err != nil || string(got) != "pixels" {
		t.Errorf("get = %q, %v", got, err)
	}
	if all := hashes(t, files); len(all) != 1 || all[0] != hash {
		t.Errorf("files = %v, want one of %s", all, hash)
	}
}

func TestRemoveTakesVariantsAndDraftsAlong(t *testing.T) {
	files, dir := open(t)
	content := []byte("pixels")
	hash := blob.Hash(content)
	if err := errors.Join(files.Put(t.Context(), hash, content), files.PutVariant(t.Context(), hash, "jpeg", []byte("small"))); err != nil {
		t.Fatal(err)
	}
	draft := filepath.Join(dir, hash[:2], hash[2:4], hash+".bin.LEFTOVER.draft")
	if err := os.WriteFile(draft, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if all := hashes(t, files); len(all) != 3 {
		t.Fatalf("files = %v, want content, variant and draft", all)
	}
	if err := errors.Join(files.Remove(t.Context(), hash), files.Remove(t.Context(), hash)); err != nil {
		t.Fatal(err)
	}
	if all := hashes(t, files); len(all) != 0 {
		t.Errorf("left over: %v", all)
	}
	if _, err := files.Variant(t.Context(), hash, "jpeg"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("variant error = %v, want not exist", err)
	}
}

func TestWhatAKilledProcessLeavesBehindIsNoFile(t *testing.T) {
	_, dir := open(t)
	stale, fresh := filepath.Join(dir, "probe-1"), filepath.Join(dir, "probe-2")
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(stale, nil, 0o600), os.Chtimes(stale, old, old), os.WriteFile(fresh, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	files, err := blob.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the stale probe is still there: %v", err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Errorf("the probe of a process that opens the folder is gone: %v", err)
	}
	if all := hashes(t, files); len(all) != 0 {
		t.Errorf("files = %v, want none", all)
	}
}

func TestATornFileIsWrittenAgain(t *testing.T) {
	files, dir := open(t)
	content := []byte("pixels")
	hash := blob.Hash(content)
	torn := filepath.Join(dir, hash[:2], hash[2:4], hash+".bin")
	if err := errors.Join(os.MkdirAll(filepath.Dir(torn), 0o700), os.WriteFile(torn, []byte("pi"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := files.Put(t.Context(), hash, content); err != nil {
		t.Fatal(err)
	}
	if got, err := files.Get(t.Context(), hash); err != nil || string(got) != "pixels" {
		t.Errorf("get = %q, %v", got, err)
	}
}

func TestOnlyHashesNameFiles(t *testing.T) {
	files, _ := open(t)
	for _, name := range []string{"", "..", "../../etc/passwd", strings.Repeat("A", 64), strings.Repeat("a", 63) + "/",
		strings.Repeat("a", 65)} {
		if _, err := files.Get(t.Context(), name); !errors.Is(err, blob.ErrHash) {
			t.Errorf("Get(%q) error = %v, want ErrHash", name, err)
		}
		if err := files.Remove(t.Context(), name); !errors.Is(err, blob.ErrHash) {
			t.Errorf("Remove(%q) error = %v, want ErrHash", name, err)
		}
	}
}
