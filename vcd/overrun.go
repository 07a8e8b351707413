package vcd

import (
	"context"
	"time"
)

// MaxOverruns is how often a comparison may end the process that makes it, by its limits or a failure, before it is given up.
// That is the comparison's own doing, so few will do; deaths of the whole service are judged otherwise.
const MaxOverruns = 2

// Reasons of comparisons that were given up.
const (
	ReasonTooHeavy = "too_heavy" // it needed more memory or time than a comparison may have
	ReasonCrashed  = "crashed"   // its processes or its workers ended again and again
)

// Overrun says why a comparison that ended its process is given up, if it is: one word, and a sentence for the site's owner.
type Overrun struct{ Reason, Sentence string }

// OverrunStore counts what became of the attempts at a comparison. The count stands in its queue entry, so it holds over all
// machines and restarts.
type OverrunStore interface {
	// CountOverrun notes that an attempt ended its process. It returns how many did.
	CountOverrun(ctx context.Context, entry ID) (int, error)
}

// GivenUp is a comparison that was given up, for operators.
type GivenUp struct {
	Account  string // its address
	Entry    ID
	Page     string // address
	Device   Device
	Reason   string
	Sentence string
	At       time.Time
}

// OverranComparison notes that an attempt at a comparison ended the process that made it. It tells true when that was once too
// often: then the entry has ended, and the job is complete.
func (s *Service) OverranComparison(ctx context.Context, actor Actor, entry ID, o Overrun) (givenUp bool, err error) {
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (bool, error) {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return true, err // somebody else has ended it
		}
		n, err := tx.CountOverrun(ctx, entry)
		if err != nil || n < MaxOverruns {
			return false, err
		}
		return true, s.giveUpComparison(ctx, tx, e, o.Reason, o.Sentence)
	})
}

// giveUpComparison ends a comparison that could not be made and completes the job. One that waits for a model ends with what the rules
// say of it.
func (s *Service) giveUpComparison(ctx context.Context, tx Tx, e *QueueEntry, reason, sentence string) error {
	pending, err := tx.PendingComparison(ctx, e.ID)
	if err != nil {
		return err
	}
	if pending != nil {
		return s.settlePending(ctx, tx, e, pending, Consultation{Problem: "the question was interrupted too often"})
	}
	if err := s.endComparison(ctx, tx, e, reason, sentence); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}
