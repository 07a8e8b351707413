package vcd

import (
	"context"
	"fmt"
	"slices"
)

// Limits of verdicts on many comparisons at once.
const (
	MaxVerdictIDs       = 1000
	MaxVerdicts         = 5000 // by a filter
	DefaultVerdictLimit = 1000
)

// verdicts are the states that a reviewer may give; ComparisonNew is the service's own.
var verdicts = []ComparisonStatus{ComparisonOK, ComparisonFalsePositive, ComparisonToFix}

// Verdict is what recording a verdict for several comparisons came to.
type Verdict struct {
	Matched int  // comparisons that it concerns
	Changed []ID // those that had another state before
}

// SetComparisonStatus records a reviewer's verdict.
func (s *Service) SetComparisonStatus(ctx context.Context, actor Actor, id ID, status ComparisonStatus) (*Comparison, error) {
	v := &validation{}
	oneOf(v, "status", status, verdicts...)
	if err := v.err(); err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Comparison, error) {
		c, err := tx.LockComparison(ctx, id)
		if err != nil {
			return nil, err
		}
		if _, err := s.judge(ctx, tx, []*Comparison{c}, status); err != nil {
			return nil, err
		}
		return tx.Comparison(ctx, id)
	})
}

// SetComparisonStatuses records the same verdict for several comparisons. An id that is unknown changes none of them.
func (s *Service) SetComparisonStatuses(ctx context.Context, actor Actor, raw []string, status ComparisonStatus) (Verdict, error) {
	ids, err := validateVerdict(raw, status)
	if err != nil {
		return Verdict{}, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (Verdict, error) {
		found, err := tx.LockComparisons(ctx, ComparisonFilter{IDs: &ids}, MaxVerdictIDs)
		if err != nil {
			return Verdict{}, err
		}
		if err := allFound(ids, found); err != nil {
			return Verdict{}, err
		}
		return s.judge(ctx, tx, found, status)
	})
}

func validateVerdict(raw []string, status ComparisonStatus) ([]ID, error) {
	v := &validation{}
	oneOf(v, "status", status, verdicts...)
	v.check(len(raw) > 0, "ids", "required", "The {field} field is required.")
	v.check(len(raw) <= MaxVerdictIDs, "ids", "max", fmt.Sprintf("The {field} field must not have more than %d items.", MaxVerdictIDs))
	if err := v.err(); err != nil {
		return nil, err
	}
	ids := make([]ID, len(raw))
	for i, text := range raw {
		id, ok := ParseID(text)
		v.check(ok, indexed("ids", i), "uuid", "The {field} field must be a valid UUID.")
		ids[i] = id
	}
	return ids, v.err()
}

func allFound(ids []ID, found []*Comparison) error {
	v := &validation{}
	known := make(map[ID]bool, len(found))
	for _, c := range found {
		known[c.ID] = true
	}
	for i, id := range ids {
		v.check(known[id], indexed("ids", i), "exists", "The selected {field} is invalid.")
	}
	return v.err()
}

// SetStatusOfComparisons records the same verdict for all comparisons that match a filter, which must narrow by
// something. When more than limit match, none is changed.
func (s *Service) SetStatusOfComparisons(
	ctx context.Context, actor Actor, f ComparisonFilter, status ComparisonStatus, limit int,
) (Verdict, error) {
	v := &validation{}
	oneOf(v, "status", status, verdicts...)
	v.between("limit", limit, 1, MaxVerdicts)
	v.check(f.narrows(), "filter", "required", "The {field} field must narrow the comparisons by something.")
	if err := v.err(); err != nil {
		return Verdict{}, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (Verdict, error) {
		found, err := tx.LockComparisons(ctx, f, limit+1)
		if err != nil {
			return Verdict{}, err
		}
		if len(found) > limit {
			return Verdict{}, Invalid("filter", "max", fmt.Sprintf("The {field} field matches more than %d comparisons.", limit))
		}
		return s.judge(ctx, tx, found, status)
	})
}

// narrows tells whether the filter leaves anything out.
func (f ComparisonFilter) narrows() bool {
	f.Order, f.Ascending, f.OnlyThese = "", false, false
	return f != ComparisonFilter{}
}

// judge gives locked comparisons a state, with an event for each that had another one.
func (s *Service) judge(ctx context.Context, tx Tx, found []*Comparison, status ComparisonStatus) (Verdict, error) {
	verdict := Verdict{Matched: len(found), Changed: []ID{}}
	changed := slices.DeleteFunc(slices.Clone(found), func(c *Comparison) bool { return c.Status == status })
	if len(changed) == 0 {
		return verdict, nil
	}
	events := make([]*Event, len(changed))
	for i, c := range changed {
		verdict.Changed = append(verdict.Changed, c.ID)
		events[i] = s.event(EventComparisonStatusChanged, SubjectComparison, c.ID)
		events[i].BatchID = &c.BatchID
	}
	if err := tx.UpdateComparisonStatuses(ctx, verdict.Changed, status, s.Clock.Now()); err != nil {
		return Verdict{}, err
	}
	return verdict, tx.AppendEvents(ctx, events...)
}
