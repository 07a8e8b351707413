package app

import (
	"context"

	"afterimage/vcd"
)

type readLimit struct{}

// WithReadLimit bounds how many reads of use cases with this context are under way at the same time; others wait. Each read is one
// transaction and holds one database connection, and none begins inside of another.
func WithReadLimit(ctx context.Context, most int) context.Context {
	return context.WithValue(ctx, readLimit{}, make(chan struct{}, most))
}

// limited keeps to the limit of the context.
type limited struct{ vcd.Store }

// Read reads as soon as fewer reads are under way than the context allows. Its error is the context's when that ends before.
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
