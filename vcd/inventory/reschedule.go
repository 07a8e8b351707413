package inventory

import (
	"context"

	"afterimage/vcd"
)

// reschedule sets a group's next run, counted from now. The caller stores the group.
func (s *Service) reschedule(ctx context.Context, tx accountStore, g *vcd.Group) error {
	if !g.Scheduled() {
		g.NextRunAt = nil
		return nil
	}
	account, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	if err := tx.HoldTimezone(ctx, account.Timezone); err != nil {
		return err
	}
	g.PlanNext(account.Zone(), s.clock.Now())
	return nil
}

// Rescheduler is what rescheduling many groups needs of a transaction.
type Rescheduler interface {
	LockScheduled(ctx context.Context) ([]*vcd.Group, error)
	LockAccount(ctx context.Context) (*vcd.Account, error)
	SaveNextRuns(ctx context.Context, groups []*vcd.Group) error
}

// ChangeTimezone moves the account and the plans of all its groups to another time zone. It locks the groups before the
// account, which is always locked last, so the caller must not hold the account's lock yet.
func (s *Service) ChangeTimezone(ctx context.Context, tx Rescheduler, name string) (*vcd.Account, error) {
	groups, err := tx.LockScheduled(ctx)
	if err != nil {
		return nil, err
	}
	a, err := tx.LockAccount(ctx)
	if err != nil {
		return nil, err
	}
	if a.Timezone == name {
		return a, nil
	}
	a.Timezone = name
	return a, s.PlanAnew(ctx, tx, a, groups)
}

// PlanAnew reschedules groups from now.
func (s *Service) PlanAnew(ctx context.Context, tx Rescheduler, a *vcd.Account, groups []*vcd.Group) error {
	zone, now := a.Zone(), s.clock.Now()
	for _, g := range groups {
		g.PlanNext(zone, now)
	}
	return tx.SaveNextRuns(ctx, groups)
}
