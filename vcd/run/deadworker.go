package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"afterimage/vcd"
)

// ReleaseDead takes the turns of a dead worker, one without a heartbeat for silence, so that they wait again. A turn whose
// workers die repeatedly is suspected of killing them, and fails when it is the only suspect. ReleaseDead reports whether
// there was a dead worker. asking is the calling worker, which is never released.
func (s *Service) ReleaseDead(ctx context.Context, asking string, silence time.Duration) (bool, error) {
	return s.store.TakeDeadWorker(ctx, asking, silence, func(ctx context.Context, dead vcd.DeadWorker) error {
		guilty := dead.Guilty()
		var errs []error
		for i := range dead.Held {
			if guilty == nil { // if another turn is known to be guilty, this death says nothing about this one
				dead.Held[i].Suspicion += dead.Suspicion()
			}
			errs = append(errs, s.release(ctx, &dead.Held[i], guilty))
		}
		return errors.Join(errs...)
	})
}

// release returns one turn to the queue, or ends its work.
func (s *Service) release(ctx context.Context, h, guilty *vcd.HeldTurn) error {
	taken := false
	err := s.store.InTx(ctx, vcd.Actor{Account: h.Account}, func(ctx context.Context, tx Tx) (err error) {
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

// startOver reopens an entry whose worker died. A comparison that only waits for a model stays pending.
func (s *Service) startOver(ctx context.Context, tx Tx, e *vcd.QueueEntry) error {
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

// killerSentences explain why work that kills its workers is given up.
var killerSentences = map[vcd.TurnKind]string{
	vcd.TurnCapture: "The processes that captured this page died repeatedly, so it was given up.",
	vcd.TurnCompare: "The processes that compared this page died repeatedly, so it was given up.",
	vcd.TurnImport:  "The processes that read this site's sitemap died repeatedly, so it was given up.",
}

// Beat records a worker's heartbeat and its capacity.
func (s *Service) Beat(ctx context.Context, w vcd.Worker) error { return s.store.Beat(ctx, w) }

// RetireWorker removes a worker that has nothing left to do.
func (s *Service) RetireWorker(ctx context.Context, worker string) error {
	return s.store.RetireWorker(ctx, worker)
}
