package run

import (
	"context"
	"errors"
	"fmt"

	"afterimage/vcd"
)

// removedAtOnce is how many entries of a deleted batch one transaction removes.
const removedAtOnce = 500

// DeleteBatch deletes a finished batch with its entries, screenshots and comparisons. Once this has returned, none of it is visible;
// of a large batch, the rows are removed in the background, see RemoveDeleted. Nothing that other batches show is
// deleted: a batch whose screenshots are the baseline of another one's comparisons is refused.
func (s *Service) DeleteBatch(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	if err := s.hideBatch(ctx, actor, id); err != nil {
		return err
	}
	// The batch is deleted whatever comes of this, which others do again.
	_, _ = s.removeSome(ctx, actor, id)
	return nil
}

func (s *Service) hideBatch(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		b, err := tx.LockBatch(ctx, id)
		if err != nil {
			return err
		}
		if b.FinishedAt == nil {
			return vcd.Invalid("id", "finished", "The batch is still running: cancel it first.")
		}
		n, err := tx.BatchesComparedWith(ctx, id)
		if err != nil {
			return err
		}
		if n > 0 {
			return vcd.Invalid("id", "in_use", fmt.Sprintf("The screenshots of the batch are the baseline of %s: delete these first.",
				vcd.Plural(n, "other batch")))
		}
		if err := tx.HideBatch(ctx, id, s.clock.Now()); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), vcd.EventBatchDeleted, vcd.SubjectBatch, id, b))
	})
}

// removeSome removes some of what is left of a deleted batch, and reports whether there may be more to remove at once.
func (s *Service) removeSome(ctx context.Context, actor vcd.Actor, id vcd.ID) (more bool, err error) {
	err = s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		removed, err := tx.RemoveHidden(ctx, id, removedAtOnce)
		if more = removed == removedAtOnce; err != nil || more {
			return err
		}
		gone, err := tx.RemoveEmptied(ctx, id)
		if err != nil || !gone {
			return err
		}
		return tx.DueRetentionAt(ctx, s.clock.Now()) // to measure anew what is stored
	})
	return more, err
}

// RemoveDeleted goes on with removing deleted batches, some entries of each, so that none waits for a large one; more is true when
// there may be more to do. Any number of processes may do so.
func (s *Service) RemoveDeleted(ctx context.Context, limit int) (more bool, err error) {
	batches, err := s.store.DeletedBatches(ctx, limit)
	if err != nil {
		return false, err
	}
	var errs []error // one failure must not block the rest
	for _, b := range batches {
		some, err := s.removeSome(ctx, vcd.Actor{Account: b.Account}, b.Batch)
		more, errs = more || some, append(errs, err)
	}
	return more, errors.Join(errs...)
}
