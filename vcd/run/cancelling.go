package run

import (
	"context"
	"errors"

	"afterimage/vcd"
)

// Limits of cancelling. Whoever cancels waits for the end of a few entries only, however many there are.
const (
	endedPromptly     = 500 // batches and imports of an account that are looked at
	endedAtOnce       = 100 // entries of a batch that one transaction ends
	cancelledPromptly = 500 // entries that a cancellation ends before it answers
	cancellingCost    = 50  // entries that a transaction counts at least for
	dependentCost     = 10  // entries that a comparison counts for which waited for one of them, or for a model
)

// CancelBatch ends all remaining work of a batch: open entries fail with the reason "cancelled", running captures are stopped
// and their results discarded, checks are released, and the batch finishes. Once this has returned, no more of its work begins, and work in
// progress is stopped; of a large batch, the rest of the entries ends in the background, see EndCancelled. A finished batch stays
// unchanged.
func (s *Service) CancelBatch(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Batch, error) {
	if err := s.stopBatch(ctx, actor, id); err != nil {
		return nil, err
	}
	budget := cancelledPromptly
	if _, err := s.cancelWithin(ctx, actor, id, vcd.BatchCancelled, &budget); err != nil {
		return nil, err
	}
	return s.Batch(ctx, actor, id)
}

// stopBatch marks a batch as cancelled, so that others can continue if this process dies, and takes all its turns: nothing of it
// begins any more.
func (s *Service) stopBatch(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		b, err := tx.LockBatch(ctx, id)
		if err != nil || b.FinishedAt != nil || b.CancelledAt != nil {
			return err
		}
		now := s.clock.Now()
		b.CancelledAt, b.UpdatedAt, b.Uploading = &now, now, false
		if err := tx.UpdateBatch(ctx, b); err != nil {
			return err
		}
		handed, err := tx.WithdrawTurns(ctx, id)
		if err != nil {
			return err
		}
		return tx.CancelJobs(ctx, handed...)
	})
}

// cancelBatch stops a batch and ends all its entries.
func (s *Service) cancelBatch(ctx context.Context, actor vcd.Actor, id vcd.ID, why string) error {
	err := s.stopBatch(ctx, actor, id)
	for more := true; more && err == nil; {
		budget := cancelledPromptly
		more, err = s.cancelWithin(ctx, actor, id, why, &budget)
	}
	return err
}

// cancelWithin ends entries of a stopped batch until nothing is left of a budget, and reports whether there may be more. Each step
// is a transaction of its own, so that none holds many locks.
func (s *Service) cancelWithin(ctx context.Context, actor vcd.Actor, id vcd.ID, why string, budget *int) (more bool, err error) {
	for more = true; more && *budget > 0; {
		cost := 0
		if more, cost, err = s.cancelSome(ctx, actor, id, why); err != nil {
			return false, err
		}
		*budget -= max(cost, cancellingCost)
	}
	return more, nil
}

