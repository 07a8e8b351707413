package vcd

// MissedRun is why a due run of a monitoring group did not take place.
type MissedRun string

// The reasons.
const (
	MissedChecks  MissedRun = "checks_exhausted"
	MissedTooMany MissedRun = "too_many_screenshots"
	MissedPaused  MissedRun = "account_paused"
	MissedStorage MissedRun = "storage_full"
)
