package account

import (
	"context"
	"time"

	"afterimage/vcd"
)

// previewedRuns is how many runs a preview counts.
const previewedRuns = 10_000

// RetentionChange is a new rule of retention. Fields that are not set stay unchanged.
type RetentionChange struct {
	Days     vcd.Optional[int] // null: as the operator decided
	Runs     vcd.Optional[int]
	Reviewed vcd.Optional[bool]
}

func (in RetentionChange) validate() error {
	v := &vcd.Validation{}
	if n := in.Days.Value; n != nil {
		v.Between("days", *n, 0, vcd.MaxKeepDays)
	}
	if n := in.Runs.Value; n != nil {
		v.Between("runs", *n, 0, vcd.MaxKeepRuns)
	}
	return v.Err()
}

func (in RetentionChange) apply(r *vcd.RunRetention) {
	vcd.AssignNullable(&r.Days, in.Days)
	vcd.Assign(&r.Runs, in.Runs)
	vcd.Assign(&r.Reviewed, in.Reviewed)
}

// UpdateRetention changes how long the account keeps its runs. What the new rule keeps no longer is removed from the next minute.
func (s *Service) UpdateRetention(ctx context.Context, actor vcd.Actor, in RetentionChange) (*vcd.Account, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Account, error) {
		a, err := tx.LockAccount(ctx)
		if err != nil {
			return nil, err
		}
		in.apply(&a.Retention)
		a.UpdatedAt = s.clock.Now()
		if err := tx.UpdateAccount(ctx, a); err != nil {
			return nil, err
		}
		if err := tx.DueRetentionAt(ctx, s.clock.Now()); err != nil {
			return nil, err
		}
		return a, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID))
	})
}

// PreviewRetention counts the runs that expire under a changed rule, up to previewedRuns. Those that later runs are compared with
// are among them: a part of their screenshots stays. Nothing expires under a rule that leaves the days to the operator, as
// far as this account can tell; the count is nil then.
func (s *Service) PreviewRetention(ctx context.Context, actor vcd.Actor, in RetentionChange) (*int, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*int, error) {
		a, err := tx.Account(ctx)
		if err != nil {
			return nil, err
		}
		in.apply(&a.Retention)
		expired := 0
		switch days := a.Retention.Days; {
		case days == nil:
			return nil, nil
		case *days == 0:
			return &expired, nil
		default:
			now := s.clock.Now()
			ids, err := tx.ExpiredBatches(ctx, vcd.Expiry{
				Before: now.Add(-time.Duration(*days) * 24 * time.Hour), Now: now, Runs: a.Retention.Runs, Reviewed: a.Retention.Reviewed,
			}, previewedRuns)
			expired = len(ids)
			return &expired, err
		}
	})
}

// freedDays is how many days of what was freed are shown.
const freedDays = 30

// Storage is what the account stores, as measured last, and what was freed in the last 30 days, newest first.
func (s *Service) Storage(ctx context.Context, actor vcd.Actor) (stored *vcd.Storage, freed []vcd.FreedDay, err error) {
	err = s.store.Read(ctx, actor, func(ctx context.Context, tx Tx) (err error) {
		if stored, err = tx.Storage(ctx); err != nil {
			return err
		}
		freed, err = tx.FreedSince(ctx, s.clock.Now().AddDate(0, 0, 1-freedDays))
		return err
	})
	return stored, freed, err
}
