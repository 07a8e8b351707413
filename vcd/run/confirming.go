package run

import (
	"context"
	"slices"

	"afterimage/vcd"
)

// recentPictures is how many of a page's newest distinct pictures count as seen before.
const recentPictures = 5

// conclude builds the comparison from a worker's result and decides its state. In monitoring, a change is an alarm, and only
// new if it lasts: nil means that the page has to be captured again first.
func (s *Service) conclude(ctx context.Context, tx Tx, e *vcd.QueueEntry, task *CompareTask, r CompareResult) (*vcd.Comparison, error) {
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

// requestRecapture requests another screenshot of the page, which uses no check, and makes the comparison wait for it. It
// does nothing for a late worker if the recapture has been requested already.
func (s *Service) requestRecapture(ctx context.Context, tx Tx, c, subject *vcd.QueueEntry) error {
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

// countAdded adds an entry that joined a running batch to the batch's counts.
func (s *Service) countAdded(ctx context.Context, tx Tx, e *vcd.QueueEntry) error {
	b, err := tx.LockBatch(ctx, e.BatchID)
	if err != nil {
		return err
	}
	b.Counts.Add(e.Status, 1)
	b.UpdatedAt = e.UpdatedAt
	return tx.UpdateBatch(ctx, b)
}

// readConfirmation reads whether the page was captured again, and with what result. A picture by another version of the
// capture engine confirms nothing, and neither does one of a wall that hides the page.
func (task *CompareTask) readConfirmation(ctx context.Context, tx Tx) (err error) {
	if !task.Monitoring {
		return nil
	}
	task.Confirmation, err = tx.ConfirmationOf(ctx, task.Subject.ID)
	if err != nil || task.Confirmation == nil || task.Confirmation.Status != vcd.QueueDone {
		return err
	}
	recaptured, err := tx.ScreenshotOfEntry(ctx, task.Confirmation.ID)
	if err == nil && recaptured.SCVersion == task.Before.SCVersion && !hidden(recaptured.Wall()) {
		task.Recaptured = recaptured
	}
	return err
}

// recognise marks a change to a picture that the page has shown recently, and reports whether it needs no alarm. An error
// page always needs one.
func recognise(ctx context.Context, tx Tx, task *CompareTask, c *vcd.Comparison, after *vcd.Screenshot) (noNews bool, err error) {
	if c.PageAlarm || c.TruncationAlarm { // its alarm is not about the picture
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

// returnIsNoNews decides whether a page that shows an earlier picture again needs no alarm, given the current state of the
// change that once led to that picture (empty when it was there from the start) and of the one that led to the picture it
// replaces. Recovering to a picture that nobody objects to needs no alarm. Undoing an accepted change is reported as a new
// change until that has been accepted too.
func returnIsNoNews(came, left vcd.ComparisonStatus) bool {
	switch {
	case came == vcd.ComparisonNew || came == vcd.ComparisonToFix || left == "":
		return false
	case left == vcd.ComparisonOK:
		return came != ""
	}
	return true
}
