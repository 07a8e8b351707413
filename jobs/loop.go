package jobs

import (
	"context"
	"log/slog"
	"time"
)

// How often each kind of durable state is looked at.
const (
	dispatchTick = 500 * time.Millisecond // gaps between dispatches are whole seconds
	relayTick    = 250 * time.Millisecond
	scheduleTick = time.Second // runs begin at whole seconds
	triggerTick  = time.Second // windows are minutes
)

// loop works off what becomes due in the database: screenshots that wait for their account's minimum gap, runs of
// monitoring groups, their triggers, events that somebody makes something of. Any number of loops may run, in any number of processes: each
// thing is held by one at a time.
type loop struct {
	what   string
	every  time.Duration
	next   func(ctx context.Context) (bool, error) // does one thing; false when nothing is due
	logger *slog.Logger
}

// loops are those of a runner.
func (c Config) loops() []*loop {
	return []*loop{
		{"dispatching delayed screenshots", dispatchTick, c.Service.DispatchDue, c.Logger},
		{"starting due runs", scheduleTick, c.Service.RunDueGroup, c.Logger},
		{"running what triggers asked for", triggerTick, c.Service.RunDueTrigger, c.Logger},
		{"relaying events to webhooks", relayTick, c.Service.RelayWebhooks, c.Logger},
		{"relaying events to mails", relayTick, c.Service.RelayMails, c.Logger},
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
		}
	}
}

// drain does all that is due now. A failure is seldom the last: what failed is put off, and the loop goes on with the next tick.
func (l *loop) drain(ctx context.Context) {
	for ctx.Err() == nil {
		more, err := l.next(ctx)
		if err != nil && ctx.Err() == nil {
			l.logger.WarnContext(ctx, l.what+" failed, will try again", "cause", err)
		}
		if err != nil || !more {
			return
		}
	}
}
