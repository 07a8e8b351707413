package outbound_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
)

func (w *world) deliveriesTo(hook vcd.ID) []*vcd.Delivery {
	w.T.Helper()
	list, err := w.Service.Outbound.Deliveries(w.T.Context(), w.Actor, vcd.DeliveryFilter{WebhookIDs: &[]vcd.ID{hook}},
		vcd.Page{Size: 100, Total: true})
	must(w.T, err)
	if list.Total != len(list.Items) {
		w.T.Errorf("%d deliveries of %d", len(list.Items), list.Total)
	}
	slices.Reverse(list.Items)
	return list.Items
}

func TestDeliveriesAreMadeOnceHoweverManyRead(t *testing.T) {
	w := newWorld(t)
	h := w.Webhook("https://hooks.test", vcd.EventQueueStatusDone)
	g, _ := w.Group("told", 20, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			for {
				if _, err := w.Service.Outbound.RelayWebhooks(t.Context()); err != nil {
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
	captured := w.Jobs("capture")
	for _, entry := range captured {
		w.Capture(entry, "page")
	}
	close(stop)
	readers.Wait()
	w.RelayAll()
	list := w.deliveriesTo(h.ID)
	told := make(map[vcd.ID]int)
	for _, d := range list {
		told[d.SubjectID]++
	}
	if len(list) != len(captured) || len(told) != len(captured) {
		t.Errorf("%d deliveries of %d entries, %d were captured", len(list), len(told), len(captured))
	}
	if jobs := w.Jobs("deliver"); len(jobs) != len(list) {
		t.Errorf("%d jobs for %d deliveries", len(jobs), len(list))
	}
}

func TestABacklogThatCannotBeReadHoldsUpNoOther(t *testing.T) {
	w, broken := newWorld(t), errors.New("broken")
	w.Webhook("https://hooks.test", vcd.EventBatchFinished) // an event of the first account
	other, _, err := w.Service.Accounts.CreateAccount(t.Context(), account.Input{Email: "other@example.com"})
	must(t, err)
	_, err = w.Service.Outbound.CreateWebhook(t.Context(), vcd.Actor{Account: other.ID}, outbound.WebhookChange{
		URL: vcd.Some("https://hooks.test"), Event: vcd.Some(vcd.EventBatchFinished),
	})
	must(t, err)
	read := make(map[vcd.ID]int)
	for range 4 {
		_, err := w.DB.ForOutbound().TakeBacklog(t.Context(), vcd.ConsumerWebhooks, func(
			ctx context.Context, account vcd.ID, tx outbound.Tx, position int64,
		) (int64, error) {
			read[account]++
			if account == w.Actor.Account {
				return position, broken
			}
			return tx.LastEvent(ctx)
		})
		if err != nil && !errors.Is(err, broken) {
			t.Fatal(err)
		}
	}
	if read[w.Actor.Account] != 1 || read[other.ID] != 1 {
		t.Errorf("read %v, want each once", read)
	}
}

func TestWhatBecomesOfADelivery(t *testing.T) {
	w := newWorld(t)
	h := w.Webhook("https://hooks.test", vcd.EventBatchFinished)
	ping, err := w.Service.Outbound.PingWebhook(t.Context(), w.Actor, h.ID)
	must(t, err)
	w.Deliver(vcdtest.Refused)
	failed, err := w.Service.Outbound.Delivery(t.Context(), w.Actor, ping.ID)
	must(t, err)
	if failed.State != vcd.DeliveryFailed || failed.Attempts != 1 || string(failed.Body) != "{}" {
		t.Errorf("a ping has one attempt: %+v", failed)
	}
	attempts, err := w.Service.Outbound.DeliveryAttempts(t.Context(), w.Actor, []vcd.ID{ping.ID}, 10)
	must(t, err)
	want := []*vcd.DeliveryAttempt{{DeliveryID: ping.ID, Number: 1, At: w.Clock.Now(), Status: 500, Answer: vcdtest.Refused.Answer,
		Problem: vcdtest.Refused.Problem}}
	if diff := cmp.Diff(want, attempts[ping.ID]); diff != "" {
		t.Error(diff)
	}
	for _, result := range []outbound.DeliveryResult{vcdtest.Refused, {Status: 410, Gone: true, Problem: "gone"}} {
		_, err := w.Service.Outbound.PingWebhook(t.Context(), w.Actor, h.ID)
		must(t, err)
		w.Deliver(result)
		shown, err := w.Service.Outbound.Webhook(t.Context(), w.Actor, h.ID)
		if err != nil || shown.FailingSince != nil || shown.DisabledAt != nil || shown.LastStatus != result.Status {
			t.Errorf("a ping counts as a failure, or its answer is not shown: %+v, %v", shown, err)
		}
	}
	must(t, w.Service.Outbound.DeleteWebhook(t.Context(), w.Actor, h.ID))
	if _, err := w.Service.Outbound.Delivery(t.Context(), w.Actor, ping.ID); vcd.CodeOf(err) != vcd.CodeNotFound {
		t.Errorf("the delivery outlived its webhook: %v", err)
	}
}

func TestAWebhookThatOnlyFailsIsDisabledAfterFiveDays(t *testing.T) {
	w := newWorld(t)
	h := w.Webhook("https://hooks.test", vcd.EventQueueStatusDone)
	g, _ := w.Group("failing", 1, inventory.GroupChange{})
	happen := func() {
		w.Take(vcd.QueuePre, g)
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "page")
		}
		w.RelayAll()
	}
	shown := func() *vcd.Webhook {
		got, err := w.Service.Outbound.Webhook(t.Context(), w.Actor, h.ID)
		must(t, err)
		return got
	}
	happen()
	w.Deliver(vcdtest.Refused)
	w.Clock.Advance(4 * 24 * time.Hour)
	w.Deliver(outbound.DeliveryResult{Status: 200, Delivered: true}) // one success resets the failure period
	if shown().FailingSince != nil {
		t.Error("a success is not remembered")
	}
	happen()
	w.Deliver(vcdtest.Refused)
	w.Clock.Advance(5*24*time.Hour - time.Second)
	w.Deliver(vcdtest.Refused)
	if shown().DisabledAt != nil {
		t.Error("disabled too early")
	}
	w.Clock.Advance(time.Second)
	w.Deliver(vcdtest.Refused)
	if got := shown(); got.DisabledAt == nil || got.DisabledReason != outbound.DisabledFailing {
		t.Errorf("not disabled: %+v", got)
	}
	events, err := w.Service.Outbound.EventsAfter(t.Context(), w.Actor, 0, nil, 500)
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
	enabled, err := w.Service.Outbound.UpdateWebhook(t.Context(), w.Actor, h.ID, outbound.WebhookChange{Enabled: vcd.Some(true)})
	must(t, err)
	if enabled.DisabledAt != nil || enabled.FailingSince != nil {
		t.Errorf("enabled: %+v", enabled)
	}
}
