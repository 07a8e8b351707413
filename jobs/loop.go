package jobs

import (
	"context"
	"log/slog"
	"time"
)

// How often each kind of durable state is looked at.
const (
	handOutTick  = 500 * time.Millisecond // gaps between screenshots are whole seconds
	relayTick    = 250 * time.Millisecond
	scheduleTick = time.Second // runs begin at whole seconds
	triggerTick  = time.Second // windows are minutes
)

// loop works off what becomes due in the database: work that waits for its turn, runs of monitoring groups, their
// triggers, events that somebody makes something of. Any number of loops may run, in any number of processes: each
// thing is held by one at a time.
type loop struct {
	what   string
	every  time.Duration
	next   func(ctx context.Context) (bool, error) // does one thing; false when nothing is due
	wake   <-chan struct{}                         // looks before it is time; nil for never
	logger *slog.Logger
}

// loops are those of a runner. Turns are handed out whenever something happened: the wake-ups of events tell of new work and
// of places that have become free.
func (c Config) loops(happened <-chan struct{}) []*loop {
	return []*loop{
		{"handing out turns", handOutTick, c.handOut, happened, c.Logger},
		{"starting due runs", scheduleTick, c.Service.Runs.RunDueGroup, nil, c.Logger},
		{"running what triggers asked for", triggerTick, c.Service.Runs.RunDueTrigger, nil, c.Logger},
		{"relaying events to webhooks", relayTick, c.Service.Outbound.RelayWebhooks, nil, c.Logger},
		{"relaying events to mails", relayTick, c.Service.Outbound.RelayMails, nil, c.Logger},
	}
}

// run works until ctx ends.
func (l *loop) run(ctx context.Context) {
	ticker := time.NewTicker(l.every)
	defer ticker.Stop()
	for {
		l.drain(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-l.wake:
		}
	}
}

// drain does all that is due now. A failure is seldom the last: what failed is put off, and the loop goes on with the next tick.
func (l *loop) drain(ctx context.Context) {
	for ctx.Err() == nil {
		more, err := l.next(ctx)
		if err != nil && ctx.Err() == nil {
			l.logger.WarnContext(ctx, l.what+" failed, will retry", "cause", err)
		}
		if err != nil || !more {
			return
		}
	}
}
