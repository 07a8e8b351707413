package view

import "afterimage/vcd/outbound"

// AccountLive shows what goes on in an account.
type AccountLive struct {
	*outbound.Live
}

// NewAccountLive shows l.
func NewAccountLive(l *outbound.Live) *AccountLive { return &AccountLive{l} }

// Events is what has happened since the message before.
func (l *AccountLive) Events() []*Event {
	events := make([]*Event, len(l.Live.Events))
	for i, e := range l.Live.Events {
		events[i] = NewEvent(e)
	}
	return events
}

// Runs are the batches under way.
func (l *AccountLive) Runs() []*Batch {
	runs := make([]*Batch, len(l.Live.Runs))
	for i, b := range l.Live.Runs {
		runs[i] = NewBatch(b)
	}
	return runs
}
