// Package outbound holds the use cases of outgoing data: event streams, webhooks and their deliveries, and mails.
package outbound

import "afterimage/vcd"

// Service implements the use cases of outgoing data: reading and streaming events, managing and calling webhooks, and
// relaying events as deliveries and mails.
type Service struct {
	store       Store
	feed        vcd.Feed
	clock       vcd.Clock
	ids         vcd.IDs
	sealer      vcd.Sealer
	mayReach    func(host string, port uint16) bool
	frequencies vcd.Frequencies
	report      func(error)
	lives       coalescer[*Live]
}

// New returns the use cases for a complete configuration.
func New(c vcd.Config, store Store) *Service {
	return &Service{
		store: store, feed: c.Feed, clock: c.Clock, ids: c.IDs, sealer: c.Sealer, mayReach: c.MayReach, frequencies: c.Frequencies,
		report: c.Report,
	}
}
