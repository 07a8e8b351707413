package run

import (
	"context"
	"net/url"
	"time"

	"afterimage/vcd"
)

// A trial of a flow waits for its turn and is carried out like a capture. It has no queue entry and no batch: nothing is stored of it but
// its own row and its pictures, and nothing repeats it.

// trialStores keeps trials of flows of all accounts.
type trialStores interface {
	// Trials runs transactions on the trials of an account.
	Trials() vcd.Store[TrialTx]
	// RemoveFlowTrials deletes up to limit trials that were begun before the given time, with their pictures and turns.
	RemoveFlowTrials(ctx context.Context, before time.Time, limit int) (int, error)
}

// TrialTx is what a use case about trials of flows can do within a transaction.
type TrialTx interface {
	Account(ctx context.Context) (*vcd.Account, error)
	Website(ctx context.Context, id vcd.ID) (*vcd.Website, error)
	OwnGroup(ctx context.Context, id vcd.ID) (*vcd.Group, error)
	LockFlowTrial(ctx context.Context, id vcd.ID) (*vcd.FlowTrial, error)
	// LockRunningTrials locks the trials that have not ended, of all or of one person.
	LockRunningTrials(ctx context.Context, of *vcd.ID) ([]*vcd.FlowTrial, error)
	// UpdateFlowTrial stores status, error, steps and end, and forgets the secrets.
	UpdateFlowTrial(ctx context.Context, t *vcd.FlowTrial) error
	// AddTrialPicture stores a picture that was taken when so many steps were done.
	AddTrialPicture(ctx context.Context, trial vcd.ID, stepsDone int, img *vcd.Image) error
	// EndTurn records that a trial no longer waits for a worker or has one.
	EndTurn(ctx context.Context, subject vcd.ID) error
	eventStore
	queue
}

const interruptedTrial = "The trial was interrupted. It is not repeated, because its steps may have changed something: start it again."

// beginTrial marks a trial as processing. One that had begun before was interrupted, and ends. When there is nothing left to do, it
// completes the job and returns nil.
func (s *Service) beginTrial(ctx context.Context, actor vcd.Actor, id vcd.ID) (*CaptureTask, error) {
	return vcd.Write(ctx, s.store.Trials(), actor, func(ctx context.Context, tx TrialTx) (*CaptureTask, error) {
		t, err := vcd.OrGone(tx.LockFlowTrial(ctx, id))
		switch {
		case err != nil:
			return nil, err
		case t == nil || t.Status.Ended():
			return nil, tx.CompleteJob(ctx)
		case t.Status == vcd.QueueProcessing:
			return nil, s.endTrial(ctx, tx, t, t.Steps, interruptedTrial)
		}
		a, err := tx.Account(ctx)
		if err != nil {
			return nil, err
		}
		if err := a.MayRun(); err != nil {
			return nil, s.endTrial(ctx, tx, t, nil, err.Error())
		}
		task, err := s.trialTask(ctx, tx, t)
		if err != nil {
			return nil, err
		}
		t.Status = vcd.QueueProcessing
		if err := tx.UpdateFlowTrial(ctx, t); err != nil {
			return nil, err
		}
		return task, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventFlowTrialUpdated, vcd.SubjectFlowTrial, t.ID))
	})
}

// trialTask collects what a worker needs in order to try a flow: pages are visited as the website's groups visit them.
func (s *Service) trialTask(ctx context.Context, tx TrialTx, t *vcd.FlowTrial) (*CaptureTask, error) {
	secrets, err := t.Flow.Secrets(s.sealer)
	if err != nil {
		return nil, err
	}
	start, err := url.Parse(t.Flow.Definition.Start)
	if err != nil {
		return nil, err
	}
	task := &CaptureTask{Trial: t, Device: t.Device, Flow: &FlowTask{Flow: t.Flow, Secrets: secrets}, Address: start.Host + start.Path}
	w, err := tx.Website(ctx, t.WebsiteID)
	if err != nil {
		return nil, err
	}
	for _, id := range w.GroupIDs() {
		g, err := vcd.OrGone(tx.OwnGroup(ctx, id))
		if err != nil {
			return nil, err
		}
		if g != nil {
			return task, s.visitAs(task, g)
		}
	}
	return task, nil
}

