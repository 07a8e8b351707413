package run

import (
	"context"

	"afterimage/vcd"
)

// MaxOverruns is how often a comparison may kill its process, by exceeding limits or by failing, before it is given up. That
// is the comparison's own fault, so the limit is low; deaths of the whole service are handled separately.
const MaxOverruns = 2

// Overrun is why a comparison that killed its process is given up, if it is: one word, and a sentence for the site's owner.
type Overrun struct{ Reason, Sentence string }

// OverranComparison records that an attempt at a comparison killed its process. It returns true when the limit is reached:
// then the entry has ended, and the job is complete.
func (s *Service) OverranComparison(ctx context.Context, actor vcd.Actor, entry vcd.ID, o Overrun) (givenUp bool, err error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (bool, error) {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return true, err // the entry has been ended elsewhere
		}
		n, err := tx.CountOverrun(ctx, entry)
		if err != nil || n < MaxOverruns {
			return false, err
		}
		return true, s.giveUpComparison(ctx, tx, e, o.Reason, o.Sentence)
	})
}

// giveUpComparison ends a comparison that could not be made and completes the job. One that waits for a model ends with the
// verdicts of the rules.
func (s *Service) giveUpComparison(ctx context.Context, tx Tx, e *vcd.QueueEntry, reason, sentence string) error {
	pending, err := tx.PendingComparison(ctx, e.ID)
	if err != nil {
		return err
	}
	if pending != nil {
		return s.settlePending(ctx, tx, e, pending, vcd.Consultation{Problem: "the model request was interrupted too often"})
	}
	if err := s.endComparison(ctx, tx, e, reason, sentence); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}
