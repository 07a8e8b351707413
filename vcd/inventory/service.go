// Package inventory holds the use cases of what an account watches: groups, URLs and websites, and how they are filled.
package inventory

import (
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// Service holds the use cases of this room.
type Service struct {
	store  vcd.Store
	clock  vcd.Clock
	ids    vcd.IDs
	sealer vcd.Sealer

	reviews *review.Service
}

// New returns the use cases on top of the ports and settings of a complete configuration.
func New(c vcd.Config, reviews *review.Service) *Service {
	return &Service{
		store: c.Store, clock: c.Clock, ids: c.IDs, sealer: c.Sealer, reviews: reviews,
	}
}
