package vcd

import (
	"context"
	"time"
)

// BatchDeletionStore deletes batches. First a batch is hidden, in one step whatever its size; then its rows are removed, some at a
// time.
type BatchDeletionStore interface {
	// BatchesComparedWith counts the other batches with comparisons that show a screenshot of this one.
	BatchesComparedWith(ctx context.Context, id ID) (int, error)
	// HideBatch makes a batch, and all that it holds, unknown to everything but the methods below.
	HideBatch(ctx context.Context, id ID, now time.Time) error
	// RemoveHidden removes up to limit entries of a hidden batch with what they made, and returns how many. What comparisons of other
	// batches show stays until these are gone. Files of pictures are removed later, by the sweeper.
	RemoveHidden(ctx context.Context, id ID, limit int) (removed int, err error)
	// RemoveEmptied removes a hidden batch that has no entries any more; otherwise it returns false.
	RemoveEmptied(ctx context.Context, id ID) (gone bool, err error)
}

// DeletedBatchStore is used across accounts by the processes that work.
type DeletedBatchStore interface {
	// DeletedBatches lists hidden batches, those first that were hidden first.
	DeletedBatches(ctx context.Context, limit int) ([]DeletedBatch, error)
}

// DeletedBatch is a hidden batch, of which something is left.
type DeletedBatch struct{ Account, Batch ID }
