// Package outbound holds the use cases of what leaves: events that clients follow, webhooks and their deliveries, mails.
package outbound

import "afterimage/vcd"

// Service holds the use cases of this room.
type Service struct {
	store       vcd.Store
	feed        vcd.Feed
	clock       vcd.Clock
	ids         vcd.IDs
	sealer      vcd.Sealer
	mayCall     func(host string, port uint16) bool
	frequencies vcd.Frequencies
	report      func(error)
}

// New returns the use cases on top of the ports and settings of a complete configuration.
func New(c vcd.Config) *Service {
	return &Service{
		store: c.Store, feed: c.Feed, clock: c.Clock, ids: c.IDs, sealer: c.Sealer, mayCall: c.MayCall, frequencies: c.Frequencies,
		report: c.Report,
	}
}
