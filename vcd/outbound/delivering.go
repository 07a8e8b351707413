package outbound

import (
	"context"
	"time"

	"afterimage/vcd"
)

// failureLimit is how long all attempts at a webhook may fail before it is disabled.
const failureLimit = 5 * 24 * time.Hour

// One-word reasons why the service disables webhooks.
const (
	DisabledGone    = "gone"    // the receiver answered 410
	DisabledFailing = "failing" // for longer than failureLimit
)

// DeliveryTask is an attempt to make.
type DeliveryTask struct {
	Delivery *vcd.Delivery
	URL      string
	// Secrets sign the request: the current one, and during a rotation the previous one. If the receiver rejected the last
	// attempt as unauthorised, the previous one comes first, since the receiver may know only that.
	Secrets []string
}

// DeliveryResult is the outcome of an attempt.
type DeliveryResult struct {
	At         time.Time
	Latency    time.Duration
	Status     int // of the answer; 0 when there was none
	Answer     []byte
	Delivered  bool
	Gone       bool   // the receiver wants no more requests
	Problem    string // "" when delivered
	RetryAfter time.Duration
	Batch      vcd.ID // that the delivery tells of, for the next attempt
}

// RetryPlan returns how long to wait after the n-th failed attempt, counted from 1, and false when there is no further
// attempt. A receiver may request a longer wait with Retry-After.
type RetryPlan func(attempt int, retryAfter time.Duration) (time.Duration, bool)

// BeginDelivery prepares the attempt that is due. When there is none to make, because the delivery has ended or its webhook
// no longer gets requests, it completes the job and returns nil.
func (s *Service) BeginDelivery(ctx context.Context, actor vcd.Actor, id vcd.ID) (*DeliveryTask, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*DeliveryTask, error) {
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
		if !once(d.Event) && !w.Live(s.clock.Now()) {
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

// signingSecrets returns the secrets that sign a delivery's request.
func (s *Service) signingSecrets(ctx context.Context, tx Tx, d *vcd.Delivery) ([]string, error) {
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

// KeepDeliveryBody stores the request body, so that all attempts send the same.
func (s *Service) KeepDeliveryBody(ctx context.Context, actor vcd.Actor, id vcd.ID, body []byte) ([]byte, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]byte,
		error) {
		return tx.KeepDeliveryBody(ctx, id, body)
	})
}

// FinishDelivery records an attempt, updates the delivery and its webhook accordingly, and completes the job.
func (s *Service) FinishDelivery(ctx context.Context, actor vcd.Actor, id vcd.ID, result DeliveryResult, plan RetryPlan) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
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

// once reports whether a delivery has one attempt, which disables nothing: a ping only tests the receiver, and a call is followed by
// the next.
func once(event vcd.EventKind) bool { return event == vcd.EventPing || vcd.IsCall(event) }

// judgeDelivery ends a delivery or schedules its next attempt.
func (s *Service) judgeDelivery(
	ctx context.Context, tx Tx, w *vcd.Webhook, d *vcd.Delivery, result DeliveryResult, plan RetryPlan,
) error {
	pause, again := plan(d.Tries, result.RetryAfter)
	switch {
	case result.Delivered:
		s.end(d, vcd.DeliveryDelivered, "")
	case again && w.Live(s.clock.Now()) && !once(d.Event):
		next := s.clock.Now().Add(pause)
		d.Problem, d.NextAttemptAt, d.UpdatedAt = result.Problem, &next, s.clock.Now()
		if err := tx.EnqueueDeliver(ctx, vcd.DeliverJob{Account: d.Account, Delivery: d.ID, At: next, Batch: result.Batch}); err != nil {
			return err
		}
	default:
		s.end(d, vcd.DeliveryFailed, result.Problem)
	}
	return tx.UpdateDelivery(ctx, d)
}

// judgeWebhook records the last answer, tracks since when all attempts at a webhook have failed, and disables the webhook
// when that exceeds failureLimit or its receiver asks for it.
func (s *Service) judgeWebhook(ctx context.Context, tx Tx, w *vcd.Webhook, d *vcd.Delivery, result DeliveryResult) error {
	now := s.clock.Now()
	same := w.LastStatus == result.Status
	w.LastStatus = result.Status
	switch {
	case result.Delivered && w.FailingSince == nil, !result.Delivered && once(d.Event):
		if same {
			return nil
		}
		return tx.UpdateWebhook(ctx, w)
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
