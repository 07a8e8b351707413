package run

import (
	"context"
	"errors"
	"time"

	"afterimage/vcd"
)

// Retention says for how long what has happened can be read; 0 means for ever. Deliveries and mails that have not ended stay
// all the same, and so do events that a consumer has not read.
type Retention struct {
	Events, Deliveries, Mails time.Duration
}

// Bounds of one round of removing: so many statements for each kind of thing, so many rows for each statement.
const (
	removalsPerRound = 20
	rowsPerRemoval   = 1000
)

// consumers are all who must have read an event before it may go.
var consumers = []vcd.Consumer{vcd.ConsumerWebhooks, vcd.ConsumerMails}

// RemoveOld does one round of removing what is older than it has to be kept.
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
		s.removeOlder(ctx, vcd.AllowancePeriod, func(ctx context.Context, before time.Time) (int, error) {
			return s.store.RemoveAllowances(ctx, before, rowsPerRemoval)
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
		if n, err := remove(ctx, before); err != nil || n == 0 {
			return err
		}
	}
	return nil
}
