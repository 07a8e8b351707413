package blob

import (
	"context"
	"errors"
	"io"
	"io/fs"
)

// also is a store that finds what it lacks in a second one, see Also.
type also struct {
	Store        // everything is written here
	second Store // until everything has been copied from here
}

// Also returns a store that writes to the first one, reads from both and removes from both: for the time in which an
// installation moves from one to the other.
func Also(first, second Store) Store { return also{first, second} }

func either[T any](value T, err error, other func() (T, error)) (T, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return other()
	}
	return value, err
}

// Get implements Store.
func (a also) Get(ctx context.Context, hash string) ([]byte, error) {
	content, err := a.Store.Get(ctx, hash)
	return either(content, err, func() ([]byte, error) { return a.second.Get(ctx, hash) })
}

// GetVerified implements Store.
func (a also) GetVerified(ctx context.Context, hash string, size int64) ([]byte, error) {
	content, err := a.Store.GetVerified(ctx, hash, size)
	return either(content, err, func() ([]byte, error) { return a.second.GetVerified(ctx, hash, size) })
}

// OpenVerified implements Store.
func (a also) OpenVerified(ctx context.Context, hash string, size int64) (File, error) {
	file, err := a.Store.OpenVerified(ctx, hash, size)
	return either(file, err, func() (File, error) { return a.second.OpenVerified(ctx, hash, size) })
}

// Verify implements Store.
func (a also) Verify(ctx context.Context, hash string, size int64) error {
	err := a.Store.Verify(ctx, hash, size)
	if errors.Is(err, fs.ErrNotExist) {
		return a.second.Verify(ctx, hash, size)
	}
	return err
}

// VerifySize implements Store.
func (a also) VerifySize(ctx context.Context, hash string, size int64) error {
	err := a.Store.VerifySize(ctx, hash, size)
	if errors.Is(err, fs.ErrNotExist) {
		return a.second.VerifySize(ctx, hash, size)
	}
	return err
}

// Holds implements Store.
func (a also) Holds(ctx context.Context, hash string) (bool, error) {
	if held, err := a.Store.Holds(ctx, hash); held || err != nil {
		return held, err
	}
	return a.second.Holds(ctx, hash)
}

// Remove implements Store.
func (a also) Remove(ctx context.Context, hash string) error {
	return errors.Join(a.Store.Remove(ctx, hash), a.second.Remove(ctx, hash))
}

// Check proves that the first one can be used.
func (a also) Check(ctx context.Context) error {
	if remote, ok := a.Store.(*Bucket); ok {
		return remote.Check(ctx)
	}
	return nil
}

// Close ends the connections of both.
func (a also) Close() error {
	var errs []error
	for _, store := range []Store{a.Store, a.second} {
		if closer, ok := store.(io.Closer); ok {
			errs = append(errs, closer.Close())
		}
	}
	return errors.Join(errs...)
}
