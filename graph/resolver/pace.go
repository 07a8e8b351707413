package resolver

import (
	"context"

	"afterimage/vcd"
)

// readsAtOnce is how many reads of one response are under way at the same time: enough to keep the database busy, few
// enough to leave connections for others, whatever the operation asks for.
const readsAtOnce = 4

// WithReadLimit returns a service whose reads wait for their turn within the response that they are for. Each read of a
// use case is one transaction and holds one connection; none begins inside of another.
func WithReadLimit(service *vcd.Service) *vcd.Service {
	paced := *service
	paced.Store = pacedStore{service.Store}
	return &paced
}

type pacedStore struct{ vcd.Store }

// Read reads as soon as fewer than readsAtOnce reads of the response are under way. Its error is the context's when that
// ends before.
func (s pacedStore) Read(ctx context.Context, who vcd.Actor, do func(context.Context, vcd.Tx) error) error {
	if response, ok := ctx.Value(loadersKey{}).(*loaders); ok {
		select {
		case response.reads <- struct{}{}:
			defer func() { <-response.reads }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.Store.Read(ctx, who, do)
}