// cancelSome ends up to endedAtOnce of the remaining entries, first those in work. It returns whether there may be more, and what that
// cost, in entries.
func (s *Service) cancelSome(ctx context.Context, actor vcd.Actor, id vcd.ID, why string) (more bool, cost int, err error) {
	err = s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		entries, err := tx.LockUnended(ctx, id, endedAtOnce)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			return s.endEmptied(ctx, tx, id)
		}
		found := len(entries)
		others, err := tx.LockComparisonsBeyond(ctx, id, entries)
		if err != nil {
			return err
		}
		entries, others = few(entries, others)
		ended := len(entries)
		more = found == endedAtOnce || ended < found
		if entries, err = s.settleConsulted(ctx, tx, entries); err != nil {
			return err
		}
		cost = ended + dependentCost*(len(others)+ended-len(entries))
		if err := s.failAll(ctx, tx, id, entries, reasonCancelled, why); err != nil {
			return err
		}
		for _, c := range others {
			if err := s.pair(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	return more, cost, err
}

// few returns so many of the entries that about endedAtOnce comparisons at most depend on them, but one at least, and those comparisons.
func few(entries, others []*vcd.QueueEntry) (some, dependents []*vcd.QueueEntry) {
	type place struct {
		group, url vcd.ID
		device     vcd.Device
	}
	at := make(map[place][]*vcd.QueueEntry)
	for _, c := range others {
		p := place{c.GroupID, c.URLID, c.Device}
		at[p] = append(at[p], c)
	}
	for i, e := range entries {
		p := place{e.GroupID, e.URLID, e.Device}
		if i > 0 && len(dependents)+len(at[p]) > endedAtOnce {
			break
		}
		some, dependents = entries[:i+1], append(dependents, at[p]...)
		delete(at, p)
	}
	return some, dependents
}

// endEmptied finishes a batch that was still waiting for uploads when its last entry had ended.
func (s *Service) endEmptied(ctx context.Context, tx Tx, id vcd.ID) error {
	b, err := tx.LockBatch(ctx, id)
	if err != nil || b.FinishedAt != nil {
		return err
	}
	return s.storeBatch(ctx, tx, b)
}

// settleConsulted ends the comparisons that only wait for a model with the verdicts of the rules, and returns all other
// entries.
func (s *Service) settleConsulted(ctx context.Context, tx Tx, entries []*vcd.QueueEntry) ([]*vcd.QueueEntry, error) {
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
func (s *Service) failAll(ctx context.Context, tx Tx, batch vcd.ID, entries []*vcd.QueueEntry, reason, why string) error {
	b, err := tx.LockBatch(ctx, batch)
	if err != nil || len(entries) == 0 {
		return err
	}
	now, returned := s.clock.Now(), 0
	for _, e := range entries {
		b.Counts.Add(e.Status, -1)
		b.Counts.Add(vcd.QueueFailed, 1)
		e.Status, e.Reason, e.ErrorMsg, e.Notice, e.UpdatedAt = vcd.QueueFailed, reason, why, "", now
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

// EndOpenWork ends the unfinished work of accounts that may no longer run, for one reason. None of its work begins any more; if there is a
// lot, the rest ends in the background, see EndCancelled.
func (s *Service) EndOpenWork(ctx context.Context, accounts []vcd.ID, why string) error {
	var errs []error // one failure must not block the rest
	for _, account := range accounts {
		errs = append(errs, s.stopWorkOf(ctx, vcd.Actor{Account: account}, why))
	}
	budget := cancelledPromptly
	for _, account := range accounts {
		if budget <= 0 {
			break
		}
		errs = append(errs, s.endWorkOf(ctx, vcd.Actor{Account: account}, why, &budget))
	}
	return errors.Join(errs...)
}

// stopWorkOf stops all batches and trials of an account at once; ending their entries takes longer.
func (s *Service) stopWorkOf(ctx context.Context, actor vcd.Actor, why string) error {
	if err := s.stopTrials(ctx, actor, why); err != nil {
		return err
	}
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		stopped, err := tx.StopBatches(ctx, s.clock.Now())
		if err != nil || len(stopped) == 0 {
			return err
		}
		handed, err := tx.WithdrawTurns(ctx, stopped...)
		if err != nil {
			return err
		}
		return tx.CancelJobs(ctx, handed...)
	})
}

func (s *Service) endWorkOf(ctx context.Context, actor vcd.Actor, why string, budget *int) error {
	var batches, imports []vcd.ID
	err := s.store.Read(ctx, actor, func(ctx context.Context, tx Tx) (err error) {
		if batches, err = tx.UnfinishedBatches(ctx, endedPromptly); err != nil {
			return err
		}
		imports, err = tx.UnendedImports(ctx, endedPromptly)
		return err
	})
	if err != nil {
		return err
	}
	*budget -= cancellingCost // also for an account without any
	var errs []error
	for _, id := range batches {
		if *budget <= 0 {
			break
		}
		_, err := s.cancelWithin(ctx, actor, id, why, budget)
		errs = append(errs, err)
	}
	for _, id := range imports {
		if *budget <= 0 {
			break
		}
		*budget -= cancellingCost
		errs = append(errs, s.cancelImport(ctx, actor, id, why))
	}
	return errors.Join(errs...)
}

func (s *Service) cancelImport(ctx context.Context, actor vcd.Actor, id vcd.ID, why string) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
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

// EndCancelled goes on with what was cancelled: batches with more entries than are ended at once, those whose process died, and
// work of accounts that may no longer run, some of which may have started at the same moment. Of each batch it ends some entries,
// so that none waits for a large one; more is true when there may be more to do. Any number of processes may do so.
func (s *Service) EndCancelled(ctx context.Context, limit int) (more bool, err error) {
	batches, err := s.store.CancelledBatches(ctx, limit)
	if err != nil {
		return false, err
	}
	imports, err := s.store.CancelledImports(ctx, limit)
	if err != nil {
		return false, err
	}
	more = len(batches) == limit || len(imports) == limit
	var errs []error
	for _, b := range batches {
		actor, budget := vcd.Actor{Account: b.Account}, cancelledPromptly
		err := s.stopBatch(ctx, actor, b.Batch)
		if err == nil {
			var unended bool
			unended, err = s.cancelWithin(ctx, actor, b.Batch, vcd.EndedBecause(b.Status), &budget)
			more = more || unended
		}
		errs = append(errs, err)
	}
	for _, i := range imports {
		errs = append(errs, s.cancelImport(ctx, vcd.Actor{Account: i.Account}, i.Import, vcd.EndedBecause(i.Status)))
	}
	return more, errors.Join(errs...)
}
