package run

import (
	"context"
	"time"

	"afterimage/vcd"
)

// recentPast is the time whose progress the end of a batch is estimated from.
const recentPast = 5 * time.Minute

// CompletionsOf tells how much of each batch is done, and when it may be finished.
func (s *Service) CompletionsOf(ctx context.Context, actor vcd.Actor, batches []*vcd.Batch) (map[vcd.ID]vcd.BatchCompletion, error) {
	now := s.clock.Now()
	recent := now.Add(-recentPast)
	var unfinished []vcd.ID
	for _, b := range batches {
		if b.FinishedAt == nil {
			unfinished = append(unfinished, b.ID)
		}
	}
	steps := map[vcd.ID]vcd.BatchSteps{}
	if len(unfinished) > 0 {
		var err error
		steps, err = vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]vcd.BatchSteps, error) {
			return tx.BatchSteps(ctx, unfinished, recent)
		})
		if err != nil {
			return nil, err
		}
	}
	done := make(map[vcd.ID]vcd.BatchCompletion, len(batches))
	for _, b := range batches {
		done[b.ID] = b.Completion(steps[b.ID], recent, now)
	}
	return done, nil
}

// PartsOf splits the figures of each batch by group.
func (s *Service) PartsOf(ctx context.Context, actor vcd.Actor, batches []vcd.ID) (map[vcd.ID][]*vcd.BatchPart, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID][]*vcd.BatchPart, error) {
		return tx.BatchParts(ctx, batches)
	})
}

// BaselinesOf finds the batch that each batch was compared with.
func (s *Service) BaselinesOf(ctx context.Context, actor vcd.Actor, batches []vcd.ID) (map[vcd.ID]vcd.ID, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]vcd.ID, error) {
		return tx.BaselineBatches(ctx, batches)
	})
}

// UnseenIn counts the comparisons of each batch whose screenshots do not show all of the page.
func (s *Service) UnseenIn(ctx context.Context, actor vcd.Actor, batches []vcd.ID) (map[vcd.ID]int, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]int, error) {
		return tx.UnseenCounts(ctx, batches)
	})
}
