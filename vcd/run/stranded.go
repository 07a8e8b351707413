package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"afterimage/vcd"
)

// FailStranded fails turns whose jobs were given up, for example because the database was repeatedly unavailable for storing
// their results, and returns how many there were.
func (s *Service) FailStranded(ctx context.Context, before time.Time, limit int) (int, error) {
	stranded, err := s.store.StrandedTurns(ctx, before, limit)
	if err != nil {
		return 0, err
	}
	ended := 0
	var errs []error // one failure must not block the rest
	for _, t := range stranded {
		if err := s.giveUp(ctx, t.Account, t.Kind, t.Subject, strandedSentences[t.Kind]); err != nil {
			errs = append(errs, fmt.Errorf("end %s %s: %w", t.Kind, t.Subject, err))
			continue
		}
		ended++
	}
	return ended, errors.Join(errs...)
}

// strandedSentences explain why work is given up after its job was.
var strandedSentences = map[vcd.TurnKind]string{
	vcd.TurnCapture: "The capture was interrupted too often and was given up.",
	vcd.TurnCompare: "The comparison was interrupted too often and was given up.",
	vcd.TurnImport:  "The import was interrupted too often. Please try again later.",
}

// giveUp fails the work of one turn, with a sentence for its owner.
func (s *Service) giveUp(ctx context.Context, account vcd.ID, kind vcd.TurnKind, subject vcd.ID, sentence string) error {
	actor := vcd.Actor{Account: account}
	switch kind {
	case vcd.TurnImport:
		return s.inventory.FailImport(ctx, actor, subject, sentence)
	case vcd.TurnCompare:
		return s.FailComparison(ctx, actor, subject, vcd.ReasonCrashed, sentence)
	}
	if found, err := s.finishTrial(ctx, actor, subject, nil, interruptedTrial); found || err != nil {
		return err
	}
	return s.FailCapture(ctx, actor, subject, CaptureFailure{Reason: vcd.ReasonCrashed, Sentence: sentence})
}
