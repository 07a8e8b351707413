package vcd

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// FailStranded ends the work of turns whose jobs were given up, for example because the database was away again and again
// when it was to be stored, and returns how many there were.
func (s *Service) FailStranded(ctx context.Context, before time.Time, limit int) (int, error) {
	stranded, err := s.Store.StrandedTurns(ctx, before, limit)
	if err != nil {
		return 0, err
	}
	ended := 0
	var errs []error // one that cannot be ended does not keep the others from it
	for _, t := range stranded {
		if err := s.giveUp(ctx, t); err != nil {
			errs = append(errs, fmt.Errorf("end %s %s: %w", t.Kind, t.Subject, err))
			continue
		}
		ended++
	}
	return ended, errors.Join(errs...)
}

// giveUp ends the work of one turn.
func (s *Service) giveUp(ctx context.Context, t StrandedTurn) error {
	actor := Actor{Account: t.Account}
	switch t.Kind {
	case TurnImport:
		return s.FailImport(ctx, actor, t.Subject, "The import was interrupted too often. Please try again later.")
	case TurnCompare:
		return s.FailComparison(ctx, actor, t.Subject, reasonCrashed, "The comparison was interrupted too often and was given up.")
	}
	return s.FailCapture(ctx, actor, t.Subject, CaptureFailure{
		Reason: reasonCrashed, Sentence: "The capture was interrupted too often and was given up.",
	})
}
