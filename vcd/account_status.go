package vcd

// Admit tells whether an account may use the service at all: it must have been activated and not be cancelled. One that
// is paused may do everything but run, see mayRun.
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
