package baseline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"afterimage/internal/blob"
)

// Folder is a store in a folder of this machine. One update at a time may use it.
type Folder string

func (f Folder) String() string { return string(f) }

func (f Folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// prepare makes the folder if it is missing.
func (f Folder) prepare(context.Context) error {
	return f.explain(os.MkdirAll(f.path(filesFolder), 0o755)) //nolint:gosec // a folder of the caller's
}

func (f Folder) read(_ context.Context, name string) ([]byte, error) {
	return os.ReadFile(f.path(name))
}

func (f Folder) holds(_ context.Context, name string, content []byte) (bool, error) {
	there, err := os.ReadFile(f.path(name))
	return err == nil && bytes.Equal(there, content), nil // what cannot be read is written again
}

// write puts a file under its name when it is complete and on the disk.
func (f Folder) write(_ context.Context, name string, content []byte) error {
	part, err := os.CreateTemp(filepath.Dir(f.path(name)), ".part-*")
	if err != nil {
		return f.explain(err)
	}
	_, err = part.Write(content)
	err = errors.Join(err, part.Chmod(0o644), part.Sync(), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), f.path(name))
	}
	if err != nil {
		_ = os.Remove(part.Name())
	}
	return f.explain(err)
}

func (f Folder) list(_ context.Context, prefix string) iter.Seq2[blob.Object, error] {
	return func(yield func(blob.Object, error) bool) {
		found, err := os.ReadDir(f.path(prefix))
		if err != nil && !isMissing(err) {
			yield(blob.Object{}, f.explain(err))
			return
		}
		for _, file := range found {
			info, err := file.Info()
			if isMissing(err) {
				continue
			}
			if err != nil {
				yield(blob.Object{}, f.explain(err))
				return
			}
			if !yield(blob.Object{Key: prefix + file.Name(), Size: info.Size(), Modified: info.ModTime()}, nil) {
				return
			}
		}
	}
}

func (f Folder) remove(_ context.Context, o blob.Object) error {
	if err := os.Remove(f.path(o.Key)); !isMissing(err) {
		return f.explain(err)
	}
	return nil
}

// grace is none: a folder is made to be committed, with the files of its index and no others.
func (Folder) grace() time.Duration { return 0 }

// explain says in one line that the folder cannot be written, and why.
func (f Folder) explain(err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("the baseline cannot be written to %s: %w", string(f), err)
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
