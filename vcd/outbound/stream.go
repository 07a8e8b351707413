package outbound

import (
	"context"
	"time"

	"afterimage/vcd"
)

// streamRetry is how long a stream waits before it retries an unavailable store. streamRecheck is the longest time between
// two reads of the store, in case a wake-up is lost.
const (
	streamRetry   = 500 * time.Millisecond
	streamRecheck = 30 * time.Second
)

// Stream sends the actor's events with a number above after, in order, without gaps or repeats, until ctx ends; then it
// closes the channel. With a batch, it sends only that batch's events and closes the channel after batch_finished. A nil
// after starts with the next new event, 0 with the oldest that is kept. If events after another number have been removed, the
// error is EventsRemoved, and a stream that falls that far behind ends. While the store is unavailable the stream waits; a
// permanent fault ends it and is passed to Service.Report.
func (s *Service) Stream(ctx context.Context, actor vcd.Actor, after *int64, batch *vcd.ID) (<-chan *vcd.Event, error) {
	wake, stop := s.feed.Watch(actor.Account)
	position, err := s.startOf(ctx, actor, after)
	if err != nil {
		stop()
		return nil, err
	}
	out := make(chan *vcd.Event)
	go func() {
		defer stop()
		defer close(out)
		st := stream{service: s, actor: actor, batch: batch, position: position, out: out}
		s.follow(ctx, wake, st.drain)
	}()
	return out, nil
}

func (s *Service) startOf(ctx context.Context, actor vcd.Actor, after *int64) (int64, error) {
	if after == nil {
		return s.LastEvent(ctx, actor)
	}
	if *after < 0 {
		return 0, vcd.Invalid("after", "min", "The {field} field must be at least 0.")
	}
	if *after > 0 {
		if _, err := s.EventsAfter(ctx, actor, *after, nil, 1); err != nil {
			return 0, err
		}
	}
	return *after, nil
}

type stream struct {
	service  *Service
	actor    vcd.Actor
	batch    *vcd.ID
	position int64
	out      chan<- *vcd.Event
}

// follow alternates between draining what is pending and waiting for more, until drain has finished or ctx ends. While the
// store is unavailable it waits; another error ends it and is reported.
func (s *Service) follow(ctx context.Context, wake <-chan struct{}, drain func(context.Context) (finished bool, err error)) {
	for {
		finished, err := drain(ctx)
		if finished || ctx.Err() != nil {
			return
		}
		if err != nil && vcd.CodeOf(err) != vcd.CodeUnavailable {
			s.report(err)
			return
		}
		pause := streamRecheck
		if err != nil {
			pause = streamRetry
		}
		timer := time.NewTimer(pause)
		select {
		case <-wake:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// drain sends events until none are left; finished reports that the batch's last one was among them.
func (st *stream) drain(ctx context.Context) (finished bool, err error) {
	for {
		events, err := st.service.EventsAfter(ctx, st.actor, st.position, st.batch, eventPage)
		if err != nil {
			return false, err
		}
		for _, e := range events {
			select {
			case st.out <- e:
			case <-ctx.Done():
				return true, nil
			}
			st.position = e.Number
			if st.batch != nil && e.Kind == vcd.EventBatchFinished {
				return true, nil
			}
		}
		if len(events) < eventPage {
			return false, nil
		}
	}
}
