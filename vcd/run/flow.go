package run

import (
	"context"
	"errors"

	"afterimage/vcd"
)

// A flow runs once for each device of a batch, in the turn of one of its checkpoints: that entry leads. The others follow it, without
// turns of their own, and end with it.

// reasonFlow is why a checkpoint was not captured: its flow did not come to it.
const reasonFlow = "flow_failed"

// FlowTask is what a worker needs in order to run the flow of a checkpoint.
type FlowTask struct {
	Flow    *vcd.Flow
	Secrets vcd.FlowSecrets
	Entries map[int]*vcd.QueueEntry // that wait for its checkpoints, by the positions of their steps

	interrupted int // the step that changes something after which the run was interrupted, counted from 1; 0 if it was not
}

// FlowResult is what became of a flow.
type FlowResult struct {
	Shots map[vcd.ID]CaptureResult // by entry; those that the flow did not come to are missing
	Steps []vcd.FlowRunStep
	Last  *Picture // of the window when a step failed; nil if there is none
}

// failure says which step failed; empty if none did.
func (r *FlowResult) failure() string { return (&vcd.FlowRun{Steps: r.Steps}).Failure() }

// flowTask completes the task of a checkpoint; nil when there is no such flow any more, and for probes: a flow does not run only to learn
// what varies.
func (s *Service) flowTask(ctx context.Context, tx Tx, task *CaptureTask, e *vcd.QueueEntry) (*CaptureTask, error) {
	if e.ID == "" {
		return nil, nil
	}
	f, err := vcd.OrGone(tx.OfFlows().FlowOfCheckpoint(ctx, e.URLID))
	if f == nil {
		return nil, err
	}
	secrets, err := f.Secrets(s.sealer)
	if err != nil {
		return nil, err
	}
	entries := []*vcd.QueueEntry{e}
	if e.Leads() {
		followers, err := tx.OfFlows().LockFollowers(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		entries = append(entries, followers...)
	}
	checkpoints, err := tx.OfFlows().FlowCheckpoints(ctx, f.ID)
	if err != nil {
		return nil, err
	}
	task.Flow = &FlowTask{Flow: f, Secrets: secrets, Entries: entriesOfSteps(f, checkpoints, entries)}
	if e.IsConfirmation() {
		return task, nil
	}
	changes, err := tx.OfFlows().FlowChanges(ctx, e.BatchID)
	if change := changes[e.ID]; err != nil || change.Step > 0 && !change.Over {
		task.Flow.interrupted = min(change.Step, len(f.StepIDs)) // it may have fewer steps by now
		return task, err
	}
	return task, tx.OfFlows().BeginFlowRun(ctx, &vcd.FlowRun{
		ID: s.ids.NewID(), FlowID: f.ID, BatchID: e.BatchID, GroupID: e.GroupID, EntryID: e.ID, Device: e.Device, Type: e.Type,
		CreatedAt: e.CreatedAt,
	})
}

// entriesOfSteps finds the entries that wait for the steps of a flow.
func entriesOfSteps(f *vcd.Flow, checkpoints []vcd.FlowCheckpoint, entries []*vcd.QueueEntry) map[int]*vcd.QueueEntry {
	steps := make(map[vcd.ID]vcd.ID, len(checkpoints)) // by URL
	for _, c := range checkpoints {
		steps[c.URLID] = c.StepID
	}
	waiting := make(map[vcd.ID]*vcd.QueueEntry, len(entries)) // by step
	for _, e := range entries {
		waiting[steps[e.URLID]] = e
	}
	found := make(map[int]*vcd.QueueEntry, len(entries))
	for _, i := range f.CheckpointSteps() {
		if e := waiting[f.StepIDs[i]]; e != nil {
			found[i] = e
		}
	}
	return found
}

// ErrStopped ends a flow before its next step: its entry has ended, because the batch was cancelled.
var ErrStopped = errors.New("the run of the flow was stopped")

// BeginChange stores that a step that changes something is about to begin, counted from 1: from then on the flow is not repeated unasked,
// even if this process is killed. The error is ErrStopped if the step must not begin.
func (s *Service) BeginChange(ctx context.Context, actor vcd.Actor, entry vcd.ID, step int) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		e, err := vcd.OrGone(tx.LockQueueEntry(ctx, entry))
		switch {
		case err != nil:
			return err
		case e == nil || e.Status.Ended():
			return ErrStopped
		}
		return tx.OfFlows().NoteFlowChange(ctx, e.BatchID, e.ID, step)
	})
}

