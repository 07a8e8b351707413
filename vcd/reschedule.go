package vcd

import (
	"context"
	"time"
)

// Zone is the account's time zone. One that this machine does not know is read as UTC.
func (a *Account) Zone() *time.Location {
	zone, err := time.LoadLocation(a.Timezone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// reschedule sets when a group runs next, from now. The caller stores the group.
func (s *Service) reschedule(ctx context.Context, tx Tx, g *Group) error {
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
	g.planNext(account.Zone(), s.Clock.Now())
	return nil
}

func (g *Group) planNext(zone *time.Location, after time.Time) {
	g.NextRunAt = nil
	if next := Next(g.Plan(zone), after); !next.IsZero() {
		g.NextRunAt = &next
	}
}

// changeTimezone moves the account and the plans of all its groups to another time zone. The rows of the groups are
// locked before the account's, which is always the last; so the caller must not hold that lock yet.
func (s *Service) changeTimezone(ctx context.Context, tx Tx, name string) (*Account, error) {
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
	return a, s.planAnew(ctx, tx, a, groups)
}

// planAnew lets the schedules of groups begin again from now.
func (s *Service) planAnew(ctx context.Context, tx Tx, a *Account, groups []*Group) error {
	zone, now := a.Zone(), s.Clock.Now()
	for _, g := range groups {
		g.planNext(zone, now)
	}
	return tx.SaveNextRuns(ctx, groups)
}
