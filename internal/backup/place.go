package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"afterimage/internal/blob"
)

// Place keeps named objects. Names are paths with slashes. A *bucket.Bucket is one, and a [Folder].
type Place interface {
	// Read returns a whole object; the error is fs.ErrNotExist if there is none.
	Read(ctx context.Context, name string) ([]byte, error)
	// Write stores an object, over an existing one. When it returns, the object is complete and lasts.
	Write(ctx context.Context, name string, content []byte, mediaType string) error
	// List yields all objects whose names begin with a prefix which is empty or ends with a slash.
	List(ctx context.Context, prefix string) iter.Seq2[blob.Object, error]
	// Delete removes an object. It is not an error if there is none.
	Delete(ctx context.Context, name string) error
	// String names the place for people.
	String() string
	Close() error
}

// Folder is a place in a folder, by its full path. It is made when something is written.
type Folder string

const draftPrefix = ".draft-"

func (f Folder) at(name string) string {
	return filepath.Join(string(f), filepath.FromSlash(name))
}

// Read implements Place.
func (f Folder) Read(_ context.Context, name string) ([]byte, error) {
	return os.ReadFile(f.at(name))
}

// Write implements Place. It puts the object under its name when it is complete and on the disk.
func (f Folder) Write(_ context.Context, name string, content []byte, _ string) error {
	path := f.at(name)
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return f.explain(err)
	}
	draft, err := os.CreateTemp(dir, draftPrefix+"*") // mode 0600
	if err != nil {
		return f.explain(err)
	}
	_, err = draft.Write(content)
	err = errors.Join(err, draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		_ = os.Remove(draft.Name())
		return f.explain(err)
	}
	return f.sync(dir)
}

// sync makes a name outlast a power failure.
func (f Folder) sync(dir string) error {
	opened, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return f.explain(err)
	}
	defer opened.Close()
	if err := opened.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return f.explain(err)
	}
	return nil
}

// explain says in one line what is wrong with the folder.
func (f Folder) explain(err error) error {
	return fmt.Errorf("the backup cannot be written to %s: %w", f, err)
}

// List implements Place. Objects have names only.
func (f Folder) List(ctx context.Context, prefix string) iter.Seq2[blob.Object, error] {
	return func(yield func(blob.Object, error) bool) {
		err := filepath.WalkDir(f.at(prefix), func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), draftPrefix) {
				return nil
			}
			name, err := filepath.Rel(string(f), path)
			if err != nil {
				return err
			}
			if !yield(blob.Object{Key: filepath.ToSlash(name)}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(blob.Object{}, fmt.Errorf("list the backups in %s: %w", f, err))
		}
	}
}

// Delete implements Place. It also removes the folders that are empty then.
func (f Folder) Delete(_ context.Context, name string) error {
	path := f.at(name)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f.explain(err)
	}
	for dir := filepath.Dir(path); dir != string(f) && os.Remove(dir) == nil; {
		dir = filepath.Dir(dir)
	}
	return nil
}

// String implements Place.
func (f Folder) String() string { return string(f) }

// Close implements Place.
func (f Folder) Close() error { return nil }
