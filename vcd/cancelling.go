package vcd

import "context"

// Why entries are ended before their time, for the site's owner.
const (
	BatchCancelled   = "The run was cancelled."
	accountPaused    = "Cancelled because the account was paused."
	accountCancelled = "Cancelled because the account was cancelled."
)

// BatchEndStore ends and opens many entries of a batch at once.
type BatchEndStore interface {
	// LockUnended locks up to limit entries of a batch that have not ended, those of screenshots first.
	LockUnended(ctx context.Context, batch ID, limit int) ([]*QueueEntry, error)
	// LockFailed locks the entries of a batch that have failed, those of screenshots first, but for confirmations.
	LockFailed(ctx context.Context, batch ID) ([]*QueueEntry, error)
	// LockComparisonsBeyond locks the comparisons of other batches that wait for a baseline at the place of an entry.
	LockComparisonsBeyond(ctx context.Context, batch ID, entries []*QueueEntry) ([]*QueueEntry, error)
	// EndEntries stores the state and the reason that entries have in common, and EndTurn of them, with their jobs.
	EndEntries(ctx context.Context, entries []*QueueEntry) error
	// ReopenEntries stores that entries are open again as if they had never been tried.
	ReopenEntries(ctx context.Context, entries []*QueueEntry) error
	// UnfinishedBatches lists the account's batches that have not finished, oldest first.
	UnfinishedBatches(ctx context.Context, limit int) ([]ID, error)
	// UnendedImports lists the account's imports that were started and have not ended.
	UnendedImports(ctx context.Context, limit int) ([]ID, error)
}

// CancelledBatch is a batch that is to be ended, with the state of its account.
type CancelledBatch struct {
	Account, Batch ID
	Status         AccountStatus
}

// EndedBecause says why the work of an account in some state ends.
func EndedBecause(s AccountStatus) string {
	switch s {
	case AccountPaused:
		return accountPaused
	case AccountCancelled:
		return accountCancelled
	}
	return BatchCancelled
}
