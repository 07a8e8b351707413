package vcd

import "time"

// Config is what the use cases need of the outside, and their settings. Package app makes the use cases of it.
type Config struct {
	Store  Store  // required
	Feed   Feed   // nil where nothing is followed
	Clock  Clock  // nil for the system's
	IDs    IDs    // nil for random ones
	Sealer Sealer // nil where no secret is read or written
	Files  Files  // of the blob store; nil where no picture is read
	// MayCall tells whether a host and port may be sent requests, as far as that shows without resolving a name; nil for any.
	MayCall func(host string, port uint16) bool
	// ConfirmAfter is the pause before a page that changed in monitoring is captured again.
	ConfirmAfter time.Duration
	// RetryDelay is the pause before the second attempt at a capture; before the third it is twice that.
	RetryDelay time.Duration
	// TriggerWindow is how long a save waits for others before its group runs; 0 means DefaultTriggerWindow.
	TriggerWindow time.Duration
	// HostCaptures is how many pages of one host are captured at the same time, over all accounts and machines; 0 for any number.
	HostCaptures int
	// Frequencies bound what concerns others.
	Frequencies Frequencies
	// ModelBudget is about how many regions a model may be asked in one batch.
	ModelBudget int
	// Report hears of faults in background work that no caller can be told of; nil for nobody.
	Report func(error)
}

// Complete returns the configuration with everything filled in that may be left out.
func (c Config) Complete() Config {
	if c.Clock == nil {
		c.Clock = SystemClock{}
	}
	if c.IDs == nil {
		c.IDs = RandomIDs{}
	}
	if c.MayCall == nil {
		c.MayCall = func(string, uint16) bool { return true }
	}
	if c.TriggerWindow == 0 {
		c.TriggerWindow = DefaultTriggerWindow
	}
	if c.Report == nil {
		c.Report = func(error) {}
	}
	return c
}
