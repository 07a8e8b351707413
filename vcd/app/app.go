// Package app assembles the use cases: it creates each room of the domain once and passes it the rooms it depends on.
package app

import (
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

// Service bundles all use cases. It is immutable.
type Service struct {
	Accounts  *account.Service
	Inventory *inventory.Service
	Runs      *run.Service
	Reviews   *review.Service
	Outbound  *outbound.Service

	config Config
}

// Config is what the use cases are made from.
type Config struct {
	vcd.Config

	Store Store // required
}

// New creates the use cases. It panics without a store, which is a programming error.
func New(config Config) *Service {
	if config.Store == nil {
		panic("the use cases need a store")
	}
	config.Config = config.Complete()
	s := &Service{config: config}
	c, store := config.Config, config.Store
	s.Reviews = review.New(c, limitedReviews{store.ForReviews()})
	s.Inventory = inventory.New(c, limitedInventory{store.ForInventory()}, s.Reviews)
	s.Runs = run.New(c, limitedRuns{store.ForRuns()}, s.Inventory, s.Reviews)
	s.Accounts = account.New(c, limitedAccounts{store.ForAccounts()}, s.Inventory, s.Runs)
	s.Outbound = outbound.New(c, limitedOutbound{store.ForOutbound()})
	return s
}

// Config is the complete configuration of the use cases.
func (s *Service) Config() Config { return s.config }

// With creates use cases with a changed configuration.
func (s *Service) With(change func(*Config)) *Service {
	config := s.config
	change(&config)
	return New(config)
}
