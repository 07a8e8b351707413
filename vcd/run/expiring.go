package run

import (
	"context"
	"errors"
	"time"

	"afterimage/vcd"
)

// Limits of a round of RemoveExpired.
const (
	retentionEvery    = time.Hour // between two looks at an account
	accountsPerRound  = 500
	batchesPerAccount = 200 // of one account in a round; when there are more, it waits for the others and comes again
	batchesAtOnce     = 50
	roundReserve      = 20 * time.Second // of the round's time, for what is under way

	// deletedGrace is how long the captures of a deleted account are kept, so that a mistake can be repaired from the database.
	deletedGrace = 7 * 24 * time.Hour
)

// RemoveExpired removes the runs that accounts keep no longer, and measures what these accounts store, account by account,
// until none is due or time is running out. The rule of an account that has none of its own is to keep runs for fallback;
// 0 means for ever. It returns what was removed.
func (s *Service) RemoveExpired(ctx context.Context, fallback time.Duration) (freed vcd.Freed, err error) {
	var errs []error // one account must not block the others
	for range accountsPerRound {
		now := s.clock.Now()
		due, err := s.store.TakeDueRetention(ctx, now, now.Add(retentionEvery), 1)
		if err != nil || len(due) == 0 {
			errs = append(errs, err)
			break
		}
		f, err := s.removeExpired(ctx, due[0], now, fallback)
		freed, errs = freed.Plus(f), append(errs, err)
		if ending(ctx) {
			break
		}
	}
	return freed, errors.Join(errs...)
}

// ending reports whether a round should stop while it still has time to record what it did.
func ending(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return limited && time.Until(deadline) < roundReserve
}

func (s *Service) removeExpired(ctx context.Context, d vcd.DueRetention, now time.Time, fallback time.Duration) (vcd.Freed, error) {
	actor := vcd.Actor{Account: d.Account}
	freed, more := vcd.Freed{}, false
	e, limited := expiry(d, now, fallback)
	if limited {
		var err error
		if freed, more, err = s.expireBatches(ctx, actor, e); err != nil {
			return freed, err
		}
	}
	return freed, s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		if more {
			if err := tx.DueRetentionAt(ctx, now); err != nil {
				return err
			}
		}
		return s.measureStorage(ctx, tx, d, now)
	})
}

// expiry is the rule that holds for an account now; limited is false where nothing expires.
func expiry(d vcd.DueRetention, now time.Time, fallback time.Duration) (e vcd.Expiry, limited bool) {
	if d.Deleted != nil {
		return vcd.Expiry{Before: now, Now: now, Deleted: true}, now.Sub(*d.Deleted) > deletedGrace
	}
	keep := fallback
	if d.Rule.Days != nil {
		keep = time.Duration(*d.Rule.Days) * 24 * time.Hour
	}
	return vcd.Expiry{Before: now.Add(-keep), Now: now, Runs: d.Rule.Runs, Reviewed: d.Rule.Reviewed}, keep > 0
}

// expireBatches removes expired batches, each in a transaction of its own. More is true when some are left for another round.
func (s *Service) expireBatches(ctx context.Context, actor vcd.Actor, e vcd.Expiry) (freed vcd.Freed, more bool, err error) {
	for done := 0; done < batchesPerAccount; done += batchesAtOnce {
		expired, err := vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]vcd.ID, error) {
			return tx.ExpiredBatches(ctx, e, batchesAtOnce)
		})
		if err != nil {
			return freed, false, err
		}
		for _, id := range expired {
			f, err := s.expireBatch(ctx, actor, id, e)
			if err != nil && vcd.CodeOf(err) != vcd.CodeNotFound { // deleted meanwhile
				return freed, false, err
			}
			freed = freed.Plus(f)
			if ending(ctx) {
				return freed, true, nil
			}
		}
		if len(expired) < batchesAtOnce {
			return freed, false, nil
		}
	}
	return freed, true, nil
}

func (s *Service) expireBatch(ctx context.Context, actor vcd.Actor, id vcd.ID, e vcd.Expiry) (vcd.Freed, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (vcd.Freed, error) {
		b, err := tx.LockBatch(ctx, id)
		if err != nil {
			return vcd.Freed{}, err
		}
		freed, gone, err := tx.ExpireBatch(ctx, id, e)
		if err != nil || freed == (vcd.Freed{}) && !gone {
			return freed, err
		}
		if err := tx.RecordFreed(ctx, e.Now, freed); err != nil || e.Deleted {
			return freed, err
		}
		kind := vcd.EventBatchUpdated
		if gone {
			kind = vcd.EventBatchDeleted
		}
		return freed, tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), kind, vcd.SubjectBatch, id, b))
	})
}

// measureStorage measures what an account stores and tells its owner, once, when a threshold is reached.
func (s *Service) measureStorage(ctx context.Context, tx Tx, d vcd.DueRetention, now time.Time) error {
	stored, err := tx.MeasureStorage(ctx, now)
	if err != nil || d.Deleted != nil {
		return err
	}
	used := stored.Used()
	before, err := tx.TellStorage(ctx, used)
	if err != nil || used <= before {
		return err
	}
	kind := vcd.EventStorageLow
	if used == vcd.StorageFull {
		kind = vcd.EventStorageFull
	}
	return tx.AppendEvents(ctx, vcd.NewEvent(now, kind, vcd.SubjectAccount, d.Account))
}