// NoteFlowSteps stores which steps of a flow that goes on have ended, and announces it. Nothing is stored of one that is over.
func (s *Service) NoteFlowSteps(ctx context.Context, actor vcd.Actor, entry vcd.ID, steps []vcd.FlowRunStep) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		e, err := vcd.OrGone(tx.LockQueueEntry(ctx, entry))
		if err != nil || e == nil || e.Status.Ended() {
			return err
		}
		id, err := tx.OfFlows().NoteFlowSteps(ctx, e.BatchID, e.ID, steps)
		if err != nil || id == "" {
			return err
		}
		b, err := tx.LockBatch(ctx, e.BatchID)
		if err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), vcd.EventFlowRunUpdated, vcd.SubjectFlowRun, id, b))
	})
}

// FinishFlow stores the screenshots of a flow, ends the entries of its checkpoints and completes the job, all in one commit. Those that the
// flow did not come to fail. An entry that has already ended stays unchanged.
func (s *Service) FinishFlow(ctx context.Context, actor vcd.Actor, entry vcd.ID, r FlowResult) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return err
		}
		return s.finishFlow(ctx, tx, e, &r)
	})
}

func (s *Service) finishFlow(ctx context.Context, tx Tx, e *vcd.QueueEntry, r *FlowResult) error {
	entries, waiting, err := lockFlow(ctx, tx, e)
	if err != nil {
		return err
	}
	for _, one := range entries {
		if err := s.keepCheckpoint(ctx, tx, one, r); err != nil {
			return err
		}
	}
	if err := s.endFlowRun(ctx, tx, e, r, ""); err != nil {
		return err
	}
	for i, one := range entries {
		to := vcd.QueueDone
		if one.Reason != "" {
			to = vcd.QueueFailed
		}
		if err := s.settle(ctx, tx, one, waiting[i], to); err != nil {
			return err
		}
	}
	return tx.CompleteJob(ctx)
}

// interruptedResult is what became of a flow that was interrupted once a step had begun that changes something.
func (t *FlowTask) interruptedResult() *FlowResult {
	r := &FlowResult{Steps: make([]vcd.FlowRunStep, len(t.Flow.StepIDs))}
	for i := range r.Steps {
		s := &t.Flow.Definition.Steps[i]
		step := vcd.FlowRunStep{ID: t.Flow.StepIDs[i], Type: vcd.StepType(s), Label: s.Label, Does: s.Does(), Status: vcd.StepSkipped}
		switch {
		case i+1 < t.interrupted:
			step.Status = vcd.StepPassed
		case i+1 == t.interrupted:
			step.Status, step.Error = vcd.StepFailed, "The run was interrupted after this step had begun. It is not repeated, because the "+
				"step changes something: retry the run with changes allowed."
		}
		if e := t.Entries[i]; e != nil {
			step.Entry = &e.ID
		}
		r.Steps[i] = step
	}
	return r
}

// lockFlow locks the entries that end with e, e last, and the comparisons that wait for each: before the batch, see LockBatch.
func lockFlow(ctx context.Context, tx Tx, e *vcd.QueueEntry) (entries []*vcd.QueueEntry, waiting [][]*vcd.QueueEntry, err error) {
	if e.Leads() {
		if entries, err = tx.OfFlows().LockFollowers(ctx, e.ID); err != nil {
			return nil, nil, err
		}
	}
	entries = append(entries, e)
	waiting = make([][]*vcd.QueueEntry, len(entries))
	for i, one := range entries {
		if waiting[i], err = tx.LockComparisonsOn(ctx, one); err != nil {
			return nil, nil, err
		}
	}
	return entries, waiting, nil
}

// keepCheckpoint stores the screenshot of a checkpoint, or notes why there is none.
func (s *Service) keepCheckpoint(ctx context.Context, tx Tx, e *vcd.QueueEntry, r *FlowResult) error {
	shot, ok := r.Shots[e.ID]
	if !ok {
		e.Reason, e.ErrorMsg = reasonFlow, r.failure()
		if e.ErrorMsg == "" { // the flow was changed meanwhile
			e.Reason, e.ErrorMsg = reasonWithdrawn, "The checkpoint was removed from its flow before the screenshot was taken."
		}
		return tx.RecordCrawl(ctx, vcd.Crawl{URLID: e.URLID, At: s.clock.Now()})
	}
	crawl := vcd.Crawl{URLID: e.URLID, Address: shot.Address, At: s.clock.Now(), OK: true, StatusCode: shot.StatusCode}
	if err := tx.RecordCrawl(ctx, crawl); err != nil {
		return err
	}
	shot.Title = vcd.Shown(shot.Title)
	e.SCVersion = shot.SCVersion
	return tx.InsertScreenshot(ctx, s.screenshot(e, shot))
}

