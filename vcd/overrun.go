package vcd

import (
	"time"
)

// Reasons why comparisons were given up.
const (
	ReasonTooHeavy = "too_heavy" // it exceeded the memory or time limit of a comparison
	ReasonCrashed  = "crashed"   // its processes or its workers died repeatedly
)

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
