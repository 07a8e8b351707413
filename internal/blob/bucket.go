package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Object is an object of a bucket.
type Object struct {
	Key      string
	Size     int64 // bytes
	Modified time.Time
}

// Objects is what a [Bucket] needs of a bucket of objects. Implementations repeat what fails in passing. Their errors match
// ErrUnavailable, or fs.ErrNotExist and fs.ErrExist where those are the reason. What they have written or deleted is so
// for every reader from then on, as S3, Google and Azure promise.
type Objects interface {
	String() string
	Read(ctx context.Context, key string) ([]byte, error)
	Write(ctx context.Context, key string, content []byte, mediaType string) error  // and compares what is then held
	Create(ctx context.Context, key string, content []byte, mediaType string) error // unless there is one
	Holds(ctx context.Context, key string, content []byte) (bool, error)            // exactly this content
	Stat(ctx context.Context, key string) (Object, error)
	Delete(ctx context.Context, key string) error
	List(ctx context.Context, prefix string) iter.Seq2[Object, error] // sorted by key
	Link(ctx context.Context, key string, expiry time.Duration) (string, error)
	Check(ctx context.Context) error // whether all of this is permitted
	Close() error
}

const (
	// readTries is how often a content is read that does not have its hash: what is between may have cut it.
	readTries = 3
	// markLasts is for how long a mark that was read is trusted. Other than a disk, a bucket is not unmounted.
	markLasts = time.Minute
)

// Bucket is a store in a bucket. Files are read as a whole and verified each time. It is safe for concurrent use, and any
// number of processes may use the same bucket.
type Bucket struct {
	objects Objects
	cache   *Cache // nil for none

	mu       sync.Mutex
	expected string    // mark; see Expect
	seen     time.Time // when the bucket last had it
}

// NewBucket returns a store in a bucket. Files are also kept in the cache, unless that is nil.
func NewBucket(objects Objects, cache *Cache) *Bucket {
	return &Bucket{objects: objects, cache: cache}
}

// Check proves that the bucket may be listed, written, read and deleted from.
func (b *Bucket) Check(ctx context.Context) error { return b.objects.Check(ctx) }

// Close ends the connections.
func (b *Bucket) Close() error { return b.objects.Close() }

// Put implements Store. The content's hash is computed anew: under a wrong name it would replace another content.
func (b *Bucket) Put(ctx context.Context, hash string, content []byte) error {
	key, err := b.key(hash, mainSuffix)
	if err != nil {
		return err
	}
	if err := checkHash(hash, Hash(content)); err != nil {
		return err
	}
	return b.write(ctx, hash, mainSuffix, key, content)
}

// PutVariant implements Store.
func (b *Bucket) PutVariant(ctx context.Context, hash, variant string, content []byte) error {
	key, err := b.key(hash, "."+variant)
	if err != nil {
		return err
	}
	return b.write(ctx, hash, "."+variant, key, summed(content))
}

func (b *Bucket) write(ctx context.Context, hash, suffix, key string, content []byte) error {
	if err := b.checkMark(ctx); err != nil {
		return err
	}
	held, err := b.objects.Holds(ctx, key, content)
	if err != nil {
		return err
	}
	if !held {
		if err := b.objects.Write(ctx, key, content, http.DetectContentType(content)); err != nil {
			return err
		}
	}
	b.cache.put(ctx, hash, suffix, content)
	return nil
}

// Get implements Store.
func (b *Bucket) Get(ctx context.Context, hash string) ([]byte, error) {
	return b.GetVerified(ctx, hash, AnySize)
}

// GetVerified implements Store.
func (b *Bucket) GetVerified(ctx context.Context, hash string, size int64) ([]byte, error) {
	if content, ok := b.cache.get(ctx, hash, size); ok {
		return content, nil
	}
	content, err := b.fetch(ctx, hash, size)
	if err == nil {
		b.cache.put(ctx, hash, mainSuffix, content)
	}
	return content, err
}

// fetch reads a content from the bucket.
func (b *Bucket) fetch(ctx context.Context, hash string, size int64) ([]byte, error) {
	key, err := b.key(hash, mainSuffix)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		content, err := b.objects.Read(ctx, key)
		if err != nil {
			return nil, err
		}
		if err = checkContent(content, hash, size); err == nil {
			return content, nil
		}
		if try == readTries {
			return nil, err
		}
	}
}

// OpenVerified implements Store.
func (b *Bucket) OpenVerified(ctx context.Context, hash string, size int64) (File, error) {
	if file, ok := b.cache.open(ctx, hash, size); ok {
		return file, nil
	}
	content, err := b.GetVerified(ctx, hash, size)
	if err != nil {
		return nil, err
	}
	return inMemory{bytes.NewReader(content)}, nil
}

