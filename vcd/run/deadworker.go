package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"afterimage/vcd"
)

// ReleaseDead takes what a dead worker had from it: all of it waits for its turn again. What had workers die again and again is
// suspected to have killed them, and ends as failed when it is the only one. It tells whether there was a dead worker; a worker is
// dead that has not beaten for silence. Asking is the worker that asks.
func (s *Service) ReleaseDead(ctx context.Context, asking string, silence time.Duration) (bool, error) {
	return s.store.TakeDeadWorker(ctx, asking, silence, func(ctx context.Context, dead vcd.DeadWorker) error {
		guilty := dead.Guilty()
		var errs []error
		for i := range dead.Held {
			if guilty == nil { // when another one is known to be guilty, it says nothing about this one
				dead.Held[i].Suspicion += dead.Suspicion()
			}
			errs = append(errs, s.release(ctx, &dead.Held[i], guilty))
		}
		return errors.Join(errs...)
	})
}

// release gives one turn back, or ends its work.
func (s *Service) release(ctx context.Context, h, guilty *vcd.HeldTurn) error {
	taken := false
	err := s.store.InTx(ctx, vcd.Actor{Account: h.Account}, func(ctx context.Context, tx vcd.Tx) (err error) {
		if h.Kind == vcd.TurnImport {
			taken, err = tx.ReleaseTurn(ctx, h)
			return err
		}
		e, err := vcd.OrGone(tx.LockQueueEntry(ctx, h.Subject))
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
func (s *Service) startOver(ctx context.Context, tx vcd.Tx, e *vcd.QueueEntry) error {
	e.Notice = "The worker that was capturing this page died. The capture restarts."
	if e.Type == vcd.QueueCompare {
		e.Notice = "The worker that was comparing this page died. The comparison restarts."
		pending, err := tx.PendingComparison(ctx, e.ID)
		if err != nil {
			return err
		}
		if pending != nil {
			return tx.UpdateQueueEntry(ctx, e)
		}
	}
	if e.Status == vcd.QueueOpen { // it had not begun
		return tx.UpdateQueueEntry(ctx, e)
	}
	return s.moveEntry(ctx, tx, e, vcd.QueueOpen)
}

// killerSentences say why work is given up that its workers die of.
var killerSentences = map[vcd.TurnKind]string{
	vcd.TurnCapture: "The processes that captured this page died repeatedly, so it was given up.",
	vcd.TurnCompare: "The processes that compared this page died repeatedly, so it was given up.",
	vcd.TurnImport:  "The processes that read this site's sitemap died repeatedly, so it was given up.",
}

// Beat tells the other processes that a worker lives, and how much it can do at the same time.
func (s *Service) Beat(ctx context.Context, w vcd.Worker) error { return s.store.Beat(ctx, w) }

// RetireWorker forgets a worker that has nothing left to do.
func (s *Service) RetireWorker(ctx context.Context, worker string) error {
	return s.store.RetireWorker(ctx, worker)
}
