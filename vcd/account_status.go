package vcd

// Admit returns an error unless the account may use the service at all: it must be activated and not cancelled. A paused
// account may do everything except run, see MayRun.
func (a *Account) Admit() error {
	switch {
	case !a.InvitationAccepted:
		return &Error{Code: CodeActivateAccount, Message: "ActivateAccount"}
	case a.Status == AccountCancelled:
		return Forbidden()
	}
	return nil
}

// MayRun returns an error unless the account may have screenshots taken.
func (a *Account) MayRun() error {
	if a.Status == AccountPaused {
		return &Error{Code: CodeConflict, Message: "The account is paused. " +
			"Its owner can reactivate it to take screenshots again."}
	}
	if a.StorageUsed >= StorageFull {
		return &Error{Code: CodeConflict, Message: "The storage of the account is full. " +
			"Delete runs, or keep them for a shorter time, to take screenshots again."}
	}
	return a.Admit()
}

// AccountsAtOnce is how many accounts of each kind one round of KeepAccounts moves; the next round takes the rest.
const AccountsAtOnce = 500

// Percentages of the period's checks at which the owner is notified.
const (
	checksLow       = 80
	ChecksExhausted = 100
)

// ChecksUsed is the highest notification threshold, in percent, that the used checks have reached; 0 for none.
func (a *Account) ChecksUsed() int {
	for _, percent := range []int{ChecksExhausted, checksLow} {
		if a.ChecksLimit > 0 && a.ChecksDone*100 >= a.ChecksLimit*percent {
			return percent
		}
	}
	return 0
}
