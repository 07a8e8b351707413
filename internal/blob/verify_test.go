package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"afterimage/internal/blob"
)

// stored is a store with one content, and the path of its file.
func stored(t *testing.T, content []byte) (files *blob.Folder, hash, path string) {
	t.Helper()
	files, dir := open(t)
	hash = blob.Hash(content)
	if err := files.Put(t.Context(), hash, content); err != nil {
		t.Fatal(err)
	}
	return files, hash, filepath.Join(dir, hash[:2], hash[2:4], hash+".bin")
}

func TestVerifySeesEveryDamage(t *testing.T) {
	content := bytes.Repeat([]byte("pixels"), 1000)
	size := int64(len(content))
	flipped := bytes.Clone(content)
	flipped[3000] ^= 1
	for name, c := range map[string]struct {
		damaged  []byte
		bySize   error // what VerifySize says
		complete error // what Verify says
	}{
		"whole":       {content, nil, nil},
		"cut in half": {content[:size/2], blob.ErrDamaged, blob.ErrDamaged},
		"emptied":     {nil, blob.ErrDamaged, blob.ErrDamaged},
		"longer":      {append(bytes.Clone(content), 0), blob.ErrDamaged, blob.ErrDamaged},
		"one bit":     {flipped, nil, blob.ErrDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			files, hash, path := stored(t, content)
			if err := os.WriteFile(path, c.damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := files.VerifySize(t.Context(), hash, size); !errors.Is(err, c.bySize) {
				t.Errorf("VerifySize = %v, want %v", err, c.bySize)
			}
			for range 2 { // the second answer is remembered
				for _, known := range []int64{size, blob.AnySize} {
					if err := files.Verify(t.Context(), hash, known); !errors.Is(err, c.complete) {
						t.Errorf("Verify with size %d = %v, want %v", known, err, c.complete)
					}
				}
			}
			if _, err := files.GetVerified(t.Context(), hash, size); !errors.Is(err, c.complete) {
				t.Errorf("GetVerified = %v, want %v", err, c.complete)
			}
		})
	}
}

func TestVerifyReadsAFileOncePerVersion(t *testing.T) {
	content := []byte("pixels")
	files, hash, path := stored(t, content)
	moment := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	write := func(content string, modified time.Time) {
		t.Helper()
		if err := errors.Join(os.WriteFile(path, []byte(content), 0o600), os.Chtimes(path, modified, modified)); err != nil {
			t.Fatal(err)
		}
	}
	write("pixels", moment)
	if err := files.Verify(t.Context(), hash, 6); err != nil {
		t.Fatal(err)
	}
	write("pixelz", moment) // the same version to all appearances: it is not read again
	if err := files.Verify(t.Context(), hash, 6); err != nil {
		t.Errorf("the same version was read again: %v", err)
	}
	write("pixelz", moment.Add(time.Second))
	if err := files.Verify(t.Context(), hash, 6); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("a later version = %v, want ErrDamaged", err)
	}
	write("pixels", moment.Add(2*time.Second)) // restored from a backup
	file, err := files.OpenVerified(t.Context(), hash, 6)
	if err != nil {
		t.Fatalf("a restored file = %v", err)
	}
	defer file.Close()
	if got, err := io.ReadAll(file); err != nil || string(got) != "pixels" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestVerifyHearsItsContext(t *testing.T) {
	files, hash, _ := stored(t, []byte("pixels"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := files.Verify(ctx, hash, 6); !errors.Is(err, context.Canceled) {
		t.Errorf("Verify = %v, want that it was cancelled", err)
	}
	if err := files.Verify(t.Context(), hash, 6); err != nil {
		t.Errorf("what was cancelled is remembered: %v", err)
	}
}

func TestVerifyOfNoFile(t *testing.T) {
	files, _ := open(t)
	absent := blob.Hash([]byte("nothing"))
	for _, err := range []error{files.VerifySize(t.Context(), absent, 7), files.Verify(t.Context(), absent, 7)} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error = %v, want not exist", err)
		}
	}
}
