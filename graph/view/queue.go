package view

import (
	"maps"
	"slices"

	"afterimage/vcd"
)

// QueueEntry shows a queue entry.
type QueueEntry struct {
	*vcd.QueueEntry
	links Links
}

// NewQueueEntry shows e.
func NewQueueEntry(e *vcd.QueueEntry, links Links) *QueueEntry { return &QueueEntry{e, links} }

// Reason is why the entry failed, in one word.
func (e *QueueEntry) Reason() *string { return nonEmpty(e.QueueEntry.Reason) }

// ErrorMsg is why the entry failed.
func (e *QueueEntry) ErrorMsg() *string { return nonEmpty(e.QueueEntry.ErrorMsg) }

// Notice is what the entry waits for.
func (e *QueueEntry) Notice() *string { return nonEmpty(e.QueueEntry.Notice) }

// SCType is what the entry does.
func (e *QueueEntry) SCType() vcd.QueueType { return e.Type }

// Confirmation reports whether the entry is to confirm a change.
func (e *QueueEntry) Confirmation() bool { return e.IsConfirmation() }

// URLLink is the page's address.
func (e *QueueEntry) URLLink() string { return e.URLAddress }

// Href is the page's address with its scheme.
func (e *QueueEntry) Href() string {
	return (&vcd.URL{Scheme: e.URLScheme, Address: e.URLAddress}).Href()
}

// ImageLink is the address of the entry's picture.
func (e *QueueEntry) ImageLink() *string { return e.links.Image(e.Image) }

// QueueEntryConnection is a page of queue entries with figures of the whole list.
type QueueEntryConnection struct {
	Connection[*QueueEntry]
	Figures vcd.QueueFigures
}

// AnyStatusCount is how many entries match the filter but for its states.
func (c *QueueEntryConnection) AnyStatusCount() int { return c.Figures.AnyStatus }

// StatusCounts counts the entries of the whole list.
func (c *QueueEntryConnection) StatusCounts() *QueueStatusCounts {
	return &QueueStatusCounts{c.Figures.All, c.Figures}
}

// StatusCountsByBatch counts them by batch, and within each by type.
func (c *QueueEntryConnection) StatusCountsByBatch() map[string]any {
	counts := make(map[string]any, len(c.Figures.ByBatch))
	for id, count := range c.Figures.ByBatch {
		counts[string(id)] = struct {
			vcd.StatusCounts
			ByType map[vcd.QueueType]vcd.StatusCounts `json:"by_type"`
		}{count, c.Figures.OfBatch(id)}
	}
	return counts
}

// QueueStatusCounts counts queue entries by state.
type QueueStatusCounts struct {
	vcd.StatusCounts
	figures vcd.QueueFigures
}

// ByType counts them for each type.
func (c *QueueStatusCounts) ByType() *TypeCounts {
	of := c.figures.ByType
	return &TypeCounts{
		Pre: of[vcd.QueuePre], Post: of[vcd.QueuePost], Auto: of[vcd.QueueAuto], Compare: of[vcd.QueueCompare],
	}
}

// ByBatch counts them for each batch, newest batch first.
func (c *QueueStatusCounts) ByBatch() []*BatchCounts {
	ids := slices.Sorted(maps.Keys(c.figures.ByBatch)) // ids sort by the time they were made
	slices.Reverse(ids)
	counts := make([]*BatchCounts, len(ids))
	for i, id := range ids {
		counts[i] = &BatchCounts{BatchID: id, Counts: c.figures.ByBatch[id]}
	}
	return counts
}

// TypeCounts counts queue entries of each type by state.
type TypeCounts struct {
	Pre, Post, Auto, Compare vcd.StatusCounts
}

// BatchCounts counts the queue entries of a batch by state.
type BatchCounts struct {
	BatchID vcd.ID
	Counts  vcd.StatusCounts
}
