package app

import (
	"context"

	"afterimage/vcd"
)

type readLimit struct{}

// WithReadLimit limits how many reads of use cases run concurrently with this context; further ones wait. Each read is one
// transaction on one database connection, and reads never nest.
func WithReadLimit(ctx context.Context, most int) context.Context {
	return context.WithValue(ctx, readLimit{}, make(chan struct{}, most))
}

// limited is a store that enforces the read limit of the context.
type limited struct{ vcd.Store }

// Read waits until fewer reads are running than the context allows. If the context ends first, it returns the context's
// error.
func (l limited) Read(ctx context.Context, who vcd.Actor, do func(context.Context, vcd.Tx) error) error {
	if places, ok := ctx.Value(readLimit{}).(chan struct{}); ok {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return l.Store.Read(ctx, who, do)
}
