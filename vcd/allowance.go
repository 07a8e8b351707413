package vcd

import (
	"time"
)

// AllowancePeriod is the period to which allowances apply.
const AllowancePeriod = time.Hour

// Allowance limits how often something may be done in AllowancePeriod, whether in a burst or spread out.
type Allowance struct {
	Key  string // what is done, and by or to whom
	Size int    // how often; more than 0
}

// Frequencies limit, per hour, what an account may do that affects others; 0 means unlimited.
type Frequencies struct {
	Subaccounts      int // opened by a full account
	Invitations      int // sent or attempted by an account
	MailsPerAccount  int // to addresses other than the account's own, from a full account with its subaccounts
	MailsPerReceiver int // to such an address, from all accounts
}

// RateLimited is the error for exceeding a rate limit.
func RateLimited(sentence string, wait time.Duration) error {
	return &Error{Code: CodeRateLimited, Message: sentence + " Try again in " + inWords(wait) + ".", RetryAfter: wait}
}

func inWords(wait time.Duration) string {
	if seconds := wholeSeconds(wait); seconds < 120 {
		return Plural(seconds, "second")
	}
	return Plural(int((wait+time.Minute-1)/time.Minute), "minute")
}

func wholeSeconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }
