package view

import "afterimage/vcd"

// Event shows an event.
type Event struct {
	*vcd.Event
}

// NewEvent shows e.
func NewEvent(e *vcd.Event) *Event { return &Event{e} }

// EventPage is a run of events.
type EventPage struct {
	Nodes       []*Event
	EndNumber   int64
	HasNextPage bool
}
