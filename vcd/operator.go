package vcd

import (
	"context"
	"time"
)

// OperatorStore is asked across accounts, by the command line and by the work that time calls for. Deleted accounts are
// left out.
type OperatorStore interface {
	// HasAccounts tells whether any account exists yet.
	HasAccounts(ctx context.Context) (bool, error)
	AccountByEmail(ctx context.Context, email string) (*Account, error)
	// Accounts lists all accounts, each full account before its subaccounts.
	Accounts(ctx context.Context) ([]*Account, error)
	// AccountsToRenew lists full accounts whose period has ended at now.
	AccountsToRenew(ctx context.Context, now time.Time, limit int) ([]ID, error)
	// AccountsLowOnChecks lists accounts that have used up more of their checks than was told (see TellChecks).
	AccountsLowOnChecks(ctx context.Context, limit int) ([]ID, error)
	// UnusedAccounts lists active full accounts that were neither used nor changed since a moment.
	UnusedAccounts(ctx context.Context, since time.Time, limit int) ([]ID, error)
}
