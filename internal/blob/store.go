package blob

import (
	"context"
	"errors"
	"io"
)

// ErrUnavailable is the error of a store that cannot be reached, or that refuses for a reason that is not the file's.
var ErrUnavailable = errors.New("the image store is not available")

// Store is a place for files. Its errors are ErrHash for names that are no hashes, fs.ErrNotExist where there is no file,
// ErrDamaged where a file is not what its name says, and ErrUnavailable.
type Store interface {
	// Put stores content under its hash, which the caller has computed. An existing content is left as it is, a damaged one
	// is written anew. When Put returns, the file is complete and outlasts a power failure.
	Put(ctx context.Context, hash string, content []byte) error
	// PutVariant stores a file derived from the content of a hash; variant is a short lower-case word.
	PutVariant(ctx context.Context, hash, variant string, content []byte) error

	// Get reads a content.
	Get(ctx context.Context, hash string) ([]byte, error)
	// GetVerified verifies and reads a content.
	GetVerified(ctx context.Context, hash string, size int64) ([]byte, error)
	// OpenVerified verifies and opens a content for reading.
	OpenVerified(ctx context.Context, hash string, size int64) (File, error)
	// Variant opens the output of PutVariant. A corrupt one is deleted and treated as missing, because it can be
	// regenerated.
	Variant(ctx context.Context, hash, variant string) (File, error)

	// Verify reads a content and compares it with its hash, and first with its size in bytes unless that is AnySize.
	Verify(ctx context.Context, hash string, size int64) error
	// VerifySize compares the size of a content without reading it.
	VerifySize(ctx context.Context, hash string, size int64) error
	// Holds reports whether there is a file of this hash, including drafts and variants.
	Holds(ctx context.Context, hash string) (bool, error)
	// Walk calls visit with the hash of every file in the store, including drafts and variants; a hash may be visited
	// several times. Files that are not named by a hash are ignored.
	Walk(ctx context.Context, visit func(hash string) error) error
	// Remove deletes a content with its variants and drafts. It is not an error if there are none.
	Remove(ctx context.Context, hash string) error

	// Mark returns the string that identifies this store, or "" if it has none.
	Mark(ctx context.Context) (string, error)
	// SetMark durably gives the store a mark. It fails with fs.ErrExist if there is one already.
	SetMark(ctx context.Context, mark string) error
	// MarkFile names the place of the mark for people.
	MarkFile() string
	// Expect makes later writes fail with ErrOtherStore unless the store still has this mark.
	Expect(mark string)
}

// File is an open file. Close it after use.
type File interface {
	io.ReadSeekCloser
	io.ReaderAt
}
