package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// markName is the file that tells one store from another.
const markName = "store-id"

// maxMark bounds what is read of a mark, in bytes.
const maxMark = 200

// ErrOtherStore is the error for a folder or bucket that is no longer the expected store, for example because its disk
// was unmounted.
var ErrOtherStore = errors.New("the image store is not the one found at startup: is its disk still mounted?")

// MarkFile returns the path of the file that holds the mark.
func (f *Folder) MarkFile() string { return filepath.Join(f.dir, markName) }

// Mark returns the string that identifies this store, or "" if it has none.
func (f *Folder) Mark(context.Context) (string, error) {
	raw, err := os.ReadFile(f.MarkFile())
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the mark of the image folder: %w", err)
	}
	return parseMark(raw, f.MarkFile())
}

func parseMark(raw []byte, place string) (string, error) {
	if mark := strings.TrimSpace(string(raw)); mark != "" && len(mark) <= maxMark {
		return mark, nil
	}
	return "", fmt.Errorf("%s is not a valid image store id: restore it from a backup", place)
}

// SetMark durably gives the store a mark. It fails with fs.ErrExist if there is one already.
func (f *Folder) SetMark(_ context.Context, mark string) error {
	draft := filepath.Join(f.dir, markName+"."+rand.Text()+draftSuffix)
	defer func() { _ = os.Remove(draft) }()
	if err := writeSynced(draft, []byte(mark+"\n")); err != nil {
		return fmt.Errorf("write the mark of the image folder: %w", err)
	}
	if err := os.Link(draft, f.MarkFile()); err != nil { // unlike a renaming it replaces nothing
		return fmt.Errorf("write the mark of the image folder: %w", err)
	}
	return syncFolder(f.dir)
}

// Expect makes every later write fail with ErrOtherStore unless the store still has this mark.
func (f *Folder) Expect(mark string) { f.mark.Store(&mark) }

// checkMark costs the reading of one small file that the system has in memory.
func (f *Folder) checkMark() error {
	expected := f.mark.Load()
	if expected == nil {
		return nil
	}
	if mark, err := f.Mark(context.Background()); err != nil || mark != *expected {
		return errors.Join(ErrOtherStore, err)
	}
	return nil
}
