package vcd

import "time"

// Config holds the settings and external dependencies of the use cases. Package app builds the use cases from it.
type Config struct {
	Feed   Feed   // nil when nothing is watched
	Clock  Clock  // nil for the system's
	IDs    IDs    // nil for random ones
	Sealer Sealer // nil when no secret is read or written
	Files  Files  // of the blob store; nil when no picture is read
	// MayReach reports whether requests may be sent to a host and port, judged without resolving names; nil allows any. It
	// lets an address that can never be reached be refused when it is given; every connection is decided on when dialled.
	MayReach func(host string, port uint16) bool
	// ConfirmAfter is the pause before a page that changed in monitoring is captured again.
	ConfirmAfter time.Duration
	// RetryDelay is the pause before the second attempt at a capture; before the third it is twice that.
	RetryDelay time.Duration
	// TriggerWindow is how long a save waits for further saves before its group runs; 0 means DefaultTriggerWindow.
	TriggerWindow time.Duration
	// HostCaptures limits concurrent captures of one host, across all accounts and machines; 0 means unlimited.
	HostCaptures int
	// PlansURL is where owners of accounts choose a plan; empty if plans cannot be chosen.
	PlansURL string
	// Frequencies limit what affects others.
	Frequencies Frequencies
	// ModelBudget is approximately how many regions a model may be asked about in one batch.
	ModelBudget int
	// Report receives faults in background work that cannot be reported to a caller; nil discards them.
	Report func(error)
}

// Complete returns the configuration with defaults for the optional fields.
func (c Config) Complete() Config {
	if c.Clock == nil {
		c.Clock = SystemClock{}
	}
	if c.IDs == nil {
		c.IDs = RandomIDs{}
	}
	if c.MayReach == nil {
		c.MayReach = func(string, uint16) bool { return true }
	}
	if c.TriggerWindow == 0 {
		c.TriggerWindow = DefaultTriggerWindow
	}
	if c.Report == nil {
		c.Report = func(error) {}
	}
	return c
}
