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
	// TakeDueGroup runs do in a transaction bound to the account of the group whose run is longest overdue at now and which
	// no other scheduler holds, with the group locked. If do fails, the run is postponed so that others get their turn. It
	// returns false when no run is due.
	TakeDueGroup(ctx context.Context, now time.Time, do func(ctx context.Context, g *Group, tx Tx) error) (bool, error)
}
