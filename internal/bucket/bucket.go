// Package bucket reads and writes objects in a bucket of any S3 server, Google Cloud Storage or Azure Blob Storage.
//
// [Open] takes a URL and the credentials of the environment. Every call is repeated for a while when the bucket fails in
// passing, has a deadline, and ends with its context. Errors say in one sentence what an operator can do, and never hold
// credentials. An object that was written is compared with what the bucket then says it holds.
package bucket

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // buckets tell this sum of what they hold; it finds accidents, not attackers
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	imageblob "afterimage/internal/blob"
)

// MaxObject bounds what is read of one object, in bytes.
const MaxObject = 1 << 30

const pageSize = 1000

// partSize is that of the parts in which S3 and Azure take objects of 16 MB and more. The sums of those are no MD5, so that what
// was written is read again to compare it.
const partSize = 16 << 20

// ErrDamaged is the error for an object of which the bucket delivers or keeps something else than was written.
var ErrDamaged = errors.New("the bucket did not keep what was written")

// Bucket is an open bucket. It is safe for concurrent use. Close it after use.
type Bucket struct {
	remote remote
	prefix string // before all keys
	name   string
	patience
}

// Object describes an object.
type Object = imageblob.Object

// String names the bucket for people and logs: its URL without parameters.
func (b *Bucket) String() string { return b.name }

// Close releases the connections.
func (b *Bucket) Close() error { return b.remote.close() }

// Read returns a whole object; the error is fs.ErrNotExist if there is none. An object that ends early is read again.
func (b *Bucket) Read(ctx context.Context, key string) (content []byte, err error) {
	err = b.persist(ctx, "read", 0, func(ctx context.Context, arrived func(n int)) error {
		content, err = b.readOnce(ctx, key, arrived)
		return err
	})
	return content, err
}

func (b *Bucket) readOnce(ctx context.Context, key string, arrived func(n int)) ([]byte, error) {
	r, size, err := b.remote.read(ctx, b.prefix+key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	if size > MaxObject {
		return nil, final{fmt.Errorf("%s has %d bytes, more than can be read", key, size)}
	}
	var content bytes.Buffer
	content.Grow(int(max(size, 0)) + bytes.MinRead)
	if _, err := io.Copy(&content, io.LimitReader(lively{r, arrived}, MaxObject)); err != nil {
		return nil, err
	}
	if size >= 0 && int64(content.Len()) != size {
		return nil, fmt.Errorf("%s ended after %d of %d bytes: %w", key, content.Len(), size, io.ErrUnexpectedEOF)
	}
	return content.Bytes(), nil
}

// Write stores an object, replacing an existing one, and checks the size and hash that the bucket then reports.
func (b *Bucket) Write(ctx context.Context, key string, content []byte, mediaType string) error {
	return b.persist(ctx, "write", len(content), func(ctx context.Context, _ func(int)) error {
		if err := b.remote.write(ctx, b.prefix+key, content, mediaType, false); err != nil {
			return err
		}
		return b.compare(ctx, key, content)
	})
}

// Create stores an object unless there is one of this name: then the error is fs.ErrExist.
func (b *Bucket) Create(ctx context.Context, key string, content []byte, mediaType string) error {
	ours := false // it is there because we have written it, whether or not it was kept
	return b.persist(ctx, "write", len(content), func(ctx context.Context, _ func(int)) error {
		err := b.remote.write(ctx, b.prefix+key, content, mediaType, !ours)
		if isTaken(err) && b.compare(ctx, key, content) == nil { // written by an attempt of ours whose answer was lost
			return nil
		}
		if err != nil {
			return err
		}
		ours = true
		return b.compare(ctx, key, content)
	})
}

// compare finds out whether the bucket holds a content. A sum that differs proves nothing, because with some kinds of
// encryption it is not that of the content; then the object is read.
func (b *Bucket) compare(ctx context.Context, key string, content []byte) error {
	held, err := b.remote.stat(ctx, b.prefix+key)
	if err != nil {
		return err
	}
	if held.size != int64(len(content)) {
		return fmt.Errorf("%w: %s has %d bytes instead of %d", ErrDamaged, key, held.size, len(content))
	}
	if sum := md5.Sum(content); bytes.Equal(held.md5, sum[:]) { //nolint:gosec // finds accidents, not attackers
		return nil
	}
	read, err := b.readOnce(ctx, key, func(int) {})
	if err != nil {
		return err
	}
	if !bytes.Equal(read, content) {
		return fmt.Errorf("%w: %s has other content", ErrDamaged, key)
	}
	return nil
}

// Holds reports whether the bucket holds exactly this content under a key.
func (b *Bucket) Holds(ctx context.Context, key string, content []byte) (holds bool, err error) {
	err = b.persist(ctx, "read", len(content), func(ctx context.Context, _ func(int)) error {
		err := b.compare(ctx, key, content)
		holds = err == nil
		if errors.Is(err, ErrDamaged) || isMissing(err) {
			return nil
		}
		return err
	})
	return holds, err
}

// Stat describes an object; the error is fs.ErrNotExist if there is none.
func (b *Bucket) Stat(ctx context.Context, key string) (o Object, err error) {
	err = b.persist(ctx, "read", 0, func(ctx context.Context, _ func(int)) error {
		held, err := b.remote.stat(ctx, b.prefix+key)
		if err == nil {
			o = Object{Key: key, Size: held.size, Modified: held.modified}
		}
		return err
	})
	return o, err
}

// Delete removes an object. It is not an error if there is none.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	return b.persist(ctx, "delete", 0, func(ctx context.Context, _ func(int)) error {
		err := b.remote.delete(ctx, b.prefix+key)
		if isMissing(err) {
			return nil
		}
		return err
	})
}

// List yields all objects whose keys begin with prefix, sorted by key. It asks for them in pages, so that breaking off
// costs nothing. The first error ends it.
func (b *Bucket) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for token := ""; ; {
			var page []Object
			var next string
			err := b.persist(ctx, "list", 0, func(ctx context.Context, _ func(int)) (err error) {
				page, next, err = b.remote.list(ctx, b.prefix+prefix, token)
				return err
			})
			if err != nil {
				yield(Object{}, err)
				return
			}
			for _, o := range page {
				o.Key = strings.TrimPrefix(o.Key, b.prefix)
				if !yield(o, nil) {
					return
				}
			}
			if token = next; token == "" {
				return
			}
		}
	}
}

// Link returns a URL that lets anybody read an object until the time is over.
func (b *Bucket) Link(ctx context.Context, key string, expiry time.Duration) (string, error) {
	link, err := b.remote.link(ctx, b.prefix+key, expiry)
	if err != nil {
		return "", b.explain("sign links to", err)
	}
	return link, nil
}

// lively tells how many bytes arrive.
type lively struct {
	io.Reader
	arrived func(n int)
}

func (r lively) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		r.arrived(n)
	}
	return n, err
}
