package view

import (
	"afterimage/vcd"
)

// Batch shows a batch.
type Batch struct {
	*vcd.Batch
}

// NewBatch shows b.
func NewBatch(b *vcd.Batch) *Batch { return &Batch{b} }

// ComparisonsCount is the batch's comparisons by state.
func (b *Batch) ComparisonsCount() vcd.ComparisonCounts { return b.Batch.Comparisons }

// QueuesCount is the batch's queue entries by state.
func (b *Batch) QueuesCount() vcd.StatusCounts { return b.Counts }

// WebsiteDomains are the domains of the websites of the batch's groups.
func (b *Batch) WebsiteDomains() []string { return b.Domains }

// BrowserConsoleCount is zeros for accounts without console comparison.
func (b *Batch) BrowserConsoleCount() vcd.ConsoleCounts {
	if !b.Features.BrowserConsole {
		return vcd.ConsoleCounts{}
	}
	return b.Console
}

// BatchProgress is a step of a batch. The first one of a stream has no event.
type BatchProgress struct {
	Number   int64
	Event    *Event
	BatchID  vcd.ID
	Counts   *vcd.StatusCounts
	Finished bool
}