// Variant implements Store.
func (b *Bucket) Variant(ctx context.Context, hash, variant string) (File, error) {
	if file, ok := b.cache.variant(ctx, hash, variant); ok {
		return file, nil
	}
	key, err := b.key(hash, "."+variant)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		content, err := b.objects.Read(ctx, key)
		if err != nil {
			return nil, err
		}
		if size := len(content) - sha256.Size; size >= 0 && bytes.Equal(summed(content[:size]), content) {
			b.cache.put(ctx, hash, "."+variant, content)
			return inMemory{bytes.NewReader(content[:size])}, nil
		}
		if try == readTries {
			return nil, errors.Join(b.objects.Delete(ctx, key), fs.ErrNotExist)
		}
	}
}

// Verify implements Store. It reads the bucket and not the cache.
func (b *Bucket) Verify(ctx context.Context, hash string, size int64) error {
	_, err := b.fetch(ctx, hash, size)
	return err
}

// VerifySize implements Store.
func (b *Bucket) VerifySize(ctx context.Context, hash string, size int64) error {
	key, err := b.key(hash, mainSuffix)
	if err != nil {
		return err
	}
	held, err := b.objects.Stat(ctx, key)
	if err != nil {
		return err
	}
	return checkSize(hash, held.Size, size)
}

// Holds implements Store.
func (b *Bucket) Holds(ctx context.Context, hash string) (bool, error) {
	prefix, err := b.key(hash, ".")
	if err != nil {
		return false, err
	}
	for _, err := range b.objects.List(ctx, prefix) {
		return err == nil, err
	}
	return false, nil
}

// Walk implements Store.
func (b *Bucket) Walk(ctx context.Context, visit func(hash string) error) error {
	for o, err := range b.objects.List(ctx, "") {
		if err != nil {
			return err
		}
		if hash, _, ok := parseKey(o.Key); ok {
			if err := visit(hash); err != nil {
				return err
			}
		}
	}
	return nil
}

// Remove implements Store.
func (b *Bucket) Remove(ctx context.Context, hash string) error {
	prefix, err := b.key(hash, ".")
	if err != nil {
		return err
	}
	for o, err := range b.objects.List(ctx, prefix) {
		if err != nil {
			return err
		}
		if err := b.objects.Delete(ctx, o.Key); err != nil {
			return err
		}
	}
	b.cache.remove(ctx, hash)
	return nil
}

// Link returns a URL at which anybody can read a content until the time is over.
func (b *Bucket) Link(ctx context.Context, hash string, expiry time.Duration) (string, error) {
	key, err := b.key(hash, mainSuffix)
	if err != nil {
		return "", err
	}
	return b.objects.Link(ctx, key, expiry)
}

// MarkFile implements Store.
func (b *Bucket) MarkFile() string { return b.objects.String() + "/" + markName }

// Mark implements Store.
func (b *Bucket) Mark(ctx context.Context) (string, error) {
	raw, err := b.objects.Read(ctx, markName)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return parseMark(raw, b.MarkFile())
}

// SetMark implements Store.
func (b *Bucket) SetMark(ctx context.Context, mark string) error {
	return b.objects.Create(ctx, markName, []byte(mark+"\n"), "text/plain")
}

// Expect implements Store.
func (b *Bucket) Expect(mark string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected, b.seen = mark, time.Time{}
}

func (b *Bucket) checkMark(ctx context.Context) error {
	b.mu.Lock()
	expected, seen := b.expected, b.seen
	b.mu.Unlock()
	if expected == "" || time.Since(seen) < markLasts {
		return nil
	}
	mark, err := b.Mark(ctx)
	if err != nil {
		return err
	}
	if mark != expected {
		return fmt.Errorf("%w (%s)", ErrOtherStore, b.MarkFile())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen = time.Now()
	return nil
}

// key is where a file of a hash stands.
func (b *Bucket) key(hash, suffix string) (string, error) {
	if !isHash(hash) {
		return "", fmt.Errorf("%q: %w", hash, ErrHash)
	}
	return path.Join(hash[:2], hash[2:4], hash+suffix), nil
}

// parseKey is the opposite of key; ok is false for what is no file.
func parseKey(key string) (hash, suffix string, ok bool) {
	hash, suffix, _ = strings.Cut(path.Base(key), ".")
	return hash, "." + suffix, isHash(hash)
}

// inMemory is a file that was read already.
type inMemory struct{ *bytes.Reader }

// Close does nothing.
func (inMemory) Close() error { return nil }
