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

	config vcd.Config
}

// New creates the use cases. It panics without a store, which is a programming error.
func New(config vcd.Config) *Service {
	if config.Store == nil {
		panic("the use cases need a store")
	}
	config = config.Complete()
	c := config
	c.Store = limited{config.Store}
	s := &Service{config: config}
	s.Reviews = review.New(c)
	s.Inventory = inventory.New(c, s.Reviews)
	s.Runs = run.New(c, s.Inventory, s.Reviews)
	s.Accounts = account.New(c, s.Inventory, s.Runs)
	s.Outbound = outbound.New(c)
	return s
}

// Config is the complete configuration of the use cases.
func (s *Service) Config() vcd.Config { return s.config }

// With creates use cases with a changed configuration.
func (s *Service) With(change func(*vcd.Config)) *Service {
	config := s.config
	change(&config)
	return New(config)
}
