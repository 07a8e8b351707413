package run

import (
	"context"
	"errors"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// CompareTask is what a worker needs to know to compare two screenshots. Nothing changes it once it has begun.
type CompareTask struct {
	Entry         *vcd.QueueEntry
	Subject       *vcd.QueueEntry // of the screenshot that is compared
	Before, After *vcd.Screenshot
	Recaptured    *vcd.Screenshot // to be compared with Before too: the page once more, after it had changed; mostly nil
	Measure       vcd.Measure
	Threshold     float64 // percent
	Monitoring    bool
	AlarmPages    bool            // the group wants to be alarmed by changes of the page beside its pixels
	Confirm       bool            // the group wants changes to be confirmed
	Confirmation  *vcd.QueueEntry // that captured the page once more, and has ended; nil when it was not asked to
	Features      vcd.Features
	Rules         []*vcd.FeedbackRule // active ones that hold for the page; of accounts with verification
	// Pending is the comparison of a task that was begun before, by a worker that was killed while it asked a model: it is stored,
	// and FinishVerification ends it. Nil for all others.
	Pending *vcd.Comparison
}

// CompareResult is what a worker found. Picture is the mask of what changed, over the after picture; it is nil when the
// pictures are equal: then the after picture serves.
type CompareResult struct {
	Difference  vcd.Difference
	Picture     *Picture
	PageChanges []page.Change
	Console     vcd.ConsoleDifference // see CompareTask.CompareConsoles
	Traces      *vcd.Traces
	Model       bool           // there is a model that can be asked
	OfRecapture *CompareResult // of CompareTask.Recaptured
	// BlankBefore and BlankAfter tell that a picture is completely blank.
	BlankBefore, BlankAfter bool
	// Verification is what the rules make of the regions; nil when they were not to be looked at, see CompareTask.Verify.
	Verification *vcd.Verification
}

// BeginComparison marks a comparison entry as being worked on. A nil task means that there is nothing to do (any more);
// the job is complete then.
func (s *Service) BeginComparison(ctx context.Context, actor vcd.Actor, entry vcd.ID) (*CompareTask, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*CompareTask, error) {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return nil, err
		}
		if !e.Dispatched { // it waits for a confirmation; this job is an earlier one that was started over
			return nil, tx.CompleteJob(ctx)
		}
		subject, err := tx.QueueEntry(ctx, *e.SubjectID)
		if err != nil {
			return nil, err
		}
		pending, err := tx.PendingComparison(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		if pending != nil {
			return resumedTask(ctx, tx, e, subject, pending)
		}
		task, err := compareTask(ctx, tx, e, subject)
		if err != nil {
			return nil, err
		}
		if task == nil {
			return nil, errors.Join(s.endUncompared(ctx, tx, e, subject), tx.CompleteJob(ctx))
		}
		return task, s.moveEntry(ctx, tx, e, vcd.QueueProcessing)
	})
}

// baselineOf is the screenshot that the one of subject, which is done, is compared with; nil when there is none. In
// monitoring only one by the same version of the capture engine, fonts and pipeline will do: nobody is to be alarmed by
// what an upgrade of ours changes.
func baselineOf(ctx context.Context, tx vcd.Tx, subject *vcd.QueueEntry) (*vcd.Screenshot, error) {
	if subject.Type != vcd.QueueAuto {
		return tx.BaselineOf(ctx, subject)
	}
	taken, err := tx.ScreenshotOfEntry(ctx, subject.ID)
	if err != nil {
		return nil, err
	}
	return tx.BaselineOfVersion(ctx, subject, taken.SCVersion)
}

// endUncompared ends a comparison that has nothing to compare with. In monitoring the screenshot is a baseline then, and
// all is well.
func (s *Service) endUncompared(ctx context.Context, tx vcd.Tx, c, subject *vcd.QueueEntry) error {
	if subject.Type == vcd.QueueAuto {
		c.Reason = reasonBaseline
		return s.moveEntry(ctx, tx, c, vcd.QueueDone)
	}
	return s.endComparison(ctx, tx, c, reasonNoScreenshot, "There is no earlier screenshot of this page to compare with.")
}

// compareTask is nil when there is nothing to compare with.
func compareTask(ctx context.Context, tx vcd.Tx, e, subject *vcd.QueueEntry) (*CompareTask, error) {
	before, err := baselineOf(ctx, tx, subject)
	if err != nil || before == nil {
		return nil, err
	}
	after, err := tx.ScreenshotOfEntry(ctx, subject.ID)
	if err != nil {
		return nil, err
	}
	task := &CompareTask{
		Entry: e, Subject: subject, Before: before, After: after, Measure: vcd.MeasurePlain, Monitoring: subject.Type == vcd.QueueAuto,
	}
	if err := task.readConfirmation(ctx, tx); err != nil {
		return nil, err
	}
	if err := task.readFeatures(ctx, tx); err != nil {
		return nil, err
	}
	return task, task.readGroup(ctx, tx)
}

// resumedTask is the task of a comparison whose worker was killed while it asked a model.
func resumedTask(ctx context.Context, tx vcd.Tx, e, subject *vcd.QueueEntry, pending *vcd.Comparison) (*CompareTask, error) {
	before, err := tx.Screenshot(ctx, pending.BeforeID)
	if err != nil {
		return nil, err
	}
	after, err := tx.Screenshot(ctx, pending.AfterID)
	return &CompareTask{Entry: e, Subject: subject, Before: before, After: after, Pending: pending}, err
}

