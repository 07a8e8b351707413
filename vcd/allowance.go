package vcd

import (
	"context"
	"fmt"
	"time"
)

// AllowancePeriod is what allowances are given for.
const AllowancePeriod = time.Hour

// Allowance is how often something may be done in AllowancePeriod: all at once, or spread.
type Allowance struct {
	Key  string // what is done, and by or to whom
	Size int    // how often; more than 0
}

// AllowanceStore counts for all processes together.
type AllowanceStore interface {
	// Spend takes a point from each allowance, or none when one of them has none; then it tells how long it takes until all have
	// one. A point comes back after AllowancePeriod/Size. What was spent is kept only if the transaction is.
	Spend(ctx context.Context, now time.Time, allowances ...Allowance) (wait time.Duration, err error)
}

// OldAllowanceStore removes what says nothing any more.
type OldAllowanceStore interface {
	// RemoveAllowances removes up to limit allowances that were not used since a time and tells how many.
	RemoveAllowances(ctx context.Context, before time.Time, limit int) (int, error)
}

// Frequencies bound how often an account may do what concerns others, in an hour; 0 for any number.
type Frequencies struct {
	Subaccounts      int // that a full account opens
	MailsPerAccount  int // to addresses that are not that of the account's own, from a full account with its subaccounts
	MailsPerReceiver int // to such an address, from all accounts
}

// RateLimited is the answer to who does something too often.
func RateLimited(sentence string, wait time.Duration) error {
	return &Error{Code: CodeRateLimited, Message: sentence + " Try again in " + inWords(wait) + ".", RetryAfter: wait}
}

func inWords(wait time.Duration) string {
	if seconds := wholeSeconds(wait); seconds < 120 {
		return fmt.Sprintf("%d seconds", seconds)
	}
	return fmt.Sprintf("%d minutes", int((wait+time.Minute-1)/time.Minute))
}

func wholeSeconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }
