package vcd

import (
	"context"
	"time"
)

// MinRetention is longer than the time after which a delivery or mail is given up.
const MinRetention = 7 * 24 * time.Hour

// RetentionStore removes expired rows. Each method removes at most limit rows and returns how many.
type RetentionStore interface {
	// RemoveEvents removes the oldest events of one account, without a gap, that were created before the given time and read
	// by all readers.
	RemoveEvents(ctx context.Context, before time.Time, readers []Consumer, limit int) (int, error)
	// RemoveDeliveries removes ended deliveries created before the given time, with their attempts.
	RemoveDeliveries(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveMails removes ended mails created before the given time.
	RemoveMails(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveLearnedNoise removes what is known of pages that were last visited before the given time.
	RemoveLearnedNoise(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveAuditEntries removes audit entries of changes before the given time.
	RemoveAuditEntries(ctx context.Context, before time.Time, limit int) (int, error)
}
