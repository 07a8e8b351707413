package vcd

import (
	"context"
	"time"
)

// FlowTrialAge is how long a trial of a flow is kept, with its pictures.
const FlowTrialAge = time.Hour

// FlowTrial is a flow that is run once as it was sent, without being saved: on one device, up to one of its steps. It takes no screenshots,
// so nothing is compared or learned, and it counts as no check.
type FlowTrial struct {
	ID, Account ID
	WebsiteID   ID
	PersonID    ID // the user or the token that began it; empty for the system
	Device      Device
	Flow        *Flow // its definition, up to the last step that is tried, with the ids of its steps, and its secrets until it has begun
	Status      QueueStatus
	Error       string // why it failed before its first step, or was ended
	Steps       []FlowRunStep
	Pictures    map[int]*Image // of the window, by how many steps were done when they were taken
	CreatedAt   time.Time
	FinishedAt  *time.Time
}

// Failure says which step failed, and why, or why the trial was ended; empty if it did not fail.
func (t *FlowTrial) Failure() string {
	if t.Error != "" {
		return t.Error
	}
	return (&FlowRun{Steps: t.Steps}).Failure()
}

// ExpiresAt is when it is removed.
func (t *FlowTrial) ExpiresAt() time.Time { return t.CreatedAt.Add(FlowTrialAge) }

// TrialEnder is what EndFlowTrial, StopFlowTrial and StopFlowTrials need of a transaction.
type TrialEnder interface {
	LockRunningTrials(ctx context.Context, of *ID) ([]*FlowTrial, error)
	CancelJobs(ctx context.Context, entries ...ID) error
	UpdateFlowTrial(ctx context.Context, t *FlowTrial) error
	EndTurn(ctx context.Context, subject ID) error
	AppendEvents(ctx context.Context, events ...*Event) error
}

// EndFlowTrial stores the end of a trial, which is locked, and announces it.
func EndFlowTrial(ctx context.Context, tx TrialEnder, t *FlowTrial) error {
	if err := tx.UpdateFlowTrial(ctx, t); err != nil {
		return err
	}
	if err := tx.EndTurn(ctx, t.ID); err != nil {
		return err
	}
	return tx.AppendEvents(ctx, NewEvent(*t.FinishedAt, EventFlowTrialUpdated, SubjectFlowTrial, t.ID))
}

// StopFlowTrials ends the running trials, of all people or of one, and stores the reason.
func StopFlowTrials(ctx context.Context, tx TrialEnder, of *ID, now time.Time, why string) error {
	running, err := tx.LockRunningTrials(ctx, of)
	if err != nil {
		return err
	}
	for _, t := range running {
		if err := StopFlowTrial(ctx, tx, t, now, why); err != nil {
			return err
		}
	}
	return nil
}

// StopFlowTrial ends a running trial, which is locked, and stores the reason.
func StopFlowTrial(ctx context.Context, tx TrialEnder, t *FlowTrial, now time.Time, why string) error {
	t.Status, t.Error, t.FinishedAt = QueueFailed, why, &now
	if err := EndFlowTrial(ctx, tx, t); err != nil {
		return err
	}
	return tx.CancelJobs(ctx, t.ID)
}
