package vcdtest

import (
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

// NoStore stores nothing: whoever asks a room of it panics. Fakes embed it and have the rooms that are asked.
type NoStore struct{}

// ForAccounts implements app.Store.
func (NoStore) ForAccounts() account.Store { return nil }

// ForInventory implements app.Store.
func (NoStore) ForInventory() inventory.Store { return nil }

// ForOutbound implements app.Store.
func (NoStore) ForOutbound() outbound.Store { return nil }

// ForReviews implements app.Store.
func (NoStore) ForReviews() review.Store { return nil }

// ForRuns implements app.Store.
func (NoStore) ForRuns() run.Store { return nil }
