// Package review holds the use cases of reviewing changes: comparisons and their verdicts, pictures, feedback rules, and
// which updates caused the changes.
package review

import "afterimage/vcd"

// Service implements the use cases of reviewing changes: reading comparisons and screenshots, recording verdicts, managing
// and simulating feedback rules, and finding the updates that caused changes.
type Service struct {
	store Store
	clock vcd.Clock
	ids   vcd.IDs
	files vcd.Files

	sealer vcd.Sealer
}

// New returns the use cases for a complete configuration.
func New(c vcd.Config, store Store) *Service {
	return &Service{
		store: store, clock: c.Clock, ids: c.IDs, files: c.Files, sealer: c.Sealer,
	}
}
