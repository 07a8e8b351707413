package outbound_test

import (
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/outbound"
)

func (w *world) calledAt(event vcd.EventKind, expires time.Time) (*vcd.Webhook, error) {
	return w.Service.Outbound.CreateWebhook(w.T.Context(), w.Actor, outbound.WebhookChange{
		URL: vcd.Some("https://example.com/wp-cron.php"), Event: vcd.Some(event), ExpiresAt: vcd.Some(expires),
	})
}

// callDue lets two processes look for what is due, and returns how many calls a webhook has had since.
func (w *world) callDue(hook vcd.ID) int {
	w.T.Helper()
	for range 2 {
		if _, err := w.Service.Outbound.CallDue(w.T.Context()); err != nil {
			w.T.Fatal(err)
		}
	}
	return len(w.deliveriesTo(hook))
}

// end records the outcome of a webhook's last call.
func (w *world) end(hook vcd.ID, result outbound.DeliveryResult) {
	w.T.Helper()
	list := w.deliveriesTo(hook)
	last := list[len(list)-1]
	task, err := w.Service.Outbound.BeginDelivery(w.Working(last.ID), w.Actor, last.ID)
	must(w.T, err)
	if task == nil {
		w.T.Fatalf("the call is not made: %+v", last)
	}
	result.At = w.Clock.Now()
	must(w.T, w.Service.Outbound.FinishDelivery(w.Working(last.ID), w.Actor, last.ID, result, forEver))
}

// forEver always plans another attempt.
func forEver(int, time.Duration) (time.Duration, bool) { return time.Second, true }

func TestASiteIsCalledOnce(t *testing.T) {
	w := newWorld(t)
	at := w.Clock.Now().Add(72 * time.Hour)
	h, err := w.calledAt(vcd.EventSingleCall, at)
	must(t, err)
	w.Clock.Advance(72*time.Hour - time.Second)
	if n := w.callDue(h.ID); n != 0 {
		t.Errorf("%d calls before its time", n)
	}
	w.Clock.Advance(time.Second)
	if n := w.callDue(h.ID); n != 1 {
		t.Errorf("%d calls at its time", n)
	}
	_, err = w.Service.Outbound.Webhook(t.Context(), w.Actor, h.ID)
	wantCode(t, err, vcd.CodeNotFound)
	w.end(h.ID, outbound.DeliveryResult{Status: 200, Delivered: true})
	w.Clock.Advance(time.Hour)
	if n := w.callDue(h.ID); n != 1 {
		t.Errorf("%d calls in the end", n)
	}
	if d := w.deliveriesTo(h.ID)[0]; d.State != vcd.DeliveryDelivered || d.Event != vcd.EventSingleCall || d.SubjectID != h.ID {
		t.Errorf("the record of the call: %+v", d)
	}
}

func TestASiteIsCalledEachMinute(t *testing.T) {
	w := newWorld(t)
	h, err := w.calledAt(vcd.EventCron, w.Clock.Now().Add(150*time.Second))
	must(t, err)
	for n := 1; n <= 3; n++ { // at 0, 60 and 120 s
		if got := w.callDue(h.ID); got != n {
			t.Fatalf("%d calls, want %d", got, n)
		}
		w.end(h.ID, outbound.DeliveryResult{Status: 410, Gone: true, Problem: "The receiver answered 410 Gone: it wants no more requests."})
		if d := w.deliveriesTo(h.ID)[n-1]; d.State != vcd.DeliveryFailed || d.Attempts != 1 {
			t.Errorf("a call that failed: %+v", d)
		}
		now, err := w.Service.Outbound.Webhook(t.Context(), w.Actor, h.ID)
		if err != nil || now.DisabledAt != nil || now.FailingSince != nil {
			t.Errorf("after %d calls: %+v, %v", n, now, err)
		}
		w.Clock.Advance(59 * time.Second)
		if got := w.callDue(h.ID); n < 3 && got != n {
			t.Errorf("%d calls within a minute", got)
		}
		w.Clock.Advance(time.Second)
	}
	if n := w.callDue(h.ID); n != 3 {
		t.Errorf("%d calls in the end", n)
	}
	if list, err := w.Service.Outbound.Webhooks(t.Context(), w.Actor, vcd.WebhookFilter{}, vcd.Page{Size: 10}); err != nil ||
		len(list.Items) != 0 {
		t.Errorf("expired: %+v, %v", list, err)
	}
}

// TestMissedCallsAreMadeUpForOnce: nothing was running for an hour.
func TestMissedCallsAreMadeUpForOnce(t *testing.T) {
	w := newWorld(t)
	cron, err := w.calledAt(vcd.EventCron, w.Clock.Now().Add(2*time.Hour))
	must(t, err)
	single, err := w.calledAt(vcd.EventSingleCall, w.Clock.Now().Add(time.Minute))
	must(t, err)
	w.Clock.Advance(time.Hour)
	if n := w.callDue(cron.ID); n != 1 {
		t.Errorf("%d calls by the minute", n)
	}
	if n := len(w.deliveriesTo(single.ID)); n != 1 {
		t.Errorf("%d single calls", n)
	}
}

func TestWhatIsCalledHasAnEndAndNothingElse(t *testing.T) {
	w := newWorld(t)
	now := w.Clock.Now()
	for name, expires := range map[string]time.Time{"in the past": now.Add(-time.Second), "in three days": now.Add(72 * time.Hour)} {
		if _, err := w.calledAt(vcd.EventCron, expires); vcd.CodeOf(err) != vcd.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	url := vcd.Some("https://example.com/wp-cron.php")
	for name, in := range map[string]outbound.WebhookChange{
		"without an end": {URL: url, Event: vcd.Some(vcd.EventSingleCall)},
		"with an event": {URL: url, Events: vcd.Some([]vcd.EventKind{vcd.EventSingleCall, vcd.EventBatchFinished}),
			ExpiresAt: vcd.Some(now.Add(time.Hour))},
	} {
		if _, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, in); vcd.CodeOf(err) != vcd.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	h, err := w.calledAt(vcd.EventCron, now.Add(time.Hour))
	must(t, err)
	_, err = w.Service.Outbound.UpdateWebhook(t.Context(), w.Actor, h.ID, outbound.WebhookChange{ExpiresAt: vcd.Null[time.Time]()})
	wantCode(t, err, vcd.CodeInvalid)
	off, err := w.Service.Outbound.UpdateWebhook(t.Context(), w.Actor, h.ID, outbound.WebhookChange{Enabled: vcd.Some(false)})
	must(t, err)
	if n := w.callDue(off.ID); n != 0 {
		t.Errorf("%d calls of a disabled webhook", n)
	}
	told, err := w.Service.Outbound.UpdateWebhook(t.Context(), w.Actor, h.ID, outbound.WebhookChange{
		Event: vcd.Some(vcd.EventBatchFinished), ExpiresAt: vcd.Null[time.Time](), Enabled: vcd.Some(true)})
	must(t, err)
	w.Clock.Advance(time.Hour)
	if n := w.callDue(told.ID); n != 0 {
		t.Errorf("%d calls of a webhook that is told of events now", n)
	}
}
