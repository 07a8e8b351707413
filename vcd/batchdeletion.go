package vcd

// DeletedBatch is a hidden batch, of which something is left.
type DeletedBatch struct{ Account, Batch ID }
