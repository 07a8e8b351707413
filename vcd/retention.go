package vcd

import (
	"context"
	"errors"
	"time"
)

// Retention says for how long what has happened can be read; 0 means for ever. Deliveries and mails that have not ended stay
// all the same, and so do events that a consumer has not read.
type Retention struct {
	Events, Deliveries, Mails time.Duration
}

// MinRetention is longer than a delivery or a mail takes until it is given up.
const MinRetention = 7 * 24 * time.Hour

// Bounds of one round of removing: so many statements for each kind of thing, so many rows for each statement.
const (
	removalsPerRound = 20
	rowsPerRemoval   = 1000
)

// consumers are all who must have read an event before it may go.
var consumers = []Consumer{ConsumerWebhooks, ConsumerMails}

// RetentionStore removes what is older than it has to be kept. Each method removes at most limit rows and tells how many.
type RetentionStore interface {
	// RemoveEvents removes the oldest events of one account, without a gap, that were made before the given time and that
	// the readers have read.
	RemoveEvents(ctx context.Context, before time.Time, readers []Consumer, limit int) (int, error)
	// RemoveDeliveries removes deliveries, with their attempts, that were made before and have ended.
	RemoveDeliveries(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveMails removes mails that were made before and have ended.
	RemoveMails(ctx context.Context, before time.Time, limit int) (int, error)
}

// RemoveOld does one round of removing what is older than it has to be kept.
func (s *Service) RemoveOld(ctx context.Context, r Retention) error {
	return errors.Join(
		s.removeOlder(ctx, r.Events, func(ctx context.Context, before time.Time) (int, error) {
			return s.Store.RemoveEvents(ctx, before, consumers, rowsPerRemoval)
		}),
		s.removeOlder(ctx, r.Deliveries, func(ctx context.Context, before time.Time) (int, error) {
			return s.Store.RemoveDeliveries(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, r.Mails, func(ctx context.Context, before time.Time) (int, error) {
			return s.Store.RemoveMails(ctx, before, rowsPerRemoval)
		}),
		s.removeOlder(ctx, AllowancePeriod, func(ctx context.Context, before time.Time) (int, error) {
			return s.Store.RemoveAllowances(ctx, before, rowsPerRemoval)
		}),
	)
}

func (s *Service) removeOlder(ctx context.Context, age time.Duration, remove func(ctx context.Context, before time.Time) (int, error)) error {
	if age == 0 {
		return nil
	}
	before := s.Clock.Now().Add(-age)
	for range removalsPerRound {
		if n, err := remove(ctx, before); err != nil || n == 0 {
			return err
		}
	}
	return nil
}
