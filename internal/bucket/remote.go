package bucket

import (
	"context"
	"io"
	"time"
)

// remote is a bucket as the client of its provider knows it. Its calls try once: persist repeats them. Errors are those of the
// client, which reasonOf knows.
type remote interface {
	// read opens an object and tells its size, negative if the provider does not say. The caller closes it.
	read(ctx context.Context, key string) (content io.ReadCloser, size int64, err error)

	// write stores an object; with onlyNew it fails where there is one.
	write(ctx context.Context, key string, content []byte, mediaType string, onlyNew bool) error

	stat(ctx context.Context, key string) (held, error)

	// delete may or may not fail where there is no object.
	delete(ctx context.Context, key string) error

	// list returns a page of at most pageSize objects, sorted by key, and the token of the next one, empty after the last. The
	// token of the first page is empty.
	list(ctx context.Context, prefix, token string) (page []Object, next string, err error)

	// link returns a URL that lets anybody read an object.
	link(ctx context.Context, key string, expiry time.Duration) (string, error)

	close() error
}

// held is what a bucket tells of an object.
type held struct {
	size     int64
	md5      []byte // nil where the bucket knows none
	modified time.Time
}
