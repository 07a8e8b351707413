package vcd

import (
	"context"
	"time"
)

// Reasons, worded for the site's owner, why entries ended early.
const (
	BatchCancelled   = "The run was cancelled."
	accountPaused    = "Cancelled because the account was paused."
	accountCancelled = "Cancelled because the account was cancelled."
)

// BatchEndStore ends and reopens many entries of a batch at once.
type BatchEndStore interface {
	// LockUnended locks up to limit unended entries of a batch: first those in work, and of both kinds screenshots first.
	LockUnended(ctx context.Context, batch ID, limit int) ([]*QueueEntry, error)
	// LockWithdrawn locks up to limit open screenshots of a batch whose pages are no longer in their group, but for confirmations, and
	// the comparisons that wait for them.
	LockWithdrawn(ctx context.Context, batch ID, limit int) (shots, comparisons []*QueueEntry, err error)
	// LockFailed locks the failed entries of a batch except confirmations, screenshots first.
	LockFailed(ctx context.Context, batch ID) ([]*QueueEntry, error)
	// LockComparisonsBeyond locks the comparisons of other batches that wait for a baseline at the place of one of the
	// entries.
	LockComparisonsBeyond(ctx context.Context, batch ID, entries []*QueueEntry) ([]*QueueEntry, error)
	// EndEntries stores the state and reason that the entries share and ends their turns and jobs, see EndTurn.
	EndEntries(ctx context.Context, entries []*QueueEntry) error
	// ReopenEntries resets entries to open with no attempts made.
	ReopenEntries(ctx context.Context, entries []*QueueEntry) error
	// DispatchReady marks those of the open comparisons dispatched whose screenshot is final and whose baseline exists and is not
	// about to be superseded, and returns them.
	DispatchReady(ctx context.Context, comparisons []ID) ([]ID, error)
	// StopBatches marks all batches of the account that have not finished as cancelled, and returns those that were not.
	StopBatches(ctx context.Context, now time.Time) ([]ID, error)
	// UnfinishedBatches lists the account's batches that have not finished, oldest first.
	UnfinishedBatches(ctx context.Context, limit int) ([]ID, error)
	// UnendedImports lists the account's imports that have started and not ended.
	UnendedImports(ctx context.Context, limit int) ([]ID, error)
}

// CancelledBatch is a batch to be ended, with the state of its account.
type CancelledBatch struct {
	Account, Batch ID
	Status         AccountStatus
}

// CancelledImport is an import of an account that may no longer run.
type CancelledImport struct {
	Account, Import ID
	Status          AccountStatus
}

// EndedBecause is the reason why work ends for an account in the given state.
func EndedBecause(s AccountStatus) string {
	switch s {
	case AccountPaused:
		return accountPaused
	case AccountCancelled:
		return accountCancelled
	}
	return BatchCancelled
}
