package jobs

import (
	"context"
	"log/slog"
	"time"
)

// relayTick is how often new events are looked for.
const relayTick = 250 * time.Millisecond

// relay has events read by one of those who make something of them. Any number of relays may run: an account's events are
// read by one at a time.
type relay struct {
	name   string
	next   func(ctx context.Context) (bool, error) // reads on in one account; false when nobody has anything new
	logger *slog.Logger
}

// run reads events until ctx ends.
func (r *relay) run(ctx context.Context) {
	ticker := time.NewTicker(relayTick)
	defer ticker.Stop()
	for {
		r.drain(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (r *relay) drain(ctx context.Context) {
	for ctx.Err() == nil {
		more, err := r.next(ctx)
		if err != nil && ctx.Err() == nil {
			r.logger.WarnContext(ctx, "reading events failed, will try again", "reader", r.name, "cause", err)
		}
		if err != nil || !more {
			return
		}
	}
}
