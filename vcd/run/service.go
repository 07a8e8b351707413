// Package run holds the use cases of runs, from the request for screenshots to the verdict on the last comparison: what starts them, what
// captures and compares, and what ends them early.
package run

import (
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

// Service holds the use cases of this room.
type Service struct {
	store         vcd.Store
	clock         vcd.Clock
	ids           vcd.IDs
	sealer        vcd.Sealer
	confirmAfter  time.Duration
	retryDelay    time.Duration
	triggerWindow time.Duration
	hostCaptures  int
	modelBudget   int

	inventory *inventory.Service
	reviews   *review.Service
}

// New returns the use cases on top of the ports and settings of a complete configuration.
func New(c vcd.Config, inventory *inventory.Service, reviews *review.Service) *Service {
	return &Service{
		store: c.Store, clock: c.Clock, ids: c.IDs, sealer: c.Sealer, confirmAfter: c.ConfirmAfter, retryDelay: c.RetryDelay,
		triggerWindow: c.TriggerWindow, hostCaptures: c.HostCaptures, modelBudget: c.ModelBudget, inventory: inventory,
		reviews: reviews,
	}
}
