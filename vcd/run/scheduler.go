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

// dueAtOnce is how many groups of an account start in one transaction: what starting takes besides their own rows is shared.
const dueAtOnce = 25

// RunDueGroups starts due runs of one account and reports whether there were any. The same commit sets each group's next run to
// the first after now, so this run also makes up for missed ones. A late run that would fall into quiet hours waits for their
// end, and one that would overlap the previous run waits for that to end. Should it fail, one run of several may be to blame: the
// first is then started alone, and put off if it fails again.
func (s *Service) RunDueGroups(ctx context.Context) (bool, error) {
	taken, err := s.store.TakeDueGroups(ctx, s.clock.Now(), dueAtOnce, s.runDue)
	if err != nil && taken > 1 && ctx.Err() == nil {
		taken, err = s.store.TakeDueGroups(ctx, s.clock.Now(), 1, s.runDue)
	}
	return taken > 0 && err == nil, err
}

// runDue starts the runs of locked groups of one account.
func (s *Service) runDue(ctx context.Context, due []*vcd.Group, tx Tx) error {
	account, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	now := s.clock.Now()
	running, err := tx.MonitoringRuns(ctx, idsOf(due), now.Add(-overlapLimit))
	if err != nil {
		return err
	}
	var ready []*vcd.Group
	for _, g := range due {
		// While the group is locked, its account's time zone does not change, see inventory.Service.ChangeTimezone.
		plan := g.Plan(account.Zone())
		next := schedule.Next(plan, now)
		at := plan.Allowed(now)
		switch { // what is known of the last run of a postponed one stays
		case at.After(now):
			next = earlier(next, at.Add(plan.Spread))
		case running[g.ID]:
			next = earlier(next, now.Add(overlapPause))
		default:
			ready = append(ready, g)
		}
		g.NextRunAt = &next
	}
	if err := s.runScheduled(ctx, tx, account, ready); err != nil {
		return err
	}
	return s.saveRuns(ctx, tx, account, due, ready)
}

func idsOf(groups []*vcd.Group) []vcd.ID {
	ids := make([]vcd.ID, len(groups))
	for i, g := range groups {
		ids[i] = g.ID
	}
	return ids
}

// saveRuns stores when the groups are due next and whether their runs took place. The account is locked last, see tellChecks.
func (s *Service) saveRuns(ctx context.Context, tx Tx, account *vcd.Account, due, ready []*vcd.Group) error {
	if err := tx.SaveDueRuns(ctx, due); err != nil {
		return err
	}
	for _, g := range ready {
		if g.MissedRun != nil && *g.MissedRun == vcd.MissedChecks {
			return s.tellChecks(ctx, tx, account, vcd.ChecksExhausted)
		}
	}
	return nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// runScheduled starts the runs of groups, or records and reports why they do not take place.
func (s *Service) runScheduled(ctx context.Context, tx Tx, account *vcd.Account, ready []*vcd.Group) error {
	for _, g := range ready {
		g.MissedRun = nil
	}
	if account.MayRun() == nil {
		return s.startScheduled(ctx, tx, ready)
	}
	why := idleBecause(account)
	for _, g := range ready {
		if why != vcd.MissedStorage { // which may have room again soon
			next := schedule.Next(g.Plan(account.Zone()), s.clock.Now().Add(idleAccountPause))
			g.NextRunAt = &next
		}
		if why == "" {
			continue // there is nobody to notify
		}
		if err := s.missRun(ctx, tx, g, why); err != nil {
			return err
		}
	}
	return nil
}

// startScheduled starts the runs together or, where they are too large or the checks do not suffice for all, one after another.
func (s *Service) startScheduled(ctx context.Context, tx Tx, ready []*vcd.Group) error {
	if len(ready) > 1 {
		started, err := s.startTogether(ctx, tx, ready)
		if err != nil || started {
			return err
		}
	}
	for _, g := range ready {
		_, err := s.startMonitoring(ctx, tx, monitoringRun{Group: g})
		switch vcd.CodeOf(err) {
		case vcd.CodeChecksExhausted:
			err = s.missRun(ctx, tx, g, vcd.MissedChecks)
		case vcd.CodeConflict:
			err = s.missRun(ctx, tx, g, vcd.MissedTooMany)
		}
		if err != nil {
			return err
		}
	}
	return nil
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

func (s *Service) missRun(ctx context.Context, tx Tx, g *vcd.Group, why vcd.MissedRun) error {
	g.MissedRun = &why
	return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventRunMissed, vcd.SubjectGroup, g.ID))
}
