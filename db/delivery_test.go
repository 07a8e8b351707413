package db_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
)

// relayAll reads events until there are no more.
func (w *world) relayAll() {
	w.t.Helper()
	for more := true; more; {
		var err error
		more, err = w.service.Outbound.RelayWebhooks(w.t.Context())
		must(w.t, err)
	}
}

// deliver makes the attempt that is due for each delivery there is a job for, with the given result.
func (w *world) deliver(result outbound.DeliveryResult) int {
	w.t.Helper()
	ids := w.jobs("deliver")
	for _, id := range ids {
		ctx := w.working(id)
		task, err := w.service.Outbound.BeginDelivery(ctx, w.actor, id)
		must(w.t, err)
		if task == nil {
			continue
		}
		_, err = w.service.Outbound.KeepDeliveryBody(ctx, w.actor, id, []byte("{}"))
		must(w.t, err)
		result.At = w.clock.Now()
		must(w.t, w.service.Outbound.FinishDelivery(ctx, w.actor, id, result, hourly))
	}
	return len(ids)
}

func hourly(int, time.Duration) (time.Duration, bool) { return time.Hour, true }

var refused = outbound.DeliveryResult{Status: 500, Answer: []byte("no\x00\xff"), Problem: "The receiver answered 500."}

func (w *world) deliveriesTo(hook vcd.ID) []*vcd.Delivery {
	w.t.Helper()
	list, err := w.service.Outbound.Deliveries(w.t.Context(), w.actor, vcd.DeliveryFilter{WebhookIDs: &[]vcd.ID{hook}},
		vcd.Page{Size: 100, Total: true})
	must(w.t, err)
	if list.Total != len(list.Items) {
		w.t.Errorf("%d deliveries of %d", len(list.Items), list.Total)
	}
	slices.Reverse(list.Items)
	return list.Items
}

