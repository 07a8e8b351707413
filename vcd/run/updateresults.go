package run

import (
	"context"

	"afterimage/vcd"
)

// StoreUpdateResults stores the results of the update around a batch, whatever the state or source of the batch. Each call
// replaces everything stored before, so it can be repeated safely.
func (s *Service) StoreUpdateResults(ctx context.Context, actor vcd.Actor, id vcd.ID, r vcd.UpdateResults) (*vcd.Batch, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	r.Show()
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Batch, error) {
		b, err := tx.LockBatch(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := tx.StoreUpdateResults(ctx, id, &r, s.clock.Now()); err != nil {
			return nil, err
		}
		if err := tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), vcd.EventBatchUpdated, vcd.SubjectBatch, id, b)); err != nil {
			return nil, err
		}
		if b.UpdateResults == nil {
			if err := s.reportUpdate(ctx, tx, b, &r); err != nil {
				return nil, err
			}
		}
		return tx.Batch(ctx, id)
	})
}

// reportUpdate appends, once, the event that the report on an automatic update is due: its batch is finished and its results
// are stored. It is called under the batch's lock when either becomes true, with the results at that time.
func (s *Service) reportUpdate(ctx context.Context, tx Tx, b *vcd.Batch, results *vcd.UpdateResults) error {
	if b.Source != vcd.SourceAutoUpdate || b.FinishedAt == nil || results == nil {
		return nil
	}
	return tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), vcd.EventUpdateReportDue, vcd.SubjectBatch, b.ID, b))
}
