package vcd

import (
	"context"
	"time"
)

// Reasons of comparisons that were given up.
const (
	ReasonTooHeavy = "too_heavy" // it needed more memory or time than a comparison may have
	ReasonCrashed  = "crashed"   // its processes or its workers ended again and again
)

// OverrunStore counts what became of the attempts at a comparison. The count stands in its queue entry, so it holds over all
// machines and restarts.
type OverrunStore interface {
	// CountOverrun notes that an attempt ended its process. It returns how many did.
	CountOverrun(ctx context.Context, entry ID) (int, error)
}

// GivenUp is a comparison that was given up, for operators.
type GivenUp struct {
	Account  string // its address
	Entry    ID
	Page     string // address
	Device   Device
	Reason   string
	Sentence string
	At       time.Time
}