// readFeatures takes what the account's plan has, and the feedback rules that hold for the page.
func (task *CompareTask) readFeatures(ctx context.Context, tx vcd.Tx) error {
	account, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	task.Features = vcd.Features{AIVerification: account.AIVerification, BrowserConsole: account.BrowserConsole}
	if task.Features.AIVerification {
		task.Rules, err = tx.RulesOf(ctx, task.Entry.GroupID, task.Entry.URLID)
	}
	return err
}

// readGroup takes the group's measure and threshold, or the threshold that the URL has of its own in the group.
func (task *CompareTask) readGroup(ctx context.Context, tx vcd.Tx) error {
	groups, err := tx.GroupsByIDs(ctx, []vcd.ID{task.Entry.GroupID})
	if err != nil {
		return err
	}
	for _, g := range groups {
		task.Measure, task.Threshold, task.Confirm = g.Measure, g.Threshold, g.ConfirmChanges
		task.AlarmPages = g.AlarmPageChanges
	}
	sels, err := tx.SelectionsOf(ctx, task.Entry.GroupID, []vcd.ID{task.Entry.URLID})
	for _, sel := range sels {
		if sel.Threshold != nil {
			task.Threshold = *sel.Threshold
		}
	}
	return err
}

// FinishComparison decides about what a worker found and stores the comparison, all in one commit. It returns the comparison as it
// is stored, and the job is complete unless that is pending: then a model is to be asked about the regions of which nobody is
// sure, and FinishVerification ends it. It returns nil when nothing is stored: the entry has ended meanwhile, or a change in
// monitoring is to be confirmed, and the comparison is made anew once the page was captured again.
func (s *Service) FinishComparison(ctx context.Context, actor vcd.Actor, task *CompareTask, r CompareResult) (*vcd.Comparison, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*vcd.Comparison, error) {
		e, err := lockOpenEntry(ctx, tx, task.Entry.ID)
		if e == nil {
			return nil, err
		}
		c, err := s.conclude(ctx, tx, e, task, r)
		if err != nil {
			return nil, err
		}
		if c == nil {
			return nil, tx.CompleteJob(ctx)
		}
		if err := s.claimModel(ctx, tx, c, r.Model); err != nil {
			return nil, err
		}
		return c, s.storeComparison(ctx, tx, e, c)
	})
}

// storeComparison stores a comparison, and ends its entry unless a model is to be asked about it.
func (s *Service) storeComparison(ctx context.Context, tx vcd.Tx, e *vcd.QueueEntry, c *vcd.Comparison) error {
	c.Alarmed = c.Status == vcd.ComparisonNew
	if err := tx.InsertComparison(ctx, c); err != nil {
		return err
	}
	events := []*vcd.Event{s.comparisonEvent(vcd.EventComparisonCreated, c)}
	if c.Pending() {
		return tx.AppendEvents(ctx, events...)
	}
	if c.Alarmed {
		events = append(events, s.comparisonEvent(vcd.EventComparisonStatusNew, c))
	}
	return s.endCompared(ctx, tx, e, c, events)
}

// CompareConsoles is how the browser console changed from one visit of the task's page to another, with what feedback rules
// silence.
func (task *CompareTask) CompareConsoles(before, after *page.Visit) vcd.ConsoleDifference {
	d := vcd.NewConsoleDifference(before.FullConsole(), after.FullConsole())
	d.Silence(task.Rules)
	return d
}

func (s *Service) comparison(e *vcd.QueueEntry, task *CompareTask, after *vcd.Screenshot, r CompareResult) *vcd.Comparison {
	now := s.clock.Now()
	c := &vcd.Comparison{
		ID: s.ids.NewID(), Account: e.Account, Token: vcd.RandomText(), QueueID: e.ID, BatchID: e.BatchID,
		GroupID: e.GroupID, URLID: e.URLID, Device: e.Device, BeforeID: task.Before.ID, AfterID: after.ID,
		Measure: task.Measure, Threshold: task.Threshold, Difference: r.Difference, PageChanges: r.PageChanges, Traces: r.Traces,
		Console: r.Console, PageAlarm: task.AlarmPages && page.Alarming(r.PageChanges), CreatedAt: now, UpdatedAt: now,
	}
	if r.Picture != nil {
		c.Image = s.newImage(e.Account, *r.Picture)
	}
	c.Verification = task.verification(c, r)
	c.Status = c.Decide()
	return c
}

func (s *Service) comparisonEvent(kind vcd.EventKind, c *vcd.Comparison) *vcd.Event {
	e := vcd.NewEvent(s.clock.Now(), kind, vcd.SubjectComparison, c.ID)
	e.BatchID = &c.BatchID
	return e
}

// FailComparison ends a comparison that could not be made and completes the job. One that waits for a model ends with what
// the rules say of it.
func (s *Service) FailComparison(ctx context.Context, actor vcd.Actor, entry vcd.ID, reason, sentence string) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx vcd.Tx) error {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return err
		}
		return s.giveUpComparison(ctx, tx, e, reason, sentence)
	})
}

func (s *Service) endComparison(ctx context.Context, tx vcd.Tx, e *vcd.QueueEntry, reason, sentence string) error {
	e.Reason, e.ErrorMsg = reason, sentence
	return s.moveEntry(ctx, tx, e, vcd.QueueFailed)
}
