package vcd

import (
	"context"
	"fmt"
)

// Retried is a batch whose failed entries are tried again.
type Retried struct {
	Batch   *Batch
	Entries int // that are open again
}

// RetryFailed opens the failed entries of a batch again, whether it has finished or not: screenshots are taken again, at the price
// of a check each, and their comparisons follow. A batch that had finished goes on, and finishes once more with all that
// it tells then. Screenshots that were to confirm a change are not taken again.
func (s *Service) RetryFailed(ctx context.Context, actor Actor, id ID) (*Retried, error) {
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Retried, error) {
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
			return nil, &Error{Code: CodeConflict, Message: "The batch is being cancelled. Try again when it has finished."}
		}
		if len(failed) > 0 {
			if err := s.reopen(ctx, tx, b, failed); err != nil {
				return nil, err
			}
		}
		read, err := tx.Batch(ctx, id)
		return &Retried{Batch: read, Entries: len(failed)}, err
	})
}

// reopen opens failed entries of a locked batch.
func (s *Service) reopen(ctx context.Context, tx Tx, b *Batch, failed []*QueueEntry) error {
	if b.FinishedAt != nil {
		b.Reopened++
	}
	now := s.Clock.Now()
	b.FinishedAt, b.CancelledAt, b.Summary, b.UpdatedAt = nil, nil, nil, now
	var shots []ID
	var comparisons []*QueueEntry
	for _, e := range failed {
		b.Counts.Add(QueueFailed, -1)
		b.Counts.Add(QueueOpen, 1)
		e.Status, e.Reason, e.ErrorMsg, e.Notice, e.Attempts, e.UpdatedAt = QueueOpen, "", "", "", 0, now
		if e.Dispatched = e.Type != QueueCompare; e.Dispatched {
			shots = append(shots, e.ID)
		} else {
			comparisons = append(comparisons, e)
		}
		if err := tx.AppendEvents(ctx, s.batchEvent(EventQueueStatusOpen, SubjectQueueEntry, e.ID, b)); err != nil {
			return err
		}
	}
	ok, err := tx.ReserveChecks(ctx, len(shots))
	if err != nil {
		return err
	}
	if !ok {
		return &Error{Code: CodeChecksExhausted, Message: fmt.Sprintf(
			"The checks of your plan are used up: to try again needs %d. Upgrade the plan, or wait for the next period.", len(shots))}
	}
	if err := tx.ReopenEntries(ctx, failed); err != nil {
		return err
	}
	if err := tx.UpdateBatch(ctx, b); err != nil {
		return err
	}
	if err := tx.QueueUp(ctx, now, shots...); err != nil {
		return err
	}
	for _, c := range comparisons { // those whose screenshots are there begin at once
		if err := s.pair(ctx, tx, c); err != nil {
			return err
		}
	}
	return nil
}
