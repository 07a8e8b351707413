package run

import (
	"context"
	"errors"

	"afterimage/internal/noise"
	"afterimage/internal/page"
	"afterimage/vcd"
)

// CompareTask is what a worker needs in order to compare two screenshots. It does not change once begun.
type CompareTask struct {
	Entry         *vcd.QueueEntry
	Subject       *vcd.QueueEntry // of the screenshot to compare
	Before, After *vcd.Screenshot
	Recaptured    *vcd.Screenshot // a second capture of the changed page, also compared with Before; usually nil
	Measure       vcd.Measure
	Threshold     float64 // percent
	Monitoring    bool
	AlarmPages    bool            // the group alarms on page changes other than pixels
	AlarmUnseen   bool            // the account alarms on pages of which a part is not seen
	Confirm       bool            // the group requires changes to be confirmed
	Confirmation  *vcd.QueueEntry // the ended entry that captured the page again; nil without a confirmation
	Features      vcd.Features
	Noise         *vcd.LearnedNoise   // what is known of the page; nil for accounts without verification
	Learn         bool                // nothing was updated between the screenshots, as far as is known
	Rules         []*vcd.FeedbackRule // active rules that apply to the page; for accounts with verification
	// Pending is the stored comparison of an earlier worker that was killed while it asked a model; FinishVerification ends
	// it. Nil for all other tasks.
	Pending *vcd.Comparison
}

// CompareResult is a worker's result. Picture is the mask of the changes, to be laid over the after picture; nil when the
// pictures are equal, in which case the after picture is used.
type CompareResult struct {
	Difference  vcd.Difference
	Picture     *Picture
	PageChanges []page.Change
	Console     vcd.ConsoleDifference // see CompareTask.CompareConsoles
	Traces      *vcd.Traces
	Model       bool           // a model is available
	OfRecapture *CompareResult // for CompareTask.Recaptured
	// BlankBefore and BlankAfter report whether a picture is completely blank.
	BlankBefore, BlankAfter bool
	// Verification is what the rules decided about the regions; nil when they did not have to, see CompareTask.Verify.
	Verification *vcd.Verification
	// Learned is what is known of the page after this comparison; nil when nothing was learned.
	Learned *noise.Knowledge
}

// BeginComparison marks a comparison entry as processing. When there is nothing left to do, it completes the job and returns
// nil.
func (s *Service) BeginComparison(ctx context.Context, actor vcd.Actor, entry vcd.ID) (*CompareTask, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*CompareTask, error) {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return nil, err
		}
		if !e.Dispatched { // it waits for a confirmation; this job is an earlier one that was restarted
			return nil, tx.CompleteJob(ctx)
		}
		subject, err := tx.OwnQueueEntry(ctx, *e.SubjectID)
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
		if sentence := task.walled(); sentence != "" {
			return nil, errors.Join(s.endComparison(ctx, tx, e, vcd.ReasonWall, sentence), tx.CompleteJob(ctx))
		}
		return task, s.moveEntry(ctx, tx, e, vcd.QueueProcessing)
	})
}

// baselineOf is the screenshot with which the finished one of subject is compared; nil when there is none. Monitoring
// requires the same version of the capture engine, fonts and pipeline, so that upgrades of ours raise no alarms.
func baselineOf(ctx context.Context, tx Tx, subject *vcd.QueueEntry) (*vcd.Screenshot, error) {
	if subject.Type != vcd.QueueAuto {
		return tx.BaselineOf(ctx, subject)
	}
	taken, err := tx.ScreenshotOfEntry(ctx, subject.ID)
	if err != nil {
		return nil, err
	}
	return tx.BaselineOfVersion(ctx, subject, taken.SCVersion)
}

// endUncompared ends a comparison without a baseline. In monitoring the screenshot then becomes a baseline, and the entry
// succeeds.
func (s *Service) endUncompared(ctx context.Context, tx Tx, c, subject *vcd.QueueEntry) error {
	if subject.Type == vcd.QueueAuto {
		c.Reason = reasonBaseline
		return s.moveEntry(ctx, tx, c, vcd.QueueDone)
	}
	return s.endComparison(ctx, tx, c, reasonNoScreenshot, "There is no earlier screenshot of this page to compare with.")
}

// compareTask returns the task; nil when there is nothing to compare with.
func compareTask(ctx context.Context, tx Tx, e, subject *vcd.QueueEntry) (*CompareTask, error) {
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
	if err := task.beforeWalls(ctx, tx); err != nil {
		return nil, err
	}
	if err := task.readConfirmation(ctx, tx); err != nil {
		return nil, err
	}
	if err := task.readFeatures(ctx, tx); err != nil {
		return nil, err
	}
	if err := task.readNoise(ctx, tx); err != nil {
		return nil, err
	}
	return task, task.readGroup(ctx, tx)
}

