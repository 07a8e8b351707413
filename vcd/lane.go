package vcd

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// LaneStore is asked across accounts: by the dispatcher, which keeps the gap between two screenshots of an account, and
// by the sweeper, which looks for entries that nobody works on.
type LaneStore interface {
	// TakeDueLane runs do in a transaction bound to an account whose lane is due at now and that no other dispatcher
	// holds. The lane is then due again at the time that do returns, or closed when it returns the zero time; when do fails
	// it is put off for a while, so that others get their turn. False when no lane is due.
	TakeDueLane(ctx context.Context, now time.Time, do func(ctx context.Context, account ID, tx Tx) (next time.Time, err error)) (bool, error)
	// StrandedEntries lists entries that were dispatched, have not ended, were not touched since before, and have no
	// job in the background queue that could still end them.
	StrandedEntries(ctx context.Context, before time.Time, limit int) ([]StrandedEntry, error)
	// ForgetHosts removes what is known of hosts that nobody visited since before.
	ForgetHosts(ctx context.Context, before time.Time) error
}

// StrandedEntry is an entry whose job was given up.
type StrandedEntry struct {
	Account, Entry ID
	Type           QueueType
}

// DispatchDue hands at most one waiting screenshot of one due lane to the background queue and tells whether a lane was
// due. The lane is due again after the delay of the group of the screenshot just dispatched.
func (s *Service) DispatchDue(ctx context.Context) (bool, error) {
	now := s.Clock.Now()
	return s.Store.TakeDueLane(ctx, now, func(ctx context.Context, account ID, tx Tx) (time.Time, error) {
		e, err := tx.UndispatchedInLane(ctx, now)
		if err != nil {
			return time.Time{}, err
		}
		if e == nil {
			return s.lookAgain(ctx, tx, now)
		}
		e.Dispatched, e.UpdatedAt = true, now
		if err := tx.UpdateQueueEntry(ctx, e); err != nil {
			return time.Time{}, err
		}
		region, err := regionOf(ctx, tx, e.GroupID)
		if err != nil {
			return time.Time{}, err
		}
		next := now.Add(time.Duration(e.Delay) * time.Second)
		return next, tx.EnqueueCapture(ctx, CaptureJob{Account: account, Entry: e.ID, Region: region})
	})
}

// lookAgain is when a lane is due again in which nothing may be captured yet. It is soon, because others may join it; zero
// closes the lane.
func (s *Service) lookAgain(ctx context.Context, tx Tx, now time.Time) (time.Time, error) {
	waits, err := tx.LaneWaits(ctx)
	if err != nil || !waits {
		return time.Time{}, err
	}
	return now.Add(minDelay * time.Second), nil
}

// regionOf is where a group's screenshots are taken; a group deleted meanwhile has none left to honour.
func regionOf(ctx context.Context, tx Tx, group ID) (Region, error) {
	groups, err := tx.GroupsByIDs(ctx, []ID{group})
	if err != nil || len(groups) == 0 {
		return RegionAuto, err
	}
	return groups[0].ScreenshotRegion, nil
}

// FailStranded ends entries whose jobs were given up, for example because the worker was killed again and again while
// it captured them, and returns how many there were.
func (s *Service) FailStranded(ctx context.Context, before time.Time, limit int) (int, error) {
	stranded, err := s.Store.StrandedEntries(ctx, before, limit)
	if err != nil {
		return 0, err
	}
	failure := CaptureFailure{Reason: "crashed", Sentence: "The capture was interrupted too often and was given up."}
	ended := 0
	var errs []error // one that cannot be ended does not keep the others from it
	for _, e := range stranded {
		actor := Actor{Account: e.Account}
		if e.Type == QueueCompare {
			err = s.FailComparison(ctx, actor, e.Entry, failure.Reason, "The comparison was interrupted too often and was given up.")
		} else {
			err = s.FailCapture(ctx, actor, e.Entry, failure)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("end entry %s: %w", e.Entry, err))
			continue
		}
		ended++
	}
	return ended, errors.Join(errs...)
}
