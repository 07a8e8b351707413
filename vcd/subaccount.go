package vcd

import "context"

// SubaccountFilter narrows a list of subaccounts; nil fields do not narrow.
type SubaccountFilter struct {
	Search *string // in names and address
}

// SubaccountStore keeps the accounts below the actor's. Deleted ones are left out.
type SubaccountStore interface {
	Subaccounts(ctx context.Context, f SubaccountFilter, p Page) (*List[*Account], error)
	Subaccount(ctx context.Context, id ID) (*Account, error)
	// OwnsAnything tells whether the account has groups or URLs.
	OwnsAnything(ctx context.Context) (bool, error)
	// DeleteAccount hides the account and erases its names, its address and its secrets. What it captured stays until it is
	// swept away.
	DeleteAccount(ctx context.Context, a *Account) error
}
