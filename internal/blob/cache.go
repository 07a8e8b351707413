package blob

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Cache keeps files of a bucket in a folder of this machine, up to a number of bytes: what was written or read last. A
// comparison reads a picture soon after its capture, and a browser asks for a picture in many strips. What is in it was
// verified, and is verified again after a restart. Several processes may share the folder. A nil Cache keeps nothing.
//
// Nothing depends on it: what cannot be kept, as on a full disk, is read from the bucket.
type Cache struct {
	files *Folder
	limit int64

	written  atomic.Int64 // bytes since the last trimming
	trimming sync.Mutex
}

// NewCache returns a cache in a folder, which is made if needed, of at most limit bytes and an eighth.
func NewCache(dir string, limit int64) (*Cache, error) {
	files, err := Open(dir)
	if err != nil {
		return nil, err
	}
	files.fleeting = true
	c := &Cache{files: files, limit: limit}
	c.trim()
	return c, nil
}

func (c *Cache) put(ctx context.Context, hash, suffix string, content []byte) {
	if c == nil || int64(len(content)) > c.limit/8 {
		return
	}
	if c.files.write(ctx, hash, suffix, content) != nil {
		return
	}
	if c.written.Add(int64(len(content))) > c.limit/8 {
		c.trim()
	}
}

func (c *Cache) get(ctx context.Context, hash string, size int64) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	content, err := c.files.GetVerified(ctx, hash, size)
	return content, err == nil
}

func (c *Cache) open(ctx context.Context, hash string, size int64) (File, bool) {
	if c == nil {
		return nil, false
	}
	file, err := c.files.OpenVerified(ctx, hash, size)
	return file, err == nil
}

func (c *Cache) variant(ctx context.Context, hash, variant string) (File, bool) {
	if c == nil {
		return nil, false
	}
	file, err := c.files.Variant(ctx, hash, variant)
	return file, err == nil
}

func (c *Cache) remove(ctx context.Context, hash string) {
	if c != nil {
		_ = c.files.Remove(ctx, hash)
	}
}

// kept is a file in the cache.
type kept struct {
	path     string
	size     int64
	modified time.Time
}

// trim removes the oldest files until the rest takes no more than the limit. Whoever has one open can read it to its end.
func (c *Cache) trim() {
	if !c.trimming.TryLock() {
		return
	}
	defer c.trimming.Unlock()
	c.written.Store(0)
	var all []kept
	var total int64
	_ = filepath.WalkDir(c.files.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // somebody else may be trimming
		}
		if info, err := d.Info(); err == nil {
			all = append(all, kept{path, info.Size(), info.ModTime()})
			total += info.Size()
		}
		return nil
	})
	slices.SortFunc(all, func(a, b kept) int { return cmp.Compare(a.modified.UnixNano(), b.modified.UnixNano()) })
	for _, file := range all {
		if total <= c.limit {
			return
		}
		if os.Remove(file.path) == nil {
			total -= file.size
		}
	}
}
