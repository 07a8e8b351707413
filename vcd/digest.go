package vcd

// GroupEnds is how the entries of a group ended in a batch.
type GroupEnds struct {
	Compared, Failed int // comparisons made, screenshots failed
}
