// Package blob is a content-addressed file store: a file is named by the hash of its content, stored once, and immutable.
// A store is a [Folder] or a [Bucket].
//
// Layout of both: ab/cd/abcd…ef.bin, where abcd…ef is the lower-case hex SHA-256 of the content. Files derived from
// it, such as a preview, are next to it as abcd…ef.<variant> and are deleted with it. The file store-id identifies the
// store.
package blob

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	mainSuffix  = ".bin"
	draftSuffix = ".draft"
	hashLength  = 2 * sha256.Size
	probeName   = "probe-*"
	// probeGrace is how old a probe must be to be taken for one that a killed process has left behind.
	probeGrace = time.Minute
)

// ErrHash is the error for a string that is not a hash.
var ErrHash = errors.New("not a lower-case hex SHA-256 hash")

// Hash returns the name of a content: its lower-case hex SHA-256.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Folder is a store in a folder. Several processes may use the same folder. It is safe for concurrent use.
type Folder struct {
	dir      string
	fleeting bool                        // files need not outlast a power failure
	lasting  sync.Map                    // folders whose way down from dir is known to outlast a power failure
	read     *lru.Cache[string, finding] // by hash: what Verify found
	mark     atomic.Pointer[string]      // that the folder must have, see Expect
}

// Open creates the folder if needed and checks that it is writable.
func Open(dir string) (*Folder, error) {
	dir = filepath.Clean(dir)
	if err := makeFolder(dir); err != nil {
		return nil, fmt.Errorf("create the image folder: %w", err)
	}
	removeProbes(dir)
	probe, err := os.CreateTemp(dir, probeName)
	if err != nil {
		return nil, fmt.Errorf("the image folder is not writable: %w", err)
	}
	read, err := lru.New[string, finding](rememberedFiles)
	return &Folder{dir: dir, read: read}, errors.Join(err, probe.Close(), os.Remove(probe.Name()))
}

// removeProbes clears away what processes left behind that were killed while they opened the folder. One that cannot be
// removed harms nobody.
func removeProbes(dir string) {
	probes, _ := filepath.Glob(filepath.Join(dir, probeName))
	for _, name := range probes {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > probeGrace {
			_ = os.Remove(name)
		}
	}
}

// Put stores content under its hash, which the caller has computed. An existing content is left as it is.
func (f *Folder) Put(ctx context.Context, hash string, content []byte) error {
	return f.write(ctx, hash, mainSuffix, content)
}

// Reserver records that a file is about to be written, see PutReserved.
type Reserver interface {
	ReserveBlob(ctx context.Context, hash string, size int) error
}

// PutReserved stores content and returns its hash. The row that names the file is committed before the file is written, so that
// a process killed in between leaves no orphaned file.
func PutReserved(ctx context.Context, files Store, rows Reserver, content []byte) (hash string, err error) {
	hash = Hash(content)
	if err := rows.ReserveBlob(ctx, hash, len(content)); err != nil {
		return "", err
	}
	return hash, files.Put(ctx, hash, content)
}

// Get reads a content; the error is fs.ErrNotExist if there is none.
func (f *Folder) Get(_ context.Context, hash string) ([]byte, error) {
	path, err := f.path(hash, mainSuffix)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// open opens a content for reading; the error is fs.ErrNotExist if there is none.
func (f *Folder) open(hash string) (*os.File, error) {
	path, err := f.path(hash, mainSuffix)
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Remove deletes a content with its variants and drafts. It is not an error if there are none.
func (f *Folder) Remove(_ context.Context, hash string) error {
	path, err := f.path(hash, "")
	if err != nil {
		return err
	}
	matches, err := filepath.Glob(path + ".*")
	if err != nil {
		return err
	}
	for _, name := range matches {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an image file: %w", err)
		}
	}
	return nil
}

// Holds reports whether there is a file of this hash, including drafts and variants.
func (f *Folder) Holds(_ context.Context, hash string) (bool, error) {
	path, err := f.path(hash, "")
	if err != nil {
		return false, err
	}
	matches, err := filepath.Glob(path + ".*")
	return len(matches) > 0, err
}

// Walk calls visit with the hash of every file in the store, including drafts and variants; a hash may be visited
// several times. Files that are not named by a hash are ignored.
func (f *Folder) Walk(ctx context.Context, visit func(hash string) error) error {
	return filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed while we looked
		}
		if err = errors.Join(err, ctx.Err()); err != nil || d.IsDir() {
			return err
		}
		if name, _, _ := strings.Cut(d.Name(), "."); isHash(name) {
			return visit(name)
		}
		return nil
	})
}

// write makes the file complete beside its place and renames it in, so that nobody ever reads half a file. The draft
// carries the hash in its name: what a killed process leaves behind goes when the hash goes. When write returns, the file
// outlasts a power failure, also one that was there already: another process may have renamed it in just now.
func (f *Folder) write(ctx context.Context, hash, suffix string, content []byte) error {
	path, err := f.path(hash, suffix)
	if err != nil {
		return err
	}
	if err := f.checkMark(); err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if f.holdsWhole(ctx, path, hash, suffix, content) {
		return f.settle(folder)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("create an image folder: %w", err)
	}
	draft := fmt.Sprintf("%s.%s%s", path, rand.Text(), draftSuffix)
	if err := f.writeFile(draft, content); err != nil {
		_ = os.Remove(draft)
		return fmt.Errorf("write an image file: %w", err)
	}
	if err := os.Rename(draft, path); err != nil {
		return fmt.Errorf("write an image file: %w", err)
	}
	return f.settle(folder)
}

// holdsWhole reports whether a file need not be written: one that is damaged is written anew.
func (f *Folder) holdsWhole(ctx context.Context, path, hash, suffix string, content []byte) bool {
	if suffix == mainSuffix {
		return f.Verify(ctx, hash, int64(len(content))) == nil
	}
	_, err := os.Stat(path)
	return err == nil
}

func (f *Folder) writeFile(path string, content []byte) error {
	if f.fleeting {
		return os.WriteFile(path, content, 0o600)
	}
	return writeSynced(path, content)
}

func writeSynced(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

// path is where a file of a hash stands. Nothing but a hash can name a place in the file system.
func (f *Folder) path(hash, suffix string) (string, error) {
	if !isHash(hash) {
		return "", fmt.Errorf("%q: %w", hash, ErrHash)
	}
	return filepath.Join(f.dir, hash[:2], hash[2:4], hash+suffix), nil
}

func isHash(name string) bool {
	return len(name) == hashLength && strings.Trim(name, "0123456789abcdef") == ""
}
