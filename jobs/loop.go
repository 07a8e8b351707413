package jobs

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// How often each kind of durable state is polled.
const (
	handOutTick  = 500 * time.Millisecond // gaps between screenshots are whole seconds
	relayTick    = 250 * time.Millisecond
	scheduleTick = time.Second // runs start at whole seconds
	triggerTick  = time.Second // windows are minutes
	cancelTick   = time.Second
	probeTick    = 5 * time.Second
	refusedTick  = 5 * time.Second // pages wait for minutes
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
	last   atomic.Int64 // when a step last succeeded, in Unix nanoseconds
}

// stuckAfter is how long a loop may have no success before its process counts as not ready.
const stuckAfter = 30 * time.Second

// succeeded notes that a step succeeded.
func (l *loop) succeeded() { l.last.Store(time.Now().UnixNano()) }

// stuck reports whether the loop has not succeeded for too long.
func (l *loop) stuck(now time.Time) bool { return now.Sub(time.Unix(0, l.last.Load())) > stuckAfter }

// probing is the loop that may take minutes for a step: it says nothing about the process.
const probing = "probing pages"

// loops are the loops of a runner. Turns are handed out whenever something has happened: the wake-ups of events signal
// new work and freed places.
func (c Config) loops(happened <-chan struct{}, probes *prober) []*loop {
	loops := []*loop{
		{what: "assigning work to workers", every: handOutTick, next: c.handOut, wake: happened, logger: c.Logger},
		{what: "starting due runs", every: scheduleTick, next: c.Service.Runs.RunDueGroups, logger: c.Logger},
		{what: "starting triggered runs", every: triggerTick, next: c.Service.Runs.RunDueTrigger, logger: c.Logger},
		{what: "ending cancelled work", every: cancelTick, next: c.endCancelled, logger: c.Logger},
		{what: "removing deleted runs", every: cancelTick, next: c.removeDeleted, logger: c.Logger},
		{what: "ending entries that sites refuse for too long", every: refusedTick, next: c.Service.Runs.EndRefused, logger: c.Logger},
		{what: "calling webhooks that are due", every: scheduleTick, next: c.Service.Outbound.CallDue, logger: c.Logger},
		{what: "relaying events to webhooks", every: relayTick, next: c.Service.Outbound.RelayWebhooks, logger: c.Logger},
		{what: "relaying events to mails", every: relayTick, next: c.Service.Outbound.RelayMails, logger: c.Logger},
	}
	if c.Captures > 0 && c.Compares > 0 {
		loops = append(loops, &loop{what: probing, every: cmp.Or(c.ProbeEvery, probeTick), next: probes.next, logger: c.Logger})
	}
	return loops
}

// endedAtOnce is how many cancelled or deleted batches are looked at in a step.
const endedAtOnce = 20

func (c Config) endCancelled(ctx context.Context) (bool, error) {
	return c.Service.Runs.EndCancelled(ctx, endedAtOnce)
}

func (c Config) removeDeleted(ctx context.Context) (bool, error) {
	return c.Service.Runs.RemoveDeleted(ctx, endedAtOnce)
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
		if err == nil {
			l.succeeded()
		}
		if err != nil || !more {
			return
		}
	}
}
