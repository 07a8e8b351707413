package run

import (
	"context"
	"errors"
	"time"

	"afterimage/internal/noise"
	"afterimage/vcd"
)

// Retention is how long history stays readable; 0 means forever. Unended deliveries and mails, and events that a consumer has
// not read, are kept in any case.
type Retention struct {
	Events, Deliveries, Mails time.Duration
	Runs                      time.Duration // of accounts without a rule of their own, see vcd.RunRetention
}

// Limits of one round of removal: statements per kind of thing, and rows per statement. A round a minute removes 288,000,000 rows of a
// kind a day, which is more than an installation with 10,000,000 captures a day adds.
const (
	removalsPerRound = 200
	rowsPerRemoval   = 1000
)

// consumers must all have read an event before it is removed.
var consumers = []vcd.Consumer{vcd.ConsumerWebhooks, vcd.ConsumerMails}

// RemoveOld runs one round of removing expired history.
func (s *Service) RemoveOld(ctx context.Context, r Retention) error {
	return errors.Join(
		s.removeOlder(ctx, r.Events, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveEvents(ctx, before, consumers, rowsPerRemoval)
		}),
		s.removeOlder(ctx, r.Deliveries, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveDeliveries(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, r.Mails, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveMails(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, noise.MaxAge, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveLearnedNoise(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, vcd.AuditRetention, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveAuditEntries(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, vcd.AuditRetention, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveFreedStorage(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, vcd.FlowTrialAge, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveFlowTrials(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, vcd.PageSessionAge, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemovePageSessions(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, vcd.AllowancePeriod, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveAllowances(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, vcd.AuditRetention, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveSessions(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, time.Minute, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveSignIns(ctx, before, rowsPerRemoval)
		}),
	)
}

func (s *Service) removeOlder(
	ctx context.Context, age time.Duration, remove func(ctx context.Context, before time.Time) (int, error),
) error {
	if age == 0 {
		return nil
	}
	before := s.clock.Now().Add(-age)
	for range removalsPerRound {
		if ending(ctx) {
			return nil
		}
		if n, err := remove(ctx, before); err != nil || n == 0 {
			return err
		}
	}
	return nil
}
