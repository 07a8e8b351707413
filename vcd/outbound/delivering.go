package outbound

import (
	"context"
	"time"

	"afterimage/vcd"
)

// failureLimit is how long a webhook may do nothing but fail before it is disabled.
const failureLimit = 5 * 24 * time.Hour

// Why webhooks are disabled without their owner, in one word.
const (
	DisabledGone    = "gone"    // the receiver answered 410
	DisabledFailing = "failing" // for longer than failureLimit
)

// DeliveryTask is an attempt to be made.
type DeliveryTask struct {
	Delivery *vcd.Delivery
	URL      string
	// Secrets sign the request: the current one, and while that is being replaced the one before it. Where a receiver
	// refused the last attempt as unauthorised the older one comes first, for it may know only that.
	Secrets []string
}

// DeliveryResult is what came of an attempt.
type DeliveryResult struct {
	At         time.Time
	Latency    time.Duration
	Status     int // of the answer; 0 when there was none
	Answer     []byte
	Delivered  bool
	Gone       bool   // the receiver wants no more requests
	Problem    string // "" when delivered
	RetryAfter time.Duration
}

// RetryPlan tells how long to wait after the n-th failed attempt, from 1, and false when there is to be no other. A
// receiver may ask for more by Retry-After.
type RetryPlan func(attempt int, retryAfter time.Duration) (time.Duration, bool)

// BeginDelivery prepares the attempt that is due. It returns nil when there is none to be made: the delivery has ended
// meanwhile, or its webhook gets no requests any more. Then the job is complete.
func (s *Service) BeginDelivery(ctx context.Context, actor vcd.Actor, id vcd.ID) (*DeliveryTask, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*DeliveryTask, error) {
		d, err := tx.LockDelivery(ctx, id)
		switch {
		case vcd.CodeOf(err) == vcd.CodeNotFound: // its webhook was deleted
			return nil, tx.CompleteJob(ctx)
		case err != nil:
			return nil, err
		case d.State != vcd.DeliveryPending:
			return nil, tx.CompleteJob(ctx)
		}
		w, err := tx.Webhook(ctx, d.WebhookID)
		if err != nil {
			return nil, err
		}
		if d.Event != vcd.EventPing && !w.Live(s.clock.Now()) {
			s.end(d, vcd.DeliveryFailed, "The webhook is disabled or has expired.")
			if err := tx.UpdateDelivery(ctx, d); err != nil {
				return nil, err
			}
			return nil, tx.CompleteJob(ctx)
		}
		secrets, err := s.signingSecrets(ctx, tx, d)
		if err != nil {
			return nil, err
		}
		return &DeliveryTask{Delivery: d, URL: w.URL, Secrets: secrets}, nil
	})
}

func (s *Service) end(d *vcd.Delivery, state vcd.DeliveryState, problem string) {
	d.State, d.Problem, d.NextAttemptAt, d.UpdatedAt = state, problem, nil, s.clock.Now()
}

// signingSecrets are those under which a delivery's request is signed.
func (s *Service) signingSecrets(ctx context.Context, tx vcd.Tx, d *vcd.Delivery) ([]string, error) {
	account, err := tx.Account(ctx)
	if err != nil {
		return nil, err
	}
	current, err := s.WebhookSecret(account)
	if err != nil {
		return nil, err
	}
	before, err := s.previousWebhookSecret(account)
	if err != nil || before == "" {
		return []string{current}, err
	}
	attempts, err := tx.DeliveryAttempts(ctx, []vcd.ID{d.ID}, 1)
	if err != nil {
		return nil, err
	}
	if last := attempts[d.ID]; len(last) > 0 && (last[0].Status == 401 || last[0].Status == 403) && d.Tries%2 == 1 {
		return []string{before, current}, nil
	}
	return []string{current, before}, nil
}

// KeepDeliveryBody stores what is sent, so that all attempts send the same.
func (s *Service) KeepDeliveryBody(ctx context.Context, actor vcd.Actor, id vcd.ID, body []byte) ([]byte, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) ([]byte,
		error) {
		return tx.KeepDeliveryBody(ctx, id, body)
	})
}

// FinishDelivery writes an attempt down, together with what follows from it for the delivery and its webhook, and completes
// the job.
func (s *Service) FinishDelivery(ctx context.Context, actor vcd.Actor, id vcd.ID, result DeliveryResult, plan RetryPlan) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx vcd.Tx) error {
		d, err := tx.LockDelivery(ctx, id)
		if vcd.CodeOf(err) == vcd.CodeNotFound {
			return tx.CompleteJob(ctx)
		}
		if err != nil {
			return err
		}
		w, err := tx.LockWebhook(ctx, d.WebhookID)
		if err != nil {
			return err
		}
		d.Attempts++
		d.Tries++
		if err := tx.InsertDeliveryAttempt(ctx, attemptOf(d, result)); err != nil {
			return err
		}
		if err := s.judgeWebhook(ctx, tx, w, d, result); err != nil {
			return err
		}
		if err := s.judgeDelivery(ctx, tx, w, d, result, plan); err != nil {
			return err
		}
		return tx.CompleteJob(ctx)
	})
}

func attemptOf(d *vcd.Delivery, r DeliveryResult) *vcd.DeliveryAttempt {
	return &vcd.DeliveryAttempt{
		DeliveryID: d.ID, Number: d.Attempts, At: r.At, Milliseconds: int(r.Latency.Milliseconds()), Status: r.Status, Answer: r.Answer,
		Problem: r.Problem,
	}
}

// judgeDelivery ends a delivery or asks for its next attempt. A ping has no second one.
func (s *Service) judgeDelivery(
	ctx context.Context, tx vcd.Tx, w *vcd.Webhook, d *vcd.Delivery, result DeliveryResult, plan RetryPlan,
) error {
	pause, again := plan(d.Tries, result.RetryAfter)
	switch {
	case result.Delivered:
		s.end(d, vcd.DeliveryDelivered, "")
	case again && w.Live(s.clock.Now()) && d.Event != vcd.EventPing:
		next := s.clock.Now().Add(pause)
		d.Problem, d.NextAttemptAt, d.UpdatedAt = result.Problem, &next, s.clock.Now()
		if err := tx.EnqueueDeliver(ctx, vcd.DeliverJob{Account: d.Account, Delivery: d.ID, At: next}); err != nil {
			return err
		}
	default:
		s.end(d, vcd.DeliveryFailed, result.Problem)
	}
	return tx.UpdateDelivery(ctx, d)
}

// judgeWebhook keeps in mind since when a webhook has done nothing but fail, and disables it when that has been for too
// long or when its receiver asks for it. A ping tries the receiver out and disables nothing.
func (s *Service) judgeWebhook(ctx context.Context, tx vcd.Tx, w *vcd.Webhook, d *vcd.Delivery, result DeliveryResult) error {
	now := s.clock.Now()
	switch {
	case result.Delivered && w.FailingSince == nil, !result.Delivered && d.Event == vcd.EventPing:
		return nil
	case result.Delivered:
		w.FailingSince = nil
	case w.FailingSince == nil:
		w.FailingSince = &now
	}
	if w.DisabledAt == nil && !result.Delivered {
		switch {
		case result.Gone:
			w.Disable(now, DisabledGone)
		case now.Sub(*w.FailingSince) >= failureLimit:
			w.Disable(now, DisabledFailing)
		}
		if w.DisabledAt != nil {
			if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventWebhookDisabled, vcd.SubjectWebhook, w.ID)); err != nil {
				return err
			}
		}
	}
	w.UpdatedAt = now
	return tx.UpdateWebhook(ctx, w)
}
