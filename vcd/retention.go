package vcd

import (
	"context"
	"time"
)

// MinRetention is longer than a delivery or a mail takes until it is given up.
const MinRetention = 7 * 24 * time.Hour

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
