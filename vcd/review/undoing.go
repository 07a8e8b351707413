package review

import (
	"context"

	"afterimage/vcd"
)

// MaxReviews is how many reviews of a comparison are listed.
const MaxReviews = 50

// Undone is the result of undoing a review.
type Undone struct {
	Verdict
	Since int // comparisons that were changed again since, and stay as they are
}

// UndoReview puts the comparisons of a review back to the states they had before it, unless they were changed again since, and
// takes back what it decided about a change. This is a review too, so it can be undone itself.
func (s *Service) UndoReview(ctx context.Context, actor vcd.Actor, id vcd.ID) (Undone, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (Undone, error) {
		return s.undo(ctx, tx, actor, id)
	})
}

func (s *Service) undo(ctx context.Context, tx Tx, actor vcd.Actor, id vcd.ID) (Undone, error) {
	change, err := tx.LockJudgedChange(ctx, id)
	if err != nil {
		return Undone{}, err
	}
	items, since, err := tx.LockUndoable(ctx, id)
	if err != nil {
		return Undone{}, err
	}
	for i, item := range items {
		items[i].Before, items[i].After = item.After, item.Before
	}
	verdict, err := s.record(ctx, tx, actor, reviewing{items: items, undoes: &id, change: change, decide: func(by vcd.ID) error {
		return tx.UndoChangeVerdict(ctx, id, by)
	}})
	return Undone{verdict, since}, err
}

// ReviewsOf lists the reviews of each comparison, newest first, at most limit of each.
func (s *Service) ReviewsOf(
	ctx context.Context, actor vcd.Actor, comparisons []vcd.ID, limit int,
) (map[vcd.ID][]*vcd.ReviewOfComparison, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID][]*vcd.ReviewOfComparison, error) {
		return tx.ReviewsOfComparisons(ctx, comparisons, min(limit, MaxReviews))
	})
}

// NeighboursOf finds what surrounds each of the comparisons.
func (s *Service) NeighboursOf(ctx context.Context, actor vcd.Actor, comparisons []vcd.ID) (map[vcd.ID]vcd.Neighbours, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]vcd.Neighbours, error) {
		return tx.NeighboursOfComparisons(ctx, comparisons)
	})
}
