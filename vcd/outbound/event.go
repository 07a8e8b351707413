package outbound

import (
	"context"

	"afterimage/vcd"
)

// eventPage is how many events a stream reads at once.
const eventPage = 500

// EventsAfter lists up to limit (at most 500) of the actor's events with a number above after, oldest first.
func (s *Service) EventsAfter(ctx context.Context, actor vcd.Actor, after int64, batch *vcd.ID, limit int) ([]*vcd.Event, error) {
	limit = max(1, min(limit, eventPage))
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]*vcd.Event, error) {
		return tx.EventsAfter(ctx, after, batch, limit)
	})
}

// LastEvent is the number of the actor's newest event.
func (s *Service) LastEvent(ctx context.Context, actor vcd.Actor) (int64, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (int64, error) { return tx.LastEvent(ctx) })
}