// endFlow ends an entry that leads, without a screenshot. The others fail for the same reason. If only its own checkpoint is gone, another
// leads.
func (s *Service) endFlow(ctx context.Context, tx Tx, e *vcd.QueueEntry) error {
	entries, waiting, err := lockFlow(ctx, tx, e)
	if err != nil {
		return err
	}
	last := len(entries) - 1
	if e.Reason == reasonWithdrawn && last > 0 {
		if err := s.lead(ctx, tx, entries[:last]); err != nil {
			return err
		}
		return s.settleCapture(ctx, tx, e, waiting[last], vcd.QueueFailed)
	}
	if err := s.endFlowRun(ctx, tx, e, &FlowResult{}, e.ErrorMsg); err != nil {
		return err
	}
	for i, one := range entries {
		one.Reason, one.ErrorMsg = e.Reason, e.ErrorMsg
		if err := s.settle(ctx, tx, one, waiting[i], vcd.QueueFailed); err != nil {
			return err
		}
	}
	return tx.CompleteJob(ctx)
}

// endFlowRun stores what became of the run of a flow, and announces a failure: before its entries end, and with them perhaps the batch. A
// confirmation has no run.
func (s *Service) endFlowRun(ctx context.Context, tx Tx, e *vcd.QueueEntry, r *FlowResult, failure string) error {
	if e.IsConfirmation() {
		return nil
	}
	now := s.clock.Now()
	ended := &vcd.FlowRun{EntryID: e.ID, Status: vcd.QueueDone, Error: failure, Steps: r.Steps, FinishedAt: &now}
	if r.Last != nil {
		ended.Image = s.newImage(e.Account, *r.Last)
	}
	if ended.Failure() != "" {
		ended.Status = vcd.QueueFailed
	}
	id, err := tx.OfFlows().EndFlowRun(ctx, ended)
	if err != nil || id == "" || ended.Status != vcd.QueueFailed || e.Reason == reasonWithdrawn {
		return err
	}
	b, err := tx.LockBatch(ctx, e.BatchID)
	if err != nil {
		return err
	}
	return tx.AppendEvents(ctx, vcd.NewBatchEvent(now, vcd.EventFlowFailed, vcd.SubjectFlowRun, id, b))
}

// lead makes the first of several open checkpoints of a flow lead the others, and queues it.
func (s *Service) lead(ctx context.Context, tx Tx, entries []*vcd.QueueEntry) error {
	ids := make([]vcd.ID, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
		e.LeaderID, e.Dispatched = &entries[0].ID, i == 0
	}
	if err := tx.OfFlows().Lead(ctx, ids[0], ids); err != nil {
		return err
	}
	return tx.QueueUp(ctx, s.clock.Now(), ids[0])
}

// reopenFlows makes one of the reopened checkpoints of each flow lead, and returns the other screenshots.
func (s *Service) reopenFlows(ctx context.Context, tx Tx, shots []*vcd.QueueEntry) (others []vcd.ID, err error) {
	var leaders []vcd.ID
	flows := map[vcd.ID][]*vcd.QueueEntry{}
	for _, e := range shots {
		if e.LeaderID == nil {
			others = append(others, e.ID)
			continue
		}
		if flows[*e.LeaderID] == nil {
			leaders = append(leaders, *e.LeaderID)
		}
		flows[*e.LeaderID] = append(flows[*e.LeaderID], e)
	}
	if len(leaders) == 0 {
		return others, nil
	}
	// A run that was cancelled after a change must not be taken for one that was interrupted.
	if err := tx.OfFlows().ForgetFlowChanges(ctx, flows[leaders[0]][0].BatchID, leaders); err != nil {
		return nil, err
	}
	for _, leader := range leaders {
		if err := s.lead(ctx, tx, flows[leader]); err != nil {
			return nil, err
		}
	}
	return others, nil
}
