package vcd

import (
	"time"
)

// ChangeVerdict is what somebody decided about a change wherever it occurs in a batch. It holds until somebody decides otherwise
// or undoes the review that it is part of.
type ChangeVerdict struct {
	Account, Batch ID
	Fingerprint    string
	Status         ComparisonStatus
	Review         ID
	Reviewer       Person // of the review
	CreatedAt      time.Time
}
