package vcd

import (
	"context"
	"time"
)

// ChangeVerdict is what somebody decided about a change wherever it occurs in a batch. It holds until somebody decides otherwise
// or undoes the review that it is part of.
type ChangeVerdict struct {
	Account, Batch ID
	Fingerprint    string
	Status         ComparisonStatus
	Review         ID
	Reviewer       Person // of the review
	CreatedAt      time.Time
}

// ChangeVerdictStore keeps what was decided about changes. Whoever changes it holds the lock of the batch.
type ChangeVerdictStore interface {
	// HasChange tells whether a batch has a change.
	HasChange(ctx context.Context, batch ID, fingerprint string) (bool, error)
	InsertChangeVerdict(ctx context.Context, v *ChangeVerdict) error
	// ChangeVerdicts are the verdicts that hold in each batch, by fingerprint.
	ChangeVerdicts(ctx context.Context, batches []ID) (map[ID]map[string]*ChangeVerdict, error)
	// LockJudgedChange locks the batch in which undoing a review would change a verdict on a change; nil if it would not.
	LockJudgedChange(ctx context.Context, review ID) (*Batch, error)
	// UndoChangeVerdict takes a review's verdict on a change back by another review, or gives it again if it is the one that
	// took it back.
	UndoChangeVerdict(ctx context.Context, undone, by ID) error
}
