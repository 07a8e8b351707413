package outbound

import (
	"context"
	"errors"
	"time"

	"afterimage/vcd"
)

// maxCronAhead is how long a webhook of vcd.EventCron may be called.
const maxCronAhead = 2 * time.Hour

// callsAtOnce is how many due webhooks a step looks at.
const callsAtOnce = 50

// plan checks a webhook that is called, which has only that event and an end, and plans its first call.
func (s *Service) plan(w *vcd.Webhook) error {
	v := &vcd.Validation{}
	s.validateCall(v, w)
	if err := v.Err(); err != nil {
		return err
	}
	w.NextCallAt = w.FirstCall(s.clock.Now())
	return nil
}

func (s *Service) validateCall(v *vcd.Validation, w *vcd.Webhook) {
	for _, event := range w.Events {
		if vcd.IsCall(event) && len(w.Events) > 1 {
			v.Add("events", "alone", "The {field} field must not have another event besides "+string(event)+".")
		}
	}
	if !vcd.IsCall(w.Event()) {
		return
	}
	v.Check(w.ExpiresAt != nil, "expiresAt", "required", "The {field} field is required with the event "+string(w.Event())+".")
	v.Check(!w.Narrow(), "groupIds", "prohibited", "The {field} field must be empty with the event "+string(w.Event())+".")
	if w.ExpiresAt != nil && w.Event() == vcd.EventCron {
		v.Check(!w.ExpiresAt.After(s.clock.Now().Add(maxCronAhead)), "expiresAt", "max",
			"The {field} field must be at most 2 hours ahead with the event "+string(w.Event())+".")
	}
}

// CallDue calls webhooks that are due and removes those that have expired. It reports whether more may be due.
func (s *Service) CallDue(ctx context.Context) (more bool, err error) {
	due, err := s.store.DueCalls(ctx, s.clock.Now(), callsAtOnce)
	if err != nil {
		return false, err
	}
	var errs []error
	for _, d := range due {
		errs = append(errs, s.call(ctx, d))
	}
	return len(due) == callsAtOnce, errors.Join(errs...)
}

func (s *Service) call(ctx context.Context, due vcd.DueCall) error {
	actor := vcd.Actor{Account: due.Account}
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		w, err := vcd.OrGone(tx.LockWebhook(ctx, due.Webhook))
		now := s.clock.Now()
		if w == nil || w.NextCallAt == nil || w.NextCallAt.After(now) { // another process was first
			return err
		}
		call, last := w.Called(now)
		if last {
			w.GoneAt = &now
		}
		if err := tx.UpdateWebhook(ctx, w); err != nil {
			return err
		}
		if !call || w.DisabledAt != nil {
			return nil
		}
		return s.startDeliveries(ctx, tx, nil, s.newDelivery(due.Account, w.ID, w.Event(), w.ID))
	})
}

// present is a webhook that its owner may see.
func present(w *vcd.Webhook, err error) (*vcd.Webhook, error) {
	if err == nil && w.GoneAt != nil {
		return nil, vcd.NotFound("Webhook", w.ID)
	}
	return w, err
}
