// Package account holds the use cases of accounts: their state and plan, subaccounts and tokens, and the operator's commands
// on them.
package account

import (
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// Service implements the use cases of accounts: opening, changing, pausing and cancelling them, plans and statistics,
// subaccounts, and API tokens.
type Service struct {
	store       Store
	clock       vcd.Clock
	ids         vcd.IDs
	sealer      vcd.Sealer
	frequencies vcd.Frequencies
	plansURL    string

	inventory *inventory.Service
	runs      *run.Service
}

// New returns the use cases for a complete configuration.
func New(c vcd.Config, store Store, inventory *inventory.Service, runs *run.Service) *Service {
	return &Service{
		store: store, clock: c.Clock, ids: c.IDs, sealer: c.Sealer, frequencies: c.Frequencies,
		plansURL: c.PlansURL, inventory: inventory, runs: runs,
	}
}
