// Package account holds the use cases of accounts: what they may do, their subaccounts and tokens, and what the operator does with them.
package account

import (
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// Service holds the use cases of this room.
type Service struct {
	store       vcd.Store
	clock       vcd.Clock
	ids         vcd.IDs
	sealer      vcd.Sealer
	frequencies vcd.Frequencies

	inventory *inventory.Service
	runs      *run.Service
}

// New returns the use cases on top of the ports and settings of a complete configuration.
func New(c vcd.Config, inventory *inventory.Service, runs *run.Service) *Service {
	return &Service{
		store: c.Store, clock: c.Clock, ids: c.IDs, sealer: c.Sealer, frequencies: c.Frequencies, inventory: inventory, runs: runs,
	}
}
