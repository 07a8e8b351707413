package app

import "context"

type readLimit struct{}

// WithReadLimit limits how many reads of use cases run concurrently with this context; further ones wait. Each read is one
// transaction on one database connection, and reads never nest.
func WithReadLimit(ctx context.Context, most int) context.Context {
	return context.WithValue(ctx, readLimit{}, make(chan struct{}, most))
}

// limited waits until fewer reads are running than the context allows, and reads. If the context ends first, it returns the
// context's error.
func limited(ctx context.Context, read func() error) error {
	if places, ok := ctx.Value(readLimit{}).(chan struct{}); ok {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return read()
}
