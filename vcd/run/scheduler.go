package run

import (
	"context"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/schedule"
)

// idleAccountPause is how long the groups of an account that may not run are skipped. Reactivating the account reschedules
// them, see resume, so nothing has to wait for the pause to end.
const idleAccountPause = 24 * time.Hour

// A run that is due while the previous one is in progress waits and checks repeatedly whether that has ended; otherwise the
// work of a group that takes longer than its interval would grow without bound. A run that never ends does not block the next
// one forever.
const (
	overlapPause = time.Minute
	overlapLimit = 12 * time.Hour
)

// RunDueGroup starts at most one due run and reports whether there was one. The same commit sets the group's next run to the
// first after now, so this run also makes up for missed ones. A late run that would fall into quiet hours waits for their
// end, and one that would overlap the previous run waits for that to end.
func (s *Service) RunDueGroup(ctx context.Context) (bool, error) {
	now := s.clock.Now()
	return s.store.TakeDueGroup(ctx, now, func(ctx context.Context, g *vcd.Group, tx vcd.Tx) error {
		account, err := tx.Account(ctx)
		if err != nil {
			return err
		}
		// While the group is locked, its account's time zone does not change, see inventory.Service.ChangeTimezone.
		plan := g.Plan(account.Zone())
		next := schedule.Next(plan, now)
		if at := plan.Allowed(now); at.After(now) {
			return s.putOff(ctx, tx, g, earlier(next, at.Add(plan.Spread)))
		}
		running, err := tx.MonitoringRuns(ctx, g.ID, now.Add(-overlapLimit))
		if err != nil {
			return err
		}
		if running {
			return s.putOff(ctx, tx, g, earlier(next, now.Add(overlapPause)))
		}
		if next, err = s.runScheduled(ctx, tx, account, g, next); err != nil {
			return err
		}
		g.NextRunAt = &next
		return s.saveRun(ctx, tx, account, g)
	})
}

// putOff postpones a due run. What is known of the last one stays.
func (s *Service) putOff(ctx context.Context, tx vcd.Tx, g *vcd.Group, until time.Time) error {
	g.NextRunAt = &until
	return tx.SaveNextRun(ctx, g)
}

// saveRun stores when the group is due next and whether this run took place. The account is locked last, see tellChecks.
func (s *Service) saveRun(ctx context.Context, tx vcd.Tx, account *vcd.Account, g *vcd.Group) error {
	if err := tx.SaveNextRun(ctx, g); err != nil || g.MissedRun == nil || *g.MissedRun != vcd.MissedChecks {
		return err
	}
	return s.tellChecks(ctx, tx, account, vcd.ChecksExhausted)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// runScheduled starts the run of a group, or records and reports why it does not take place. It returns when to check the
// group next, given the next run by its plan.
func (s *Service) runScheduled(ctx context.Context, tx vcd.Tx, account *vcd.Account, g *vcd.Group, next time.Time) (time.Time, error) {
	g.MissedRun = nil
	if account.MayRun() != nil {
		why := idleBecause(account)
		if why != vcd.MissedStorage { // which may have room again soon
			next = schedule.Next(g.Plan(account.Zone()), s.clock.Now().Add(idleAccountPause))
		}
		if why == "" {
			return next, nil // there is nobody to notify
		}
		return next, s.missRun(ctx, tx, g, why)
	}
	_, err := s.startMonitoring(ctx, tx, monitoringRun{Group: g})
	switch vcd.CodeOf(err) {
	case vcd.CodeChecksExhausted:
		err = s.missRun(ctx, tx, g, vcd.MissedChecks)
	case vcd.CodeConflict:
		err = s.missRun(ctx, tx, g, vcd.MissedTooMany)
	}
	return next, err
}

// idleBecause is why an account that may not run misses one; empty when it is cancelled or was never activated.
func idleBecause(a *vcd.Account) vcd.MissedRun {
	switch {
	case a.Status == vcd.AccountPaused:
		return vcd.MissedPaused
	case a.Admit() == nil && a.StorageUsed >= vcd.StorageFull:
		return vcd.MissedStorage
	}
	return ""
}

func (s *Service) missRun(ctx context.Context, tx vcd.Tx, g *vcd.Group, why vcd.MissedRun) error {
	g.MissedRun = &why
	return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventRunMissed, vcd.SubjectGroup, g.ID))
}
