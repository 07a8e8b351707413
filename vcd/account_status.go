package vcd

// Admit tells whether an account may use the service at all: it must have been activated and not be cancelled. One that
// is paused may do everything but run, see MayRun.
func (a *Account) Admit() error {
	switch {
	case !a.InvitationAccepted:
		return &Error{Code: CodeActivateAccount, Message: "ActivateAccount"}
	case a.Status == AccountCancelled:
		return Forbidden()
	}
	return nil
}

// MayRun tells whether an account may have screenshots taken.
func (a *Account) MayRun() error {
	if a.Status == AccountPaused {
		return &Error{Code: CodeConflict, Message: "The account is paused. " +
			"Its owner can reactivate it to take screenshots again."}
	}
	return a.Admit()
}

// AccountsAtOnce is how many accounts one round of KeepAccounts moves of each kind; the next round takes the others.
const AccountsAtOnce = 500

// Shares of the period's checks, in percent, of whose use the owner is told.
const (
	checksLow       = 80
	ChecksExhausted = 100
)

// ChecksUsed is the largest share of the checks of which the owner is told that is used up; 0 for none.
func (a *Account) ChecksUsed() int {
	for _, percent := range []int{ChecksExhausted, checksLow} {
		if a.ChecksLimit > 0 && a.ChecksDone*100 >= a.ChecksLimit*percent {
			return percent
		}
	}
	return 0
}