// ContinueTrial returns ErrStopped if a trial has ended: its person began another one, or it was removed.
func (s *Service) ContinueTrial(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.Trials().InTx(ctx, actor, func(ctx context.Context, tx TrialTx) error {
		_, err := runningTrial(ctx, tx, id)
		return err
	})
}

// runningTrial locks a trial. The error is ErrStopped if it has ended.
func runningTrial(ctx context.Context, tx TrialTx, id vcd.ID) (*vcd.FlowTrial, error) {
	t, err := vcd.OrGone(tx.LockFlowTrial(ctx, id))
	if err == nil && (t == nil || t.Status.Ended()) {
		err = ErrStopped
	}
	return t, err
}

// AddTrialPicture stores a picture of the window, taken when so many steps were done. The error is ErrStopped if the trial has ended.
func (s *Service) AddTrialPicture(ctx context.Context, actor vcd.Actor, id vcd.ID, stepsDone int, p Picture) error {
	return s.store.Trials().InTx(ctx, actor, func(ctx context.Context, tx TrialTx) error {
		t, err := runningTrial(ctx, tx, id)
		if err != nil {
			return err
		}
		return tx.AddTrialPicture(ctx, t.ID, stepsDone, s.newImage(actor.Account, p))
	})
}

// NoteTrialSteps stores which steps of a trial have ended, and announces it.
func (s *Service) NoteTrialSteps(ctx context.Context, actor vcd.Actor, id vcd.ID, steps []vcd.FlowRunStep) error {
	return s.store.Trials().InTx(ctx, actor, func(ctx context.Context, tx TrialTx) error {
		t, err := runningTrial(ctx, tx, id)
		if err != nil {
			return err
		}
		t.Steps = steps
		if err := tx.UpdateFlowTrial(ctx, t); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventFlowTrialUpdated, vcd.SubjectFlowTrial, t.ID))
	})
}

// FinishTrial stores what became of a trial, and completes the job. The failure says why it failed before its first step, or could not go
// on; empty otherwise. One that has already ended stays unchanged.
func (s *Service) FinishTrial(ctx context.Context, actor vcd.Actor, id vcd.ID, steps []vcd.FlowRunStep, failure string) error {
	_, err := s.finishTrial(ctx, actor, id, steps, failure)
	return err
}

// finishTrial is FinishTrial that tells whether there is such a trial. Without steps, those that are stored stay.
func (s *Service) finishTrial(
	ctx context.Context, actor vcd.Actor, id vcd.ID, steps []vcd.FlowRunStep, failure string,
) (found bool, err error) {
	return vcd.Write(ctx, s.store.Trials(), actor, func(ctx context.Context, tx TrialTx) (bool, error) {
		t, err := vcd.OrGone(tx.LockFlowTrial(ctx, id))
		switch {
		case err != nil || t == nil:
			return false, err
		case t.Status.Ended():
			return true, tx.CompleteJob(ctx)
		case steps == nil:
			steps = t.Steps
		}
		return true, s.endTrial(ctx, tx, t, steps, failure)
	})
}

// endTrial ends a trial, which is locked, and the job.
func (s *Service) endTrial(ctx context.Context, tx TrialTx, t *vcd.FlowTrial, steps []vcd.FlowRunStep, failure string) error {
	now := s.clock.Now()
	t.Status, t.Error, t.Steps, t.FinishedAt = vcd.QueueDone, failure, steps, &now
	if t.Failure() != "" {
		t.Status = vcd.QueueFailed
	}
	if err := vcd.EndFlowTrial(ctx, tx, t); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}

// stopTrials ends all trials of an account that may no longer run.
func (s *Service) stopTrials(ctx context.Context, actor vcd.Actor, why string) error {
	return s.store.Trials().InTx(ctx, actor, func(ctx context.Context, tx TrialTx) error {
		return vcd.StopFlowTrials(ctx, tx, nil, s.clock.Now(), why)
	})
}
