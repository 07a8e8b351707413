package vcd

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// HeldTurn is a turn that a dead worker had.
type HeldTurn struct {
	Account, Subject ID
	Kind             TurnKind
	Job              int64 // in the background queue
	Deaths           int   // workers that died with it before
}

// deathsForSuspicion is how many workers may die with a turn before it is suspected; such turns run one at a time.
const deathsForSuspicion = 1

// ReleaseDead takes what a dead worker had from it: all of it waits for its turn again. What had a worker die before is suspected
// to have killed both, and ends as failed when it is the only one. It tells whether there was a dead worker; a worker is dead
// that has not beaten for silence. Asking is the worker that asks.
func (s *Service) ReleaseDead(ctx context.Context, asking string, silence time.Duration) (bool, error) {
	return s.Store.TakeDeadWorker(ctx, asking, silence, func(ctx context.Context, held []HeldTurn) error {
		guilty := suspect(held)
		var errs []error
		for i := range held {
			errs = append(errs, s.release(ctx, &held[i], guilty))
		}
		return errors.Join(errs...)
	})
}

// suspect is the turn that more workers have died with than with any other that this one had; nil when none stands out. Those
// that were at work beside it have died with fewer: handing out keeps two that are suspected apart.
func suspect(held []HeldTurn) *HeldTurn {
	var most *HeldTurn
	alone := false
	for i := range held {
		switch h := &held[i]; {
		case h.Deaths < deathsForSuspicion:
		case most == nil || h.Deaths > most.Deaths:
			most, alone = h, true
		case h.Deaths == most.Deaths:
			alone = false
		}
	}
	if !alone {
		return nil
	}
	return most
}

// release gives one turn back, or ends its work. When another one is known to be guilty it does not count as a death.
func (s *Service) release(ctx context.Context, h, guilty *HeldTurn) error {
	if guilty == nil {
		h.Deaths++
	}
	taken := false
	err := s.Store.InTx(ctx, Actor{Account: h.Account}, func(ctx context.Context, tx Tx) (err error) {
		if h.Kind == TurnImport {
			taken, err = tx.ReleaseTurn(ctx, h)
			return err
		}
		e, err := orGone(tx.LockQueueEntry(ctx, h.Subject))
		if err != nil {
			return err
		}
		if taken, err = tx.ReleaseTurn(ctx, h); err != nil || !taken || e == nil || e.Status.Ended() {
			return err
		}
		return s.startOver(ctx, tx, e)
	})
	if err != nil {
		return fmt.Errorf("take %s %s from a dead worker: %w", h.Kind, h.Subject, err)
	}
	if h != guilty || !taken {
		return nil
	}
	return s.endKiller(ctx, h)
}

// startOver opens an entry whose worker is dead again. A comparison that only waits for a model stays as far as it is.
func (s *Service) startOver(ctx context.Context, tx Tx, e *QueueEntry) error {
	e.Notice = "The worker that captured this page stopped. The page starts over."
	if e.Type == QueueCompare {
		e.Notice = "The worker that compared this page stopped. The comparison starts over."
		pending, err := tx.PendingComparison(ctx, e.ID)
		if err != nil {
			return err
		}
		if pending != nil {
			return tx.UpdateQueueEntry(ctx, e)
		}
	}
	if e.Status == QueueOpen { // it had not begun
		return tx.UpdateQueueEntry(ctx, e)
	}
	return s.moveEntry(ctx, tx, e, QueueOpen)
}

// endKiller ends the work that its workers die of.
func (s *Service) endKiller(ctx context.Context, h *HeldTurn) error {
	actor := Actor{Account: h.Account}
	switch h.Kind {
	case TurnImport:
		return s.FailImport(ctx, actor, h.Subject, "The processes that read this site's sitemap stopped again and again, so it was given up.")
	case TurnCompare:
		return s.FailComparison(ctx, actor, h.Subject, reasonCrashed, "The processes that compared this page stopped again and again, so it was given up.")
	}
	return s.FailCapture(ctx, actor, h.Subject, CaptureFailure{
		Reason: reasonCrashed, Sentence: "The processes that captured this page stopped again and again, so it was given up.",
	})
}
