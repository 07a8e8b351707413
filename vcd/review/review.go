package review

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"afterimage/vcd"
)

// Limits of bulk verdicts.
const (
	MaxVerdictIDs = 1000
	MaxVerdicts   = 5000 // by a filter
	MaxStillOpen  = 100
)

// verdicts are the states that a reviewer may set by a verdict; see Reopen for ComparisonNew.
var verdicts = []vcd.ComparisonStatus{vcd.ComparisonOK, vcd.ComparisonFalsePositive, vcd.ComparisonToFix}

// Verdict is the result of a bulk verdict.
type Verdict struct {
	Matched int      // comparisons it applies to
	Changed []vcd.ID // those that had another state before
	Batches []vcd.ID // of those
	Review  *vcd.ID  // undoes it; nil if nothing changed
	// StillOpen are comparisons that match and stay as they are, at most MaxStillOpen of StillOpenCount.
	StillOpen      []StillOpen
	StillOpenCount int
}

// StillOpen is a comparison that was not accepted with its changes, or with others.
type StillOpen struct {
	ID      vcd.ID
	Reasons []vcd.OpenReason
	Others  vcd.OtherChanges
}

// SetComparisonStatus records a reviewer's verdict.
func (s *Service) SetComparisonStatus(
	ctx context.Context, actor vcd.Actor, id vcd.ID, status vcd.ComparisonStatus,
) (*vcd.Comparison, error) {
	v := &vcd.Validation{}
	vcd.OneOf(v, "status", status, verdicts...)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Comparison, error) {
		c, err := tx.LockComparison(ctx, id)
		if err != nil {
			return nil, err
		}
		if _, err := s.judge(ctx, tx, actor, []*vcd.Comparison{c}, status); err != nil {
			return nil, err
		}
		return tx.Comparison(ctx, id)
	})
}

// SetComparisonStatuses records the same verdict for several comparisons. If any id is unknown, none is changed.
func (s *Service) SetComparisonStatuses(ctx context.Context, actor vcd.Actor, raw []string, status vcd.ComparisonStatus) (Verdict, error) {
	v := &vcd.Validation{}
	vcd.OneOf(v, "status", status, verdicts...)
	return s.setStatuses(ctx, actor, v, raw, status)
}

// Reopen puts several comparisons back to new, to be reviewed again. If any id is unknown, none is changed.
func (s *Service) Reopen(ctx context.Context, actor vcd.Actor, raw []string) (Verdict, error) {
	return s.setStatuses(ctx, actor, &vcd.Validation{}, raw, vcd.ComparisonNew)
}

func (s *Service) setStatuses(
	ctx context.Context, actor vcd.Actor, v *vcd.Validation, raw []string, status vcd.ComparisonStatus,
) (Verdict, error) {
	ids, err := comparisonIDs(v, raw)
	if err != nil {
		return Verdict{}, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (Verdict, error) {
		found, err := tx.LockComparisons(ctx, vcd.ComparisonFilter{IDs: &ids}, MaxVerdictIDs)
		if err != nil {
			return Verdict{}, err
		}
		if err := allFound(ids, found); err != nil {
			return Verdict{}, err
		}
		return s.judge(ctx, tx, actor, found, status)
	})
}

func comparisonIDs(v *vcd.Validation, raw []string) ([]vcd.ID, error) {
	v.Check(len(raw) > 0, "ids", "required", "The {field} field is required.")
	v.Check(len(raw) <= MaxVerdictIDs, "ids", "max", fmt.Sprintf("The {field} field must not have more than %d items.", MaxVerdictIDs))
	if err := v.Err(); err != nil {
		return nil, err
	}
	ids := make([]vcd.ID, len(raw))
	for i, text := range raw {
		id, ok := vcd.ParseID(text)
		v.Check(ok, vcd.Indexed("ids", i), "uuid", "The {field} field must be a valid UUID.")
		ids[i] = id
	}
	return ids, v.Err()
}

func allFound(ids []vcd.ID, found []*vcd.Comparison) error {
	v := &vcd.Validation{}
	known := make(map[vcd.ID]bool, len(found))
	for _, c := range found {
		known[c.ID] = true
	}
	for i, id := range ids {
		v.Check(known[id], vcd.Indexed("ids", i), "exists", "The selected {field} is invalid.")
	}
	return v.Err()
}

// SetStatusOfComparisons records the same verdict for all comparisons that match a filter, which must set at least one
// criterion. When more than limit match, none is changed. Accepting changes accepts only comparisons whose every finding is
// among them or harmless and which need attention for nothing else. Accepting all that match leaves those open of which
// something is unknown, unless the filter names them by id or token. What remains open is returned.
func (s *Service) SetStatusOfComparisons(
	ctx context.Context, actor vcd.Actor, f vcd.ComparisonFilter, status vcd.ComparisonStatus, limit int,
) (Verdict, error) {
	v := &vcd.Validation{}
	vcd.OneOf(v, "status", status, verdicts...)
	v.Between("limit", limit, 1, MaxVerdicts)
	v.Check(f.Narrows(), "filter", "required", "The {field} field must contain at least one condition.")
	if err := v.Err(); err != nil {
		return Verdict{}, err
	}
	if err := f.Validate(); err != nil {
		return Verdict{}, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (Verdict, error) {
		return s.judgeMatching(ctx, tx, actor, f, status, limit)
	})
}

