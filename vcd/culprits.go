package vcd

import "context"

// TraceStore keeps what changed of pages that leads to what was updated. Comparisons are stored with theirs.
type TraceStore interface {
	// TracedPagesOfBatches reads the comparisons of each batch, at most so many: those that changed come first.
	TracedPagesOfBatches(ctx context.Context, batches []ID, most int) (map[ID][]*TracedPage, error)
	TracedPages(ctx context.Context, comparisons []ID) ([]*TracedPage, error)
	// UpdateResultsOf reads those of the batches that have some.
	UpdateResultsOf(ctx context.Context, batches []ID) (map[ID]*UpdateResults, error)
}