func TestDeliveriesAreMadeOnceHoweverManyRead(t *testing.T) {
	w := newWorld(t)
	h := w.webhook("https://hooks.test", vcd.EventQueueStatusDone)
	g, _ := w.group("told", 20, inventory.GroupChange{})
	w.take(vcd.QueuePre, g)
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			for {
				if _, err := w.service.Outbound.RelayWebhooks(t.Context()); err != nil {
					t.Error(err)
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	captured := w.jobs("capture")
	for _, entry := range captured {
		w.capture(entry, "page")
	}
	close(stop)
	readers.Wait()
	w.relayAll()
	list := w.deliveriesTo(h.ID)
	told := make(map[vcd.ID]int)
	for _, d := range list {
		told[d.SubjectID]++
	}
	if len(list) != len(captured) || len(told) != len(captured) {
		t.Errorf("%d deliveries of %d entries, %d were captured", len(list), len(told), len(captured))
	}
	if jobs := w.jobs("deliver"); len(jobs) != len(list) {
		t.Errorf("%d jobs for %d deliveries", len(jobs), len(list))
	}
}

func TestABacklogThatCannotBeReadHoldsUpNoOther(t *testing.T) {
	w, broken := newWorld(t), errors.New("broken")
	w.webhook("https://hooks.test", vcd.EventBatchFinished) // an event of the first account
	other, _, err := w.service.Accounts.CreateAccount(t.Context(), account.Input{Email: "other@example.com"})
	must(t, err)
	_, err = w.service.Outbound.CreateWebhook(t.Context(), vcd.Actor{Account: other.ID}, outbound.WebhookChange{
		URL: vcd.Some("https://hooks.test"), Event: vcd.Some(vcd.EventBatchFinished),
	})
	must(t, err)
	read := make(map[vcd.ID]int)
	for range 4 {
		_, err := w.db.TakeBacklog(t.Context(), vcd.ConsumerWebhooks, func(ctx context.Context, account vcd.ID, tx vcd.Tx,
			position int64) (int64, error) {
			read[account]++
			if account == w.actor.Account {
				return position, broken
			}
			return tx.LastEvent(ctx)
		})
		if err != nil && !errors.Is(err, broken) {
			t.Fatal(err)
		}
	}
	if read[w.actor.Account] != 1 || read[other.ID] != 1 {
		t.Errorf("read %v, want each once", read)
	}
}

func TestWhatBecomesOfADelivery(t *testing.T) {
	w := newWorld(t)
	h := w.webhook("https://hooks.test", vcd.EventBatchFinished)
	ping, err := w.service.Outbound.PingWebhook(t.Context(), w.actor, h.ID)
	must(t, err)
	w.deliver(refused)
	failed, err := w.service.Outbound.Delivery(t.Context(), w.actor, ping.ID)
	must(t, err)
	if failed.State != vcd.DeliveryFailed || failed.Attempts != 1 || string(failed.Body) != "{}" {
		t.Errorf("a ping has one attempt: %+v", failed)
	}
	attempts, err := w.service.Outbound.DeliveryAttempts(t.Context(), w.actor, []vcd.ID{ping.ID}, 10)
	must(t, err)
	want := []*vcd.DeliveryAttempt{{DeliveryID: ping.ID, Number: 1, At: w.clock.Now(), Status: 500, Answer: refused.Answer,
		Problem: refused.Problem}}
	if diff := cmp.Diff(want, attempts[ping.ID]); diff != "" {
		t.Error(diff)
	}
	if shown, err := w.service.Outbound.Webhook(t.Context(), w.actor, h.ID); err != nil || shown.FailingSince != nil {
		t.Errorf("a ping counts as a failure: %+v, %v", shown, err)
	}
	must(t, w.service.Outbound.DeleteWebhook(t.Context(), w.actor, h.ID))
	if _, err := w.service.Outbound.Delivery(t.Context(), w.actor, ping.ID); vcd.CodeOf(err) != vcd.CodeNotFound {
		t.Errorf("the delivery outlived its webhook: %v", err)
	}
}

func TestAWebhookThatOnlyFailsIsDisabledAfterFiveDays(t *testing.T) {
	w := newWorld(t)
	h := w.webhook("https://hooks.test", vcd.EventQueueStatusDone)
	g, _ := w.group("failing", 1, inventory.GroupChange{})
	happen := func() {
		w.take(vcd.QueuePre, g)
		for _, entry := range w.jobs("capture") {
			w.capture(entry, "page")
		}
		w.relayAll()
	}
	shown := func() *vcd.Webhook {
		got, err := w.service.Outbound.Webhook(t.Context(), w.actor, h.ID)
		must(t, err)
		return got
	}
	happen()
	w.deliver(refused)
	w.clock.advance(4 * 24 * time.Hour)
	w.deliver(outbound.DeliveryResult{Status: 200, Delivered: true}) // one success starts the count anew
	if shown().FailingSince != nil {
		t.Error("a success is not remembered")
	}
	happen()
	w.deliver(refused)
	w.clock.advance(5*24*time.Hour - time.Second)
	w.deliver(refused)
	if shown().DisabledAt != nil {
		t.Error("disabled too early")
	}
	w.clock.advance(time.Second)
	w.deliver(refused)
	if got := shown(); got.DisabledAt == nil || got.DisabledReason != outbound.DisabledFailing {
		t.Errorf("not disabled: %+v", got)
	}
	events, err := w.service.Outbound.EventsAfter(t.Context(), w.actor, 0, nil, 500)
	must(t, err)
	disabled := slices.DeleteFunc(events, func(e *vcd.Event) bool { return e.Kind != vcd.EventWebhookDisabled })
	if len(disabled) != 1 || disabled[0].SubjectID != h.ID {
		t.Errorf("events: %+v", disabled)
	}
	before := len(w.deliveriesTo(h.ID))
	happen()
	if after := len(w.deliveriesTo(h.ID)); after != before {
		t.Error("a disabled webhook is told of events")
	}
	enabled, err := w.service.Outbound.UpdateWebhook(t.Context(), w.actor, h.ID, outbound.WebhookChange{Enabled: vcd.Some(true)})
	must(t, err)
	if enabled.DisabledAt != nil || enabled.FailingSince != nil {
		t.Errorf("enabled: %+v", enabled)
	}
}
