package run

import (
	"context"
	"fmt"
	"slices"

	"afterimage/vcd"
)

// Retried is a batch whose failed entries are retried.
type Retried struct {
	Batch    *vcd.Batch
	Entries  int // that were reopened
	HeldBack int // screenshots that were not, because their flows changed something
}

// RetryFailed reopens the failed entries of a batch, finished or not: screenshots are taken again for one check each, and
// their comparisons follow. A finished batch resumes, and its second end is reported like the first. Screenshots that were to
// confirm a change are not repeated, and unless repeatChanges is set, neither are flows of which a step that changes something had begun.
func (s *Service) RetryFailed(ctx context.Context, actor vcd.Actor, id vcd.ID, repeatChanges bool) (*Retried, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*Retried, error) {
		if err := mayRun(ctx, tx); err != nil {
			return nil, err
		}
		failed, err := tx.LockFailed(ctx, id)
		if err != nil {
			return nil, err
		}
		b, err := tx.LockBatch(ctx, id)
		if err != nil {
			return nil, err
		}
		if b.CancelledAt != nil && b.FinishedAt == nil {
			return nil, &vcd.Error{Code: vcd.CodeConflict, Message: "The batch is being cancelled. Try again once it has finished."}
		}
		heldBack := 0
		if !repeatChanges {
			if failed, heldBack, err = holdBack(ctx, tx, id, failed); err != nil {
				return nil, err
			}
		}
		if len(failed) > 0 {
			if err := s.reopen(ctx, tx, b, failed); err != nil {
				return nil, err
			}
		}
		read, err := tx.Batch(ctx, id)
		return &Retried{Batch: read, Entries: len(failed), HeldBack: heldBack}, err
	})
}

// holdBack leaves out the checkpoints of flows that have changed something, with their comparisons, and counts those checkpoints.
func holdBack(
	ctx context.Context, tx Tx, batch vcd.ID, failed []*vcd.QueueEntry,
) (left []*vcd.QueueEntry, heldBack int, err error) {
	changes, err := tx.OfFlows().FlowChanges(ctx, batch)
	if err != nil || len(changes) == 0 {
		return failed, 0, err
	}
	held := map[vcd.ID]bool{}
	for _, e := range failed {
		if e.LeaderID != nil && changes[*e.LeaderID].Step > 0 {
			held[e.ID] = true
		}
	}
	return slices.DeleteFunc(failed, func(e *vcd.QueueEntry) bool {
		return held[e.ID] || e.SubjectID != nil && held[*e.SubjectID]
	}), len(held), nil
}

// reopen reopens failed entries of a locked batch.
func (s *Service) reopen(ctx context.Context, tx Tx, b *vcd.Batch, failed []*vcd.QueueEntry) error {
	if b.FinishedAt != nil {
		b.Reopened++
	}
	now := s.clock.Now()
	b.FinishedAt, b.CancelledAt, b.Summary, b.UpdatedAt = nil, nil, nil, now
	var shots []*vcd.QueueEntry
	var comparisons []*vcd.QueueEntry
	for _, e := range failed {
		b.Counts.Add(vcd.QueueFailed, -1)
		b.Counts.Add(vcd.QueueOpen, 1)
		e.Status, e.Reason, e.ErrorMsg, e.Notice, e.Attempts, e.UpdatedAt = vcd.QueueOpen, "", "", "", 0, now
		if e.Dispatched = e.Type != vcd.QueueCompare; e.Dispatched {
			shots = append(shots, e)
		} else {
			comparisons = append(comparisons, e)
		}
		if err := tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), vcd.EventQueueStatusOpen, vcd.SubjectQueueEntry, e.ID,
			b)); err != nil {
			return err
		}
	}
	ok, err := tx.ReserveChecks(ctx, len(shots))
	if err != nil {
		return err
	}
	if !ok {
		return &vcd.Error{Code: vcd.CodeChecksExhausted, Message: fmt.Sprintf(
			"The checks of your plan are used up: the retry needs %d. Upgrade the plan, or wait for the next period.", len(shots))}
	}
	if err := tx.ReopenEntries(ctx, failed); err != nil {
		return err
	}
	if err := tx.UpdateBatch(ctx, b); err != nil {
		return err
	}
	if err := tx.ProbeHosts(ctx, now); err != nil {
		return err
	}
	if err := tx.OfFlows().ForgetPageSessions(ctx, b.ID, vcd.QueueFailed); err != nil {
		return err
	}
	pages, err := s.reopenFlows(ctx, tx, shots)
	if err != nil {
		return err
	}
	if err := tx.QueueUp(ctx, now, pages...); err != nil {
		return err
	}
	return s.pairAgain(ctx, tx, shots, comparisons)
}

// pairAgain begins those of the reopened comparisons whose screenshots exist. Of thousands most are ready at once.
func (s *Service) pairAgain(ctx context.Context, tx Tx, shots, comparisons []*vcd.QueueEntry) error {
	taken := make(map[vcd.ID]bool, len(shots)) // again
	for _, shot := range shots {
		taken[shot.ID] = true
	}
	var candidates []vcd.ID
	for _, c := range comparisons {
		if c.SubjectID != nil && !taken[*c.SubjectID] {
			candidates = append(candidates, c.ID)
		}
	}
	ready, err := tx.DispatchReady(ctx, candidates)
	if err != nil {
		return err
	}
	begun := make(map[vcd.ID]bool, len(ready))
	for _, id := range ready {
		begun[id] = true
	}
	for _, c := range comparisons {
		switch {
		case c.SubjectID != nil && taken[*c.SubjectID]:
		case begun[c.ID]:
			c.Dispatched = true
			err = tx.QueueUp(ctx, c.UpdatedAt, c.ID)
		default:
			err = s.pair(ctx, tx, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
