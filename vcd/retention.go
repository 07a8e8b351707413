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
	// RemoveFreedStorage removes the reports of what was freed before the given time.
	RemoveFreedStorage(ctx context.Context, before time.Time, limit int) (int, error)
}

// Limits of a rule of retention.
const (
	MaxKeepDays = 3650
	MaxKeepRuns = 1000
)

// RunRetention says which finished runs of an account are kept. Runs with a public link are, in any case.
type RunRetention struct {
	Days     *int // after which a run expires; 0: never; nil: as the operator decided
	Runs     int  // how many of the newest runs of each group never expire
	Reviewed bool // runs in which somebody reviewed or commented on a comparison never expire
}

// Expiry is a RunRetention at a moment.
type Expiry struct {
	Before   time.Time // runs that finished later are kept
	Now      time.Time // public links that ended by then keep nothing
	Runs     int
	Reviewed bool
	Deleted  bool // the account is deleted: nothing is kept
}

// Freed is what was removed of expired runs.
type Freed struct {
	Runs, Screenshots, Comparisons int
	Bytes                          int64 // of files that nothing refers to any more
}

// Plus returns the sum of both.
func (f Freed) Plus(o Freed) Freed {
	return Freed{
		Runs: f.Runs + o.Runs, Screenshots: f.Screenshots + o.Screenshots, Comparisons: f.Comparisons + o.Comparisons,
		Bytes: f.Bytes + o.Bytes,
	}
}

// FreedDay is what was removed on a day.
type FreedDay struct {
	Day time.Time // its beginning in UTC
	Freed
}

// Storage is how much an account stores. A file that several screenshots share counts once.
type Storage struct {
	Bytes, Files int64
	Limit        *int64     // bytes; nil for none
	MeasuredAt   *time.Time // nil before the first time
}

// Percentages of an account's storage at which its owner is notified.
const (
	storageLow  = 80
	StorageFull = 100
)

// Used is the highest notification threshold, in percent, that the storage has reached; 0 for none.
func (s *Storage) Used() int {
	for _, percent := range []int{StorageFull, storageLow} {
		if s.Limit != nil && float64(s.Bytes)*100 >= float64(*s.Limit)*float64(percent) {
			return percent
		}
	}
	return 0
}

// DueRetention is an account whose runs are to be looked at.
type DueRetention struct {
	Account ID
	Rule    RunRetention
	Deleted *time.Time // when the account was deleted; nil for a living one
}

// DueRetentionStore is used across accounts by the worker that removes expired runs.
type DueRetentionStore interface {
	// TakeDueRetention returns accounts that are due, the longest waiting first, and makes them due again at next.
	TakeDueRetention(ctx context.Context, now, next time.Time, limit int) ([]DueRetention, error)
}

// ExpiryStore removes expired runs of an account.
type ExpiryStore interface {
	// ExpiredBatches lists up to limit batches of which something is to be removed, newest first.
	ExpiredBatches(ctx context.Context, e Expiry, limit int) ([]ID, error)
	// ExpireBatch removes the comparisons of a batch that is locked, and its screenshots but for those that other comparisons show or that
	// later ones will be compared with. When none is left, the batch is deleted too, and gone is true. A batch that e keeps by
	// now stays as it is.
	ExpireBatch(ctx context.Context, id ID, e Expiry) (freed Freed, gone bool, err error)
	// RecordFreed adds to the report of a day.
	RecordFreed(ctx context.Context, day time.Time, f Freed) error
	// FreedSince lists the reports of days from the given one, newest first.
	FreedSince(ctx context.Context, day time.Time) ([]FreedDay, error)
	// MeasureStorage counts and records what the account stores.
	MeasureStorage(ctx context.Context, now time.Time) (*Storage, error)
	// Storage is what was measured last.
	Storage(ctx context.Context) (*Storage, error)
	// TellStorage records that the owner is being told that this percentage (0, 80 or 100) of the storage is used. It returns
	// what was recorded before.
	TellStorage(ctx context.Context, percent int) (before int, err error)
	// DueRetentionAt lets the account's runs be looked at from the given time.
	DueRetentionAt(ctx context.Context, at time.Time) error
}
