package vcd

import (
	"context"
	"time"
)

// MissedRun is why a due run of a monitoring group did not take place.
type MissedRun string

// The reasons.
const (
	MissedChecks  MissedRun = "checks_exhausted"
	MissedTooMany MissedRun = "too_many_screenshots"
	MissedPaused  MissedRun = "account_paused"
	MissedStorage MissedRun = "storage_full"
)

// ScheduleStore is used across accounts by the scheduler.
type ScheduleStore interface {
	// TakeDueGroups runs do in a transaction bound to the account of the group whose run is longest overdue at now and which
	// no other scheduler holds, with that group and up to most-1 others of this account that are due, all locked. It returns how
	// many these were. If do fails with a single group, its run is postponed so that others get their turn.
	TakeDueGroups(ctx context.Context, now time.Time, most int, do func(ctx context.Context, due []*Group, tx Tx) error) (int, error)
}
