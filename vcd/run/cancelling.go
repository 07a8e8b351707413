package run

import (
	"context"
	"errors"

	"afterimage/vcd"
)

// cancelledAtOnce is how many entries of a batch one transaction ends.
const cancelledAtOnce = 1000

// CancelBatch ends all remaining work of a batch: open entries fail with the reason "cancelled", running captures are stopped
// and their results discarded, checks are released, and the batch finishes. A finished batch stays unchanged.
func (s *Service) CancelBatch(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Batch, error) {
	if err := s.cancelBatch(ctx, actor, id, vcd.BatchCancelled); err != nil {
		return nil, err
	}
	return s.Batch(ctx, actor, id)
}

// cancelBatch ends a batch in steps, so that no transaction holds many locks. It first marks the batch as cancelled, so that
// the sweeper can continue if this process dies.
func (s *Service) cancelBatch(ctx context.Context, actor vcd.Actor, id vcd.ID, why string) error {
	err := s.store.InTx(ctx, actor, func(ctx context.Context, tx vcd.Tx) error {
		b, err := tx.LockBatch(ctx, id)
		if err != nil || b.FinishedAt != nil || b.CancelledAt != nil {
			return err
		}
		now := s.clock.Now()
		b.CancelledAt, b.UpdatedAt, b.Uploading = &now, now, false
		return tx.UpdateBatch(ctx, b)
	})
	for more := true; more && err == nil; {
		more, err = s.cancelSome(ctx, actor, id, why)
	}
	return err
}

// cancelSome ends some of the remaining entries, and reports whether there may be more.
func (s *Service) cancelSome(ctx context.Context, actor vcd.Actor, id vcd.ID, why string) (more bool, err error) {
	err = s.store.InTx(ctx, actor, func(ctx context.Context, tx vcd.Tx) error {
		entries, err := tx.LockUnended(ctx, id, cancelledAtOnce)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			more = false
			return s.endEmptied(ctx, tx, id)
		}
		more = len(entries) == cancelledAtOnce
		others, err := tx.LockComparisonsBeyond(ctx, id, entries)
		if err != nil {
			return err
		}
		if entries, err = s.settleConsulted(ctx, tx, entries); err != nil {
			return err
		}
		if err := s.failAll(ctx, tx, id, entries, why); err != nil {
			return err
		}
		for _, c := range others {
			if err := s.pair(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	return more, err
}

// endEmptied finishes a batch that was still waiting for uploads when its last entry had ended.
func (s *Service) endEmptied(ctx context.Context, tx vcd.Tx, id vcd.ID) error {
	b, err := tx.LockBatch(ctx, id)
	if err != nil || b.FinishedAt != nil {
		return err
	}
	return s.storeBatch(ctx, tx, b)
}

// settleConsulted ends the comparisons that only wait for a model with the verdicts of the rules, and returns all other
// entries.
func (s *Service) settleConsulted(ctx context.Context, tx vcd.Tx, entries []*vcd.QueueEntry) ([]*vcd.QueueEntry, error) {
	var rest []*vcd.QueueEntry
	for _, e := range entries {
		if e.Type != vcd.QueueCompare || e.Status != vcd.QueueProcessing {
			rest = append(rest, e)
			continue
		}
		pending, err := tx.PendingComparison(ctx, e.ID)
		switch {
		case err != nil:
			return nil, err
		case pending == nil:
			rest = append(rest, e)
		default:
			if err := s.settlePending(ctx, tx, e, pending, vcd.Consultation{Problem: "the run was cancelled"}); err != nil {
				return nil, err
			}
		}
	}
	return rest, nil
}

// failAll fails locked entries of one batch together.
func (s *Service) failAll(ctx context.Context, tx vcd.Tx, batch vcd.ID, entries []*vcd.QueueEntry, why string) error {
	b, err := tx.LockBatch(ctx, batch)
	if err != nil || len(entries) == 0 {
		return err
	}
	now, returned := s.clock.Now(), 0
	for _, e := range entries {
		b.Counts.Add(e.Status, -1)
		b.Counts.Add(vcd.QueueFailed, 1)
		e.Status, e.Reason, e.ErrorMsg, e.Notice, e.UpdatedAt = vcd.QueueFailed, reasonCancelled, why, "", now
		if e.Type != vcd.QueueCompare && !e.IsConfirmation() {
			returned++
		}
		if err := tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), vcd.EventQueueStatusFailed, vcd.SubjectQueueEntry, e.ID,
			b)); err != nil {
			return err
		}
	}
	if err := tx.EndEntries(ctx, entries); err != nil {
		return err
	}
	if err := tx.SettleChecks(ctx, 0, returned); err != nil {
		return err
	}
	b.UpdatedAt = now
	return s.storeBatch(ctx, tx, b)
}

// EndOpenWork ends all unfinished work of an account that may no longer run.
func (s *Service) EndOpenWork(ctx context.Context, actor vcd.Actor, why string) error {
	var batches, imports []vcd.ID
	err := s.store.Read(ctx, actor, func(ctx context.Context, tx vcd.Tx) (err error) {
		if batches, err = tx.UnfinishedBatches(ctx, cancelledAtOnce); err != nil {
			return err
		}
		imports, err = tx.UnendedImports(ctx, cancelledAtOnce)
		return err
	})
	if err != nil {
		return err
	}
	var errs []error // one failure must not block the rest
	for _, id := range batches {
		errs = append(errs, s.cancelBatch(ctx, actor, id, why))
	}
	for _, id := range imports {
		errs = append(errs, s.cancelImport(ctx, actor, id, why))
	}
	return errors.Join(errs...)
}

func (s *Service) cancelImport(ctx context.Context, actor vcd.Actor, id vcd.ID, why string) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx vcd.Tx) error {
		i, err := vcd.LockStartedImport(ctx, tx, id)
		if i == nil {
			return err
		}
		if err := tx.CancelJobs(ctx, id); err != nil {
			return err
		}
		i.Problems = []string{why}
		return s.inventory.EndImport(ctx, tx, i, vcd.ImportFailed)
	})
}

// EndCancelled ends leftover work of cancelled batches and of accounts that may no longer run: a process may have died while
// cancelling, or a run may have started at the same moment.
func (s *Service) EndCancelled(ctx context.Context, limit int) error {
	left, err := s.store.CancelledBatches(ctx, limit)
	if err != nil {
		return err
	}
	var errs []error
	for _, b := range left {
		errs = append(errs, s.cancelBatch(ctx, vcd.Actor{Account: b.Account}, b.Batch, vcd.EndedBecause(b.Status)))
	}
	return errors.Join(errs...)
}
