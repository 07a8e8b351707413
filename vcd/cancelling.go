package vcd

import (
	"context"
	"errors"
)

// cancelledAtOnce is how many entries of a batch one transaction ends.
const cancelledAtOnce = 1000

// Why entries are ended before their time, for the site's owner.
const (
	batchCancelled   = "The run was cancelled."
	accountPaused    = "It was ended because the account was paused."
	accountCancelled = "It was ended because the account was cancelled."
)

// BatchEndStore ends and opens many entries of a batch at once.
type BatchEndStore interface {
	// LockUnended locks up to limit entries of a batch that have not ended, those of screenshots first.
	LockUnended(ctx context.Context, batch ID, limit int) ([]*QueueEntry, error)
	// LockFailed locks the entries of a batch that have failed, those of screenshots first, but for confirmations.
	LockFailed(ctx context.Context, batch ID) ([]*QueueEntry, error)
	// LockComparisonsBeyond locks the comparisons of other batches that wait for a baseline at the place of an entry.
	LockComparisonsBeyond(ctx context.Context, batch ID, entries []*QueueEntry) ([]*QueueEntry, error)
	// EndEntries stores the state and the reason that entries have in common, and EndTurn of them, with their jobs.
	EndEntries(ctx context.Context, entries []*QueueEntry) error
	// ReopenEntries stores that entries are open again as if they had never been tried.
	ReopenEntries(ctx context.Context, entries []*QueueEntry) error
	// UnfinishedBatches lists the account's batches that have not finished, oldest first.
	UnfinishedBatches(ctx context.Context, limit int) ([]ID, error)
	// UnendedImports lists the account's imports that were started and have not ended.
	UnendedImports(ctx context.Context, limit int) ([]ID, error)
}

// CancelBatch ends whatever a batch has left to do: open entries fail with the reason "cancelled", running captures are stopped and
// what they bring is dropped, checks are given back, and the batch finishes. One that has finished stays as it is.
func (s *Service) CancelBatch(ctx context.Context, actor Actor, id ID) (*Batch, error) {
	if err := s.cancelBatch(ctx, actor, id, batchCancelled); err != nil {
		return nil, err
	}
	return s.Batch(ctx, actor, id)
}

// cancelBatch ends a batch in steps, so that none holds many locks. It is said first that it is cancelled: should this process
// die the sweeper goes on.
func (s *Service) cancelBatch(ctx context.Context, actor Actor, id ID, why string) error {
	err := s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		b, err := tx.LockBatch(ctx, id)
		if err != nil || b.FinishedAt != nil || b.CancelledAt != nil {
			return err
		}
		now := s.Clock.Now()
		b.CancelledAt, b.UpdatedAt = &now, now
		return tx.UpdateBatch(ctx, b)
	})
	for more := true; more && err == nil; {
		more, err = s.cancelSome(ctx, actor, id, why)
	}
	return err
}

// cancelSome ends some of the entries that are left, and tells whether there may be more.
func (s *Service) cancelSome(ctx context.Context, actor Actor, id ID, why string) (more bool, err error) {
	err = s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		entries, err := tx.LockUnended(ctx, id, cancelledAtOnce)
		if err != nil || len(entries) == 0 {
			more = false
			return err
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

// settleConsulted ends the comparisons that only wait for a model with what the rules say, and returns all other entries.
func (s *Service) settleConsulted(ctx context.Context, tx Tx, entries []*QueueEntry) ([]*QueueEntry, error) {
	var rest []*QueueEntry
	for _, e := range entries {
		if e.Type != QueueCompare || e.Status != QueueProcessing {
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
			if err := s.settlePending(ctx, tx, e, pending, Consultation{Problem: "the run was cancelled"}); err != nil {
				return nil, err
			}
		}
	}
	return rest, nil
}

// failAll ends locked entries of one batch together.
func (s *Service) failAll(ctx context.Context, tx Tx, batch ID, entries []*QueueEntry, why string) error {
	b, err := tx.LockBatch(ctx, batch)
	if err != nil || len(entries) == 0 {
		return err
	}
	now, returned := s.Clock.Now(), 0
	for _, e := range entries {
		b.Counts.Add(e.Status, -1)
		b.Counts.Add(QueueFailed, 1)
		e.Status, e.Reason, e.ErrorMsg, e.Notice, e.UpdatedAt = QueueFailed, reasonCancelled, why, "", now
		if e.Type != QueueCompare && !e.IsConfirmation() {
			returned++
		}
		if err := tx.AppendEvents(ctx, s.batchEvent(EventQueueStatusFailed, SubjectQueueEntry, e.ID, b)); err != nil {
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

// endOpenWork ends all that an account has under way, when it may not go on.
func (s *Service) endOpenWork(ctx context.Context, actor Actor, why string) error {
	var batches, imports []ID
	err := s.Store.Read(ctx, actor, func(ctx context.Context, tx Tx) (err error) {
		if batches, err = tx.UnfinishedBatches(ctx, cancelledAtOnce); err != nil {
			return err
		}
		imports, err = tx.UnendedImports(ctx, cancelledAtOnce)
		return err
	})
	if err != nil {
		return err
	}
	var errs []error // one that cannot be ended does not keep the others from it
	for _, id := range batches {
		errs = append(errs, s.cancelBatch(ctx, actor, id, why))
	}
	for _, id := range imports {
		errs = append(errs, s.cancelImport(ctx, actor, id, why))
	}
	return errors.Join(errs...)
}

func (s *Service) cancelImport(ctx context.Context, actor Actor, id ID, why string) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		i, err := lockStartedImport(ctx, tx, id)
		if i == nil {
			return err
		}
		if err := tx.CancelJobs(ctx, id); err != nil {
			return err
		}
		i.Problems = []string{why}
		return s.endImport(ctx, tx, i, ImportFailed)
	})
}

// EndCancelled ends what was left over of batches that were cancelled and of accounts that may not go on: a process may have
// died over it, and a run may have begun at the same moment.
func (s *Service) EndCancelled(ctx context.Context, limit int) error {
	left, err := s.Store.CancelledBatches(ctx, limit)
	if err != nil {
		return err
	}
	var errs []error
	for _, b := range left {
		errs = append(errs, s.cancelBatch(ctx, Actor{Account: b.Account}, b.Batch, endedBecause(b.Status)))
	}
	return errors.Join(errs...)
}

// CancelledBatch is a batch that is to be ended, with the state of its account.
type CancelledBatch struct {
	Account, Batch ID
	Status         AccountStatus
}

// endedBecause says why the work of an account in some state ends.
func endedBecause(s AccountStatus) string {
	switch s {
	case AccountPaused:
		return accountPaused
	case AccountCancelled:
		return accountCancelled
	}
	return batchCancelled
}
