package vcd

import (
	"time"
)

// MinRetention is longer than the time after which a delivery or mail is given up.
const MinRetention = 7 * 24 * time.Hour

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

// DueRetention is an account whose runs have to be checked for expiry.
type DueRetention struct {
	Account ID
	Rule    RunRetention
	Deleted *time.Time // when the account was deleted; nil for a living one
}