func (s *Service) judgeMatching(
	ctx context.Context, tx Tx, actor vcd.Actor, f vcd.ComparisonFilter, status vcd.ComparisonStatus, limit int,
) (Verdict, error) {
	if f.Changes != nil && status.Accepts() {
		f.OnlyThese = false // to say which remain open
	}
	found, err := tx.LockComparisons(ctx, f, limit+1)
	if err != nil {
		return Verdict{}, err
	}
	if len(found) > limit {
		return Verdict{}, vcd.Invalid("filter", "max", fmt.Sprintf("The {field} field matches more than %d comparisons.", limit))
	}
	chosen, open, err := choose(ctx, tx, found, f, status)
	if err != nil {
		return Verdict{}, err
	}
	verdict, err := s.judge(ctx, tx, actor, chosen, status)
	verdict.StillOpen, verdict.StillOpenCount = open[:min(len(open), MaxStillOpen)], len(open)
	return verdict, err
}

// choose separates the comparisons that a status by a filter applies to from those that remain open.
func choose(
	ctx context.Context, tx Tx, found []*vcd.Comparison, f vcd.ComparisonFilter, status vcd.ComparisonStatus,
) (chosen []*vcd.Comparison, open []StillOpen, err error) {
	switch {
	case !status.Accepts(), f.Changes == nil && (f.IDs != nil || f.Token != nil):
		return found, nil, nil
	case f.Changes != nil:
		return splitByChanges(ctx, tx, found, *f.Changes)
	}
	chosen, open = splitBySight(found)
	return chosen, open, nil
}

// splitBySight separates the comparisons of which everything is known from those that remain open.
func splitBySight(found []*vcd.Comparison) (accepted []*vcd.Comparison, open []StillOpen) {
	for _, c := range found {
		if reasons := c.Unseen(); len(reasons) > 0 {
			open = append(open, StillOpen{ID: c.ID, Reasons: reasons})
		} else {
			accepted = append(accepted, c)
		}
	}
	return accepted, open
}

// splitByChanges separates the comparisons that show nothing but the accepted changes from those that remain open.
func splitByChanges(
	ctx context.Context, tx Tx, found []*vcd.Comparison, changes []string,
) (accepted []*vcd.Comparison, open []StillOpen, err error) {
	ids := make([]vcd.ID, len(found))
	for i, c := range found {
		ids[i] = c.ID
	}
	others, err := tx.OtherChanges(ctx, ids, changes)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range found {
		if reasons := c.StaysOpen(others[c.ID]); len(reasons) > 0 {
			open = append(open, StillOpen{c.ID, reasons, others[c.ID]})
		} else {
			accepted = append(accepted, c)
		}
	}
	return accepted, open, nil
}

// judge sets the state of locked comparisons, with a review and an event for each that changes.
func (s *Service) judge(
	ctx context.Context, tx Tx, actor vcd.Actor, found []*vcd.Comparison, status vcd.ComparisonStatus,
) (Verdict, error) {
	verdict, err := s.record(ctx, tx, actor, reviewing{items: itemsOf(found, status)})
	verdict.Matched = len(found)
	return verdict, err
}

// itemsOf are those of the comparisons that a status changes.
func itemsOf(found []*vcd.Comparison, status vcd.ComparisonStatus) (items []vcd.UndoableItem) {
	for _, c := range found {
		if c.Status != status {
			item := vcd.ReviewItem{Comparison: c.ID, Before: c.Status, After: status}
			items = append(items, vcd.UndoableItem{ReviewItem: item, Batch: c.BatchID})
		}
	}
	return items
}

// reviewing is what a review does.
type reviewing struct {
	items  []vcd.UndoableItem // to locked comparisons
	undoes *vcd.ID            // the review that it takes back
	change *vcd.Batch         // locked, if the review also decides about one of its changes
	// decide stores that decision for the review with the given id.
	decide func(review vcd.ID) error
}

// record stores a review, with an event for each comparison that it changes, and for the batch of a change that it decides about.
func (s *Service) record(ctx context.Context, tx Tx, actor vcd.Actor, r reviewing) (Verdict, error) {
	verdict := Verdict{Matched: len(r.items), Changed: []vcd.ID{}}
	if len(r.items) == 0 && r.change == nil {
		return verdict, nil
	}
	now := s.clock.Now()
	review := &vcd.Review{ID: s.ids.NewID(), Undoes: r.undoes, Reviewer: actor.Person(), CreatedAt: now}
	changes, events := make([]vcd.ReviewItem, len(r.items)), make([]*vcd.Event, len(r.items))
	batches := map[vcd.ID]bool{}
	for i, item := range r.items {
		changes[i] = item.ReviewItem
		events[i] = vcd.NewEvent(now, vcd.EventComparisonStatusChanged, vcd.SubjectComparison, item.Comparison)
		events[i].BatchID = &item.Batch
		verdict.Changed = append(verdict.Changed, item.Comparison)
		batches[item.Batch] = true
	}
	if err := tx.InsertReview(ctx, review, changes); err != nil {
		return Verdict{}, err
	}
	if r.change != nil {
		if err := r.decide(review.ID); err != nil {
			return Verdict{}, err
		}
		batches[r.change.ID] = true
		events = append(events, vcd.NewBatchEvent(now, vcd.EventBatchUpdated, vcd.SubjectBatch, r.change.ID, r.change))
	}
	verdict.Batches = slices.Sorted(maps.Keys(batches))
	verdict.Review = &review.ID
	return verdict, tx.AppendEvents(ctx, events...)
}
