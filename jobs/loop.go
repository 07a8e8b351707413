package jobs

import (
	"cmp"
	"context"
	"log/slog"
	"time"
)

// How often each kind of durable state is polled.
const (
	handOutTick  = 500 * time.Millisecond // gaps between screenshots are whole seconds
	relayTick    = 250 * time.Millisecond
	scheduleTick = time.Second // runs start at whole seconds
	triggerTick  = time.Second // windows are minutes
	probeTick    = 5 * time.Second
)

// loop processes what becomes due in the database: work that waits for its turn, runs of monitoring groups, their
// triggers, and events that have consumers. Any number of loops may run, in any number of processes: each item is held
// by one loop at a time.
type loop struct {
	what   string
	every  time.Duration
	next   func(ctx context.Context) (bool, error) // processes one item; false when nothing is due
	wake   <-chan struct{}                         // polls ahead of the tick; nil for never
	logger *slog.Logger
}

// loops are the loops of a runner. Turns are handed out whenever something has happened: the wake-ups of events signal
// new work and freed places.
func (c Config) loops(happened <-chan struct{}, probes *prober) []*loop {
	loops := []*loop{
		{"handing out turns", handOutTick, c.handOut, happened, c.Logger},
		{"starting due runs", scheduleTick, c.Service.Runs.RunDueGroup, nil, c.Logger},
		{"running what triggers asked for", triggerTick, c.Service.Runs.RunDueTrigger, nil, c.Logger},
		{"relaying events to webhooks", relayTick, c.Service.Outbound.RelayWebhooks, nil, c.Logger},
		{"relaying events to mails", relayTick, c.Service.Outbound.RelayMails, nil, c.Logger},
	}
	if c.Captures > 0 && c.Compares > 0 {
		loops = append(loops, &loop{"probing pages", cmp.Or(c.ProbeEvery, probeTick), probes.next, nil, c.Logger})
	}
	return loops
}

// run runs the loop until ctx ends.
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

// drain processes everything that is due now. After a failure, which is rarely the last, the failed item is put off and
// the loop continues with the next tick.
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
