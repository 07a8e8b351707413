package vcd

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// DeadWorker is what is known of a worker that died.
type DeadWorker struct {
	Held         []HeldTurn
	WithDatabase bool // the database was started since it was last heard of
}

// HeldTurn is a turn that a dead worker had.
type HeldTurn struct {
	Account, Subject ID
	Kind             TurnKind
	Job              int64 // in the background queue
	Suspicion        int   // that it kills its workers; stored
}

// Suspicion that a turn kills its workers. Pages are captured in browsers and compared in processes of their own, so a worker
// seldom dies of what it does: somebody kills it, and again a moment later. Therefore it takes three deaths. When the database died
// too, a whole machine or container went down, which is hardly a page's doing, but must not go on for ever.
const (
	suspicionByWorker  = 4
	suspicionByMachine = 1
	certainSuspicion   = 12
)

// suspicion is what a worker's death adds.
func (d DeadWorker) suspicion() int {
	if d.WithDatabase {
		return suspicionByMachine
	}
	return suspicionByWorker
}

// ReleaseDead takes what a dead worker had from it: all of it waits for its turn again. What had workers die again and again is
// suspected to have killed them, and ends as failed when it is the only one. It tells whether there was a dead worker; a worker is
// dead that has not beaten for silence. Asking is the worker that asks.
func (s *Service) ReleaseDead(ctx context.Context, asking string, silence time.Duration) (bool, error) {
	return s.Store.TakeDeadWorker(ctx, asking, silence, func(ctx context.Context, dead DeadWorker) error {
		guilty := dead.guilty()
		var errs []error
		for i := range dead.Held {
			if guilty == nil { // when another one is known to be guilty, it says nothing about this one
				dead.Held[i].Suspicion += dead.suspicion()
			}
			errs = append(errs, s.release(ctx, &dead.Held[i], guilty))
		}
		return errors.Join(errs...)
	})
}

// guilty is the turn that is certain to have killed the worker: more suspected than any other that was there. Nil when none stands
// out. Handing out keeps two apart that are as suspected.
func (d DeadWorker) guilty() *HeldTurn {
	var most *HeldTurn
	alone := false
	for i := range d.Held {
		switch h := &d.Held[i]; {
		case h.Suspicion+d.suspicion() < certainSuspicion:
		case most == nil || h.Suspicion > most.Suspicion:
			most, alone = h, true
		case h.Suspicion == most.Suspicion:
			alone = false
		}
	}
	if !alone {
		return nil
	}
	return most
}

// release gives one turn back, or ends its work.
func (s *Service) release(ctx context.Context, h, guilty *HeldTurn) error {
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
	return s.giveUp(ctx, h.Account, h.Kind, h.Subject, killerSentences[h.Kind])
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

// killerSentences say why work is given up that its workers die of.
var killerSentences = map[TurnKind]string{
	TurnCapture: "The processes that captured this page stopped again and again, so it was given up.",
	TurnCompare: "The processes that compared this page stopped again and again, so it was given up.",
	TurnImport:  "The processes that read this site's sitemap stopped again and again, so it was given up.",
}
