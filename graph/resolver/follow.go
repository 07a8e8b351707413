package resolver

import (
	"context"
	"slices"

	"afterimage/graph/input"
	"afterimage/graph/view"
	"afterimage/vcd"
)

// mostEvents is how many events one answer holds at most.
const mostEvents = 500

// events lists events after a number. One more than asked for is read, to see whether there are more; at the largest
// size a full answer counts as a sign of more.
func (r *Resolver) events(ctx context.Context, after int64, first int, batch *string) (*view.EventPage, error) {
	if first < 1 {
		return nil, vcd.Invalid("first", "min", "The {field} field must be at least 1.")
	}
	batchID, err := optionalBatch(batch)
	if err != nil {
		return nil, err
	}
	first = min(first, mostEvents)
	found, err := r.Service.Outbound.EventsAfter(ctx, actor(ctx), after, batchID, min(first+1, mostEvents))
	if err != nil {
		return nil, err
	}
	list := &view.EventPage{EndNumber: after, HasNextPage: len(found) > first || len(found) == mostEvents}
	for _, e := range found[:min(len(found), first)] {
		list.Nodes = append(list.Nodes, view.NewEvent(e))
		list.EndNumber = e.Number
	}
	return list, nil
}

func optionalBatch(raw *string) (*vcd.ID, error) {
	if raw == nil {
		return nil, nil
	}
	id, err := parseID(kindBatch, *raw)
	return &id, err
}

// followEvents streams events. With a batch the stream ends after the batch has finished.
func (r *Resolver) followEvents(ctx context.Context, after *int64, batch *string, kinds []vcd.EventKind) (<-chan *view.Event, error) {
	events, err := r.eventsFrom(ctx, after, batch)
	if err != nil {
		return nil, err
	}
	out := make(chan *view.Event)
	go func() {
		defer close(out)
		for e := range events {
			if kinds != nil && !slices.Contains(kinds, e.Kind) {
				continue
			}
			if !send(ctx, out, view.NewEvent(e)) {
				return
			}
		}
	}()
	return out, nil
}

func (r *Resolver) eventsFrom(ctx context.Context, after *int64, batch *string) (<-chan *vcd.Event, error) {
	if batch == nil {
		return r.Service.Outbound.Stream(ctx, actor(ctx), after, nil)
	}
	id, err := parseID(kindBatch, *batch)
	if err != nil {
		return nil, err
	}
	b, last, err := r.Service.Runs.BatchProgress(ctx, actor(ctx), id)
	if err != nil {
		return nil, err
	}
	if after == nil {
		after = &last
	}
	return r.eventsOf(ctx, b, *after)
}

// eventsOf streams a batch's events until it has finished. For a batch that has finished already these are all there
// are, for its last one may lie before the number from which the client resumes.
func (r *Resolver) eventsOf(ctx context.Context, b *vcd.Batch, after int64) (<-chan *vcd.Event, error) {
	if b.FinishedAt == nil {
		return r.Service.Outbound.Stream(ctx, actor(ctx), &after, &b.ID)
	}
	events, err := r.Service.Outbound.EventsAfter(ctx, actor(ctx), after, &b.ID, mostEvents)
	if err != nil {
		return nil, err
	}
	if len(events) == mostEvents {
		return r.Service.Outbound.Stream(ctx, actor(ctx), &after, &b.ID)
	}
	out := make(chan *vcd.Event, len(events))
	defer close(out)
	for _, e := range events {
		out <- e
		if e.Kind == vcd.EventBatchFinished {
			break
		}
	}
	return out, nil
}

// followBatch streams the progress of a batch: how it stands, unless the client resumes, and then each of its events.
func (r *Resolver) followBatch(ctx context.Context, id vcd.ID, after *int64) (<-chan *view.BatchProgress, error) {
	b, last, err := r.Service.Runs.BatchProgress(ctx, actor(ctx), id)
	if err != nil {
		return nil, err
	}
	var first *view.BatchProgress
	if after == nil {
		counts := b.Counts
		first = &view.BatchProgress{Number: last, BatchID: id, Counts: &counts, Finished: b.FinishedAt != nil}
		after = &last
	}
	events, err := r.eventsOf(ctx, b, *after)
	if err != nil {
		return nil, err
	}
	out := make(chan *view.BatchProgress)
	go func() {
		defer close(out)
		sendProgress(ctx, out, id, first, events)
	}()
	return out, nil
}

func sendProgress(ctx context.Context, out chan<- *view.BatchProgress, id vcd.ID, first *view.BatchProgress, events <-chan *vcd.Event) {
	if first != nil && (!send(ctx, out, first) || first.Finished) {
		return
	}
	for e := range events {
		step := &view.BatchProgress{
			Number: e.Number, Event: view.NewEvent(e), BatchID: id, Counts: e.Progress,
			Finished: e.Kind == vcd.EventBatchFinished,
		}
		if !send(ctx, out, step) {
			return
		}
	}
}

// followLive streams what goes on in the account.
func (r *Resolver) followLive(ctx context.Context, groups, websites []string, after *int64) (<-chan *view.AccountLive, error) {
	messages, err := r.Service.Outbound.FollowLive(ctx, actor(ctx), input.LiveReach(groups, websites), after)
	if err != nil {
		return nil, err
	}
	out := make(chan *view.AccountLive)
	go func() {
		defer close(out)
		for m := range messages {
			if !send(ctx, out, view.NewAccountLive(m)) {
				return
			}
		}
	}()
	return out, nil
}

// send hands an item on unless nobody listens any more.
func send[T any](ctx context.Context, out chan<- T, item T) bool {
	select {
	case out <- item:
		return true
	case <-ctx.Done():
		return false
	}
}
