// Package run holds the use cases of runs, from the request for screenshots to the verdict on the last comparison: starting,
// capturing, comparing and cancelling.
package run

import (
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

// Service implements the use cases of runs: starting them by request, schedule or trigger, the work of capture and comparison
// jobs, cancelling and retrying batches, and recovery from dead workers.
type Service struct {
	store         Store
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

// New returns the use cases for a complete configuration.
func New(c vcd.Config, store Store, inventory *inventory.Service, reviews *review.Service) *Service {
	return &Service{
		store: store, clock: c.Clock, ids: c.IDs, sealer: c.Sealer, confirmAfter: c.ConfirmAfter, retryDelay: c.RetryDelay,
		triggerWindow: c.TriggerWindow, hostCaptures: c.HostCaptures, modelBudget: c.ModelBudget, inventory: inventory,
		reviews: reviews,
	}
}
