package run

import (
	"context"

	"afterimage/vcd"
)

// RenameBatch renames a batch.
func (s *Service) RenameBatch(ctx context.Context, actor vcd.Actor, id vcd.ID, name string) (*vcd.Batch, error) {
	v := &vcd.Validation{}
	v.Name("name", name, vcd.MaxNameLength)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Batch, error) {
		b, err := tx.LockBatch(ctx, id)
		if err != nil {
			return nil, err
		}
		b.Name, b.UpdatedAt = name, s.clock.Now()
		if err := tx.UpdateBatch(ctx, b); err != nil {
			return nil, err
		}
		if err := tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), vcd.EventBatchUpdated, vcd.SubjectBatch, id, b)); err != nil {
			return nil, err
		}
		return tx.Batch(ctx, id)
	})
}

// storeBatch stores a locked batch. When its last entry has ended and no more can come, the batch finishes, once.
func (s *Service) storeBatch(ctx context.Context, tx Tx, b *vcd.Batch) error {
	finished := b.Counts.Ended() && b.FinishedAt == nil && !b.Uploading
	if finished {
		now := s.clock.Now()
		b.FinishedAt = &now
		if err := summarizeBatch(ctx, tx, b); err != nil {
			return err
		}
	}
	if err := tx.UpdateBatch(ctx, b); err != nil {
		return err
	}
	if !finished {
		return nil
	}
	if err := tx.OfFlows().ForgetPageSessions(ctx, b.ID); err != nil {
		return err
	}
	if err := tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), vcd.EventBatchFinished, vcd.SubjectBatch, b.ID, b)); err != nil {
		return err
	}
	return s.reportUpdate(ctx, tx, b, b.UpdateResults)
}

// Batch is one of the actor's batches.
func (s *Service) Batch(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Batch, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Batch, error) { return tx.Batch(ctx, id) })
}

// Batches lists the actor's batches, newest first.
func (s *Service) Batches(ctx context.Context, actor vcd.Actor, f vcd.BatchFilter, p vcd.Page) (*vcd.List[*vcd.Batch], error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.List[*vcd.Batch],
		error) {
		return tx.Batches(ctx, f, p)
	})
}

// BatchesByIDs looks several batches up at once; unknown ids are left out.
func (s *Service) BatchesByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Batch, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]*vcd.Batch, error) { return tx.BatchesByIDs(ctx, ids) })
}

// BatchProgress reads a batch and the number of the newest event in one snapshot, so that a reader who continues with the
// events after that number misses nothing.
func (s *Service) BatchProgress(ctx context.Context, actor vcd.Actor, id vcd.ID) (b *vcd.Batch, last int64, err error) {
	err = s.store.Read(ctx, actor, func(ctx context.Context, tx Tx) error {
		if b, err = tx.Batch(ctx, id); err != nil {
			return err
		}
		last, err = tx.LastEvent(ctx)
		return err
	})
	return b, last, err
}

// LastBatchesOf finds the newest batch of each group or URL; those without any are left out.
func (s *Service) LastBatchesOf(ctx context.Context, actor vcd.Actor, of vcd.Holder, ids []vcd.ID) (map[vcd.ID]vcd.ID, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]vcd.ID, error) {
		return tx.LastBatches(ctx, of, ids)
	})
}
