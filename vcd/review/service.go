// Package review holds the use cases of looking at what changed: comparisons and their verdicts, pictures, feedback rules, and which
// updates are to blame.
package review

import "afterimage/vcd"

// Service holds the use cases of this room.
type Service struct {
	store vcd.Store
	clock vcd.Clock
	ids   vcd.IDs
	files vcd.Files
}

// New returns the use cases on top of the ports and settings of a complete configuration.
func New(c vcd.Config) *Service {
	return &Service{
		store: c.Store, clock: c.Clock, ids: c.IDs, files: c.Files,
	}
}
