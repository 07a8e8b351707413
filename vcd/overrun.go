package vcd

import (
	"context"
	"time"
)

// Reasons why comparisons were given up.
const (
	ReasonTooHeavy = "too_heavy" // it exceeded the memory or time limit of a comparison
	ReasonCrashed  = "crashed"   // its processes or its workers died repeatedly
)

// OverrunStore counts failed attempts at a comparison. The count is kept in the queue entry, so it is shared by all machines
// and survives restarts.
type OverrunStore interface {
	// CountOverrun records that an attempt killed its process, and returns how many have.
	CountOverrun(ctx context.Context, entry ID) (int, error)
}

// GivenUp describes a comparison that was given up, for operators.
type GivenUp struct {
	Account  string // its address
	Entry    ID
	Page     string // address
	Device   Device
	Reason   string
	Sentence string
	At       time.Time
}