// resumedTask returns the task of a comparison whose worker was killed while it asked a model.
func resumedTask(ctx context.Context, tx Tx, e, subject *vcd.QueueEntry, pending *vcd.Comparison) (*CompareTask, error) {
	before, err := tx.Screenshot(ctx, pending.BeforeID)
	if err != nil {
		return nil, err
	}
	after, err := tx.Screenshot(ctx, pending.AfterID)
	return &CompareTask{Entry: e, Subject: subject, Before: before, After: after, Pending: pending}, err
}

// readFeatures reads the features of the account's plan and the feedback rules that apply to the page.
func (task *CompareTask) readFeatures(ctx context.Context, tx Tx) error {
	account, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	task.Features = vcd.Features{AIVerification: account.AIVerification, BrowserConsole: account.BrowserConsole}
	task.AlarmUnseen = account.AlarmUnseen
	if task.Features.AIVerification {
		task.Rules, err = tx.RulesOf(ctx, task.Entry.GroupID, task.Entry.URLID)
	}
	return err
}

// readGroup reads the group's measure and the threshold: the URL's own in the group, or else the group's.
func (task *CompareTask) readGroup(ctx context.Context, tx Tx) error {
	settings, err := tx.ComparisonSettings(ctx, task.Entry.GroupID, task.Entry.URLID)
	if err != nil {
		return err
	}
	task.Measure, task.Threshold, task.Confirm = settings.Measure, settings.Threshold, settings.ConfirmChanges
	task.AlarmPages = settings.AlarmPageChanges
	if task.Monitoring && task.Confirm && vcd.IsCheckpoint(task.After.URLAddress) {
		f, err := vcd.OrGone(tx.OfFlows().FlowOfCheckpoint(ctx, task.Entry.URLID))
		if err != nil {
			return err
		}
		task.Confirm = f == nil || !f.Definition.Changes() // what it changes must not be changed twice
	}
	return nil
}

// FinishComparison decides on a worker's result and stores the comparison, all in one commit. It returns the stored
// comparison and completes the job, unless the comparison is pending: then a model is to be asked about the uncertain
// regions, and FinishVerification ends it. It returns nil when nothing is stored: the entry has ended meanwhile, or a
// monitoring change needs confirmation, and the comparison is repeated once the page has been captured again.
func (s *Service) FinishComparison(ctx context.Context, actor vcd.Actor, task *CompareTask, r CompareResult) (*vcd.Comparison, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Comparison, error) {
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
		if err := s.learn(ctx, tx, task, c, r); err != nil {
			return nil, err
		}
		if err := s.claimModel(ctx, tx, c, r.Model); err != nil {
			return nil, err
		}
		return c, s.storeComparison(ctx, tx, e, c)
	})
}

// storeComparison stores a comparison and, unless a model is to be asked about it, ends its entry.
func (s *Service) storeComparison(ctx context.Context, tx Tx, e *vcd.QueueEntry, c *vcd.Comparison) error {
	c.Alarmed = c.Status == vcd.ComparisonNew
	if err := tx.InsertComparison(ctx, c); err != nil {
		return err
	}
	events := []*vcd.Event{s.comparisonEvent(vcd.EventComparisonCreated, c)}
	if c.Pending() {
		return tx.AppendEvents(ctx, events...)
	}
	switch {
	case c.Alarmed:
		events = append(events, s.comparisonEvent(vcd.EventComparisonStatusNew, c))
	case c.AboveThreshold():
		events = append(events, s.comparisonEvent(vcd.EventComparisonSilenced, c))
	}
	return s.endCompared(ctx, tx, e, c, events)
}

// CompareConsoles returns how the browser console changed between two visits of the task's page, with feedback rules applied.
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
		Truncated: task.Before.Truncated || after.Truncated,
		// Of a page that was cut off at its last visit too, monitoring has told already.
		TruncationAlarm: after.Truncated && !(task.Monitoring && task.Before.Truncated),
		NotSeen:         vcd.UnseenIn(task.Before, after),
	}
	c.UnseenAlarm = task.AlarmUnseen && after.Incomplete() && !(task.Monitoring && task.Before.Incomplete())
	if r.Picture != nil {
		c.Image = s.newImage(e.Account, *r.Picture)
	}
	c.Verification = task.verification(c, r, after)
	c.Status = c.Decide()
	return c
}

func (s *Service) comparisonEvent(kind vcd.EventKind, c *vcd.Comparison) *vcd.Event {
	e := vcd.NewEvent(s.clock.Now(), kind, vcd.SubjectComparison, c.ID)
	e.BatchID = &c.BatchID
	return e
}

// FailComparison ends a comparison that could not be made and completes the job. One that waits for a model ends with the
// verdicts of the rules.
func (s *Service) FailComparison(ctx context.Context, actor vcd.Actor, entry vcd.ID, reason, sentence string) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return err
		}
		return s.giveUpComparison(ctx, tx, e, reason, sentence)
	})
}

func (s *Service) endComparison(ctx context.Context, tx Tx, e *vcd.QueueEntry, reason, sentence string) error {
	e.Reason, e.ErrorMsg = reason, sentence
	return s.moveEntry(ctx, tx, e, vcd.QueueFailed)
}
