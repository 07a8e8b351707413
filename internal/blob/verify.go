package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// AnySize stands for an unknown size.
const AnySize = -1

// ErrDamaged is the error for a file whose content does not match its name: truncated, or modified on disk.
var ErrDamaged = errors.New("the image file is corrupt")

// rememberedFiles is how many files a process remembers to have read whole. An entry takes some 250 bytes.
const rememberedFiles = 1 << 15

// version tells one state of a file from another without reading it.
type version struct {
	size     int64
	modified time.Time
}

// finding is what reading a version of a file has shown.
type finding struct {
	version
	damage error // nil for a file that is what it should be
}

// VerifySize compares the size of a content with the stored size in bytes, without reading it. It returns ErrDamaged
// if they differ, and fs.ErrNotExist if there is no file.
func (f *Folder) VerifySize(_ context.Context, hash string, size int64) error {
	path, err := f.path(hash, mainSuffix)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return checkSize(hash, info.Size(), size)
}

// Verify reads a content and compares it with its hash, and first with its size in bytes unless that is AnySize. It
// returns ErrDamaged if either differs, and fs.ErrNotExist if there is no file. A process reads a file once, and
// again only if its size or modification time changes, so that verifying before every use is cheap. Reading stops
// when ctx ends.
func (f *Folder) Verify(ctx context.Context, hash string, size int64) error {
	file, err := f.OpenVerified(ctx, hash, size)
	if err != nil {
		return err
	}
	return file.Close()
}

// OpenVerified verifies and opens a content for reading; errors are those of Verify.
func (f *Folder) OpenVerified(ctx context.Context, hash string, size int64) (File, error) {
	file, err := f.open(hash)
	if err != nil {
		return nil, err
	}
	if err := f.verify(ctx, file, hash, size); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// GetVerified verifies and reads a content; errors are those of Verify.
func (f *Folder) GetVerified(ctx context.Context, hash string, size int64) ([]byte, error) {
	content, err := f.Get(ctx, hash)
	if err != nil {
		return nil, err
	}
	return content, checkContent(content, hash, size)
}

// verify leaves the file at its beginning.
func (f *Folder) verify(ctx context.Context, file *os.File, hash string, size int64) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := checkSize(hash, info.Size(), size); err != nil {
		return err
	}
	now := version{size: info.Size(), modified: info.ModTime()}
	if known, ok := f.read.Get(hash); ok && known.version == now {
		return known.damage
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, heeding{ctx, file}); err != nil {
		return fmt.Errorf("read an image file: %w", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read an image file: %w", err)
	}
	damage := checkHash(hash, hex.EncodeToString(sum.Sum(nil)))
	f.read.Add(hash, finding{version: now, damage: damage})
	return damage
}

func checkContent(content []byte, hash string, size int64) error {
	if err := checkSize(hash, int64(len(content)), size); err != nil {
		return err
	}
	return checkHash(hash, Hash(content))
}

func checkSize(hash string, got, want int64) error {
	if want != AnySize && got != want {
		return fmt.Errorf("%w: %s has %d bytes instead of %d", ErrDamaged, hash, got, want)
	}
	return nil
}

func checkHash(hash, got string) error {
	if got != hash {
		return fmt.Errorf("%w: %s has other content, %s", ErrDamaged, hash, got)
	}
	return nil
}

// heeding reads until its context ends.
type heeding struct {
	ctx context.Context
	io.Reader
}

func (r heeding) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
