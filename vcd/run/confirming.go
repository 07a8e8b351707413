package run

import (
	"context"
	"slices"

	"afterimage/vcd"
)

// recentPictures is among how many different pictures of a page, the newest ones, a picture counts as seen before.
const recentPictures = 5

// conclude makes the comparison of what a worker found and decides its state. In monitoring a change is an alarm, and only
// new when it lasts: nil means that the page is to be captured again first.
func (s *Service) conclude(ctx context.Context, tx vcd.Tx, e *vcd.QueueEntry, task *CompareTask, r CompareResult) (*vcd.Comparison, error) {
	c, after := s.comparison(e, task, task.After, r), task.After
	if task.Recaptured != nil && r.OfRecapture != nil {
		second := s.comparison(e, task, task.Recaptured, *r.OfRecapture)
		switch {
		case second.Alarming():
			c, after = second, task.Recaptured
		case c.Alarming():
			c.Confirmation = vcd.ChangeVanished
			c.Dismiss("The change did not last.")
			return c, nil
		}
	}
	if !task.Monitoring || !c.Alarming() {
		return c, nil
	}
	noNews, err := recognise(ctx, tx, task, c, after)
	switch {
	case err != nil:
		return nil, err
	case task.Confirmation == nil && noNews:
		c.Dismiss("The page has returned to an earlier state.")
	case task.Confirmation == nil && task.Confirm:
		return nil, s.requestRecapture(ctx, tx, e, task.Subject)
	case task.Confirmation != nil:
		c.Confirmation = vcd.ChangeUnconfirmed
		if after == task.Recaptured {
			c.Confirmation = vcd.ChangeConfirmed
		}
		if noNews {
			c.Dismiss("The page has returned to an earlier state.")
		}
	}
	return c, nil
}

// requestRecapture asks for another screenshot of the page, which costs no check, and lets the comparison wait for it. A
// worker that was given up and comes late finds that this was done.
func (s *Service) requestRecapture(ctx context.Context, tx vcd.Tx, c, subject *vcd.QueueEntry) error {
	done, err := tx.ConfirmationOf(ctx, subject.ID)
	if err != nil || done != nil {
		return err
	}
	now := s.clock.Now()
	at := now.Add(s.confirmAfter)
	recapture := &vcd.QueueEntry{
		ID: s.ids.NewID(), Account: c.Account, BatchID: c.BatchID, GroupID: c.GroupID, URLID: c.URLID, Device: c.Device,
		Type: vcd.QueueAuto, Status: vcd.QueueOpen, ConfirmsID: &subject.ID, NotBefore: &at, Delay: subject.Delay,
		Dispatched: true, CreatedAt: now, UpdatedAt: now,
	}
	if err := tx.InsertQueueEntries(ctx, []*vcd.QueueEntry{recapture}); err != nil {
		return err
	}
	c.Dispatched = false
	if err := s.moveEntry(ctx, tx, c, vcd.QueueOpen); err != nil {
		return err
	}
	if err := tx.EndTurn(ctx, c.ID); err != nil {
		return err
	}
	if err := s.countAdded(ctx, tx, recapture); err != nil {
		return err
	}
	return tx.QueueUp(ctx, at, recapture.ID)
}

// countAdded counts an entry that joined a batch under way.
func (s *Service) countAdded(ctx context.Context, tx vcd.Tx, e *vcd.QueueEntry) error {
	b, err := tx.LockBatch(ctx, e.BatchID)
	if err != nil {
		return err
	}
	b.Counts.Add(e.Status, 1)
	b.UpdatedAt = e.UpdatedAt
	return tx.UpdateBatch(ctx, b)
}

// readConfirmation finds out whether the page was captured again, and how that ended. A picture by another version of the
// capture engine confirms nothing.
func (task *CompareTask) readConfirmation(ctx context.Context, tx vcd.Tx) (err error) {
	if !task.Monitoring {
		return nil
	}
	task.Confirmation, err = tx.ConfirmationOf(ctx, task.Subject.ID)
	if err != nil || task.Confirmation == nil || task.Confirmation.Status != vcd.QueueDone {
		return err
	}
	recaptured, err := tx.ScreenshotOfEntry(ctx, task.Confirmation.ID)
	if err == nil && recaptured.SCVersion == task.Before.SCVersion {
		task.Recaptured = recaptured
	}
	return err
}

// recognise marks a change to a picture that the page has shown lately, and tells whether it is no news. A page that
// answers with an error always is.
func recognise(ctx context.Context, tx vcd.Tx, task *CompareTask, c *vcd.Comparison, after *vcd.Screenshot) (noNews bool, err error) {
	if c.PageAlarm { // what it alarms about is not in the picture
		return false, nil
	}
	recent, err := tx.RecentPictures(ctx, task.Subject, after.SCVersion, recentPictures)
	if err != nil || !slices.Contains(recent, after.Image.Hash) {
		return false, err
	}
	c.Flapping = true
	if after.StatusCode >= 400 {
		return false, nil
	}
	place := vcd.Place{GroupID: c.GroupID, URLID: c.URLID, Device: c.Device}
	came, err := tx.LastChange(ctx, place, after.Image.Hash)
	if err != nil {
		return false, err
	}
	left, err := tx.LastChange(ctx, place, "")
	return returnIsNoNews(came, left), err
}

// returnIsNoNews decides about a page that shows an earlier picture again, given the present state of the change that
// once led to that picture (empty when it was there from the start) and of the one that led to the picture it replaces.
// It is no news when the page left the other picture for one that nobody objects to: it has recovered. When somebody has
// accepted the other one, going back is news, until that was accepted too.
func returnIsNoNews(came, left vcd.ComparisonStatus) bool {
	switch {
	case came == vcd.ComparisonNew || came == vcd.ComparisonToFix || left == "":
		return false
	case left == vcd.ComparisonOK:
		return came != ""
	}
	return true
}
