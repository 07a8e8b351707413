// Package inventory holds the use cases of what an account watches: groups, URLs and websites, and their import.
package inventory

import (
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// Service implements the use cases of what an account watches: groups and their URLs, websites, and imports from sitemaps and
// site synchronisations.
type Service struct {
	store  Store
	clock  vcd.Clock
	ids    vcd.IDs
	sealer vcd.Sealer

	mayReach func(host string, port uint16) bool

	reviews *review.Service
}

// New returns the use cases for a complete configuration.
func New(c vcd.Config, store Store, reviews *review.Service) *Service {
	return &Service{
		store: store, clock: c.Clock, ids: c.IDs, sealer: c.Sealer, mayReach: c.MayReach, reviews: reviews,
	}
}
