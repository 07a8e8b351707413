package run

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// DeleteBatch deletes a finished batch with its entries, screenshots and comparisons. Nothing that other batches show is
// deleted: a batch whose screenshots are the baseline of another one's comparisons is refused.
func (s *Service) DeleteBatch(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx vcd.Tx) error {
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
		if err := tx.DeleteBatch(ctx, id); err != nil {
			return err
		}
		if err := tx.DueRetentionAt(ctx, s.clock.Now()); err != nil { // to measure anew what is stored
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), vcd.EventBatchDeleted, vcd.SubjectBatch, id, b))
	})
}
