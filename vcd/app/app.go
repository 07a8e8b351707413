// Package app assembles the use cases: each room of the domain is made once, with the rooms below it.
package app

import (
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

// Service is all use cases. It does not change.
type Service struct {
	Accounts  *account.Service
	Inventory *inventory.Service
	Runs      *run.Service
	Reviews   *review.Service
	Outbound  *outbound.Service

	config vcd.Config
}

// New makes the use cases. It panics without a store, which is a mistake of the program.
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

// Config is what the use cases were made with, complete.
func (s *Service) Config() vcd.Config { return s.config }

// With makes use cases that differ in their configuration.
func (s *Service) With(change func(*vcd.Config)) *Service {
	config := s.config
	change(&config)
	return New(config)
}
