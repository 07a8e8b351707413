package vcdtest

import (
	"time"

	"afterimage/vcd"
	"afterimage/vcd/account"
)

// Subaccount returns the fields for a new subaccount.
func Subaccount(email string, limit int) account.SubaccountChange {
	return account.SubaccountChange{NameFirst: vcd.Some("S"), NameLast: vcd.Some("T"), Email: vcd.Some(email), LimitChecks: vcd.Some(limit)}
}

// Patience is how long a test waits for what should happen immediately: far longer than that takes on a busy machine.
const Patience = 5 * time.Minute

// Touch changes the account, which appends an event.
func (w *World) Touch() {
	w.T.Helper()
	_, err := w.Service.Accounts.UpdateAccount(w.T.Context(), w.Actor, account.Change{Company: vcd.Some("x")})
	Must(w.T, err)
}
