package outbound_test

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/outbound"
)

func TestAWebhookComesBackAsItWasStored(t *testing.T) {
	w := newWorld(t)
	soon := w.Clock.Now().Add(time.Hour)
	made, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, outbound.WebhookChange{
		URL: vcd.Some(" https://Hooks.Example.COM/a?b=1#c "), Event: vcd.Some(vcd.EventBatchFinished), ExpiresAt: vcd.Some(soon),
	})
	must(t, err)
	if made.URL != "https://hooks.example.com/a?b=1" || !made.Live(w.Clock.Now()) || made.Live(soon) {
		t.Errorf("made %+v", made)
	}
	stored := func() *vcd.Webhook {
		got, err := w.Service.Outbound.Webhook(t.Context(), w.Actor, made.ID)
		must(t, err)
		return got
	}
	if diff := cmp.Diff(made, stored()); diff != "" {
		t.Errorf("stored and read differ:\n%s", diff)
	}
	change := func(in outbound.WebhookChange) *vcd.Webhook {
		w.Clock.Advance(time.Second)
		changed, err := w.Service.Outbound.UpdateWebhook(t.Context(), w.Actor, made.ID, in)
		must(t, err)
		if diff := cmp.Diff(changed, stored()); diff != "" {
			t.Errorf("changed and read differ:\n%s", diff)
		}
		return changed
	}
	off := change(outbound.WebhookChange{Enabled: vcd.Some(false), ExpiresAt: vcd.Null[time.Time]()})
	if off.DisabledReason != outbound.DisabledByOwner || off.Live(w.Clock.Now()) || off.ExpiresAt != nil {
		t.Errorf("switched off: %+v", off)
	}
	if still := change(outbound.WebhookChange{Event: vcd.Some(vcd.EventQueueStatusDone)}); still.DisabledAt == nil ||
		still.Event() != vcd.EventQueueStatusDone {
		t.Errorf("changed: %+v", still)
	}
	if moved := change(outbound.WebhookChange{URL: vcd.Some("http://hooks.example.com")}); moved.DisabledAt != nil {
		t.Errorf("with a new address: %+v", moved)
	}
	w.Webhook("https://hooks.example.com", vcd.EventBatchFinished)
	list, err := w.Service.Outbound.Webhooks(t.Context(), w.Actor, vcd.WebhookFilter{Events: &[]vcd.EventKind{vcd.EventQueueStatusDone}},
		vcd.Page{Size: 15, Total: true})
	if err != nil || list.Total != 1 || list.Items[0].ID != made.ID {
		t.Errorf("by event: %d, %v", list.Total, err)
	}
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	_, err = w.Service.Outbound.UpdateWebhook(t.Context(), stranger, made.ID, outbound.WebhookChange{})
	wantCode(t, err, vcd.CodeNotFound)
	wantCode(t, w.Service.Outbound.DeleteWebhook(t.Context(), stranger, made.ID), vcd.CodeNotFound)
	must(t, w.Service.Outbound.DeleteWebhook(t.Context(), w.Actor, made.ID))
	wantCode(t, w.Service.Outbound.DeleteWebhook(t.Context(), w.Actor, made.ID), vcd.CodeNotFound)
	w.CheckInvariants()
}

func TestWebhooksAreRefusedFieldByField(t *testing.T) {
	w := newWorld(t)
	w.Service = w.Service.With(func(c *app.Config) {
		c.MayReach = func(host string, port uint16) bool { return host != "10.0.0.1" && port != 25 }
	})
	try := func(address string, event vcd.EventKind, expires *time.Time) error {
		_, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, outbound.WebhookChange{
			URL: vcd.Some(address), Event: vcd.Some(event), ExpiresAt: vcd.Optional[time.Time]{Set: true, Value: expires},
		})
		return err
	}
	past := w.Clock.Now()
	for address, rule := range map[string]string{
		"": "required", "ftp://example.com": "url", "https://": "url", "https://u:p@example.com": "url", "mailto:a@example.com": "url",
		"https://example.com:0": "url", "https://example.com:99999": "url", "example.com": "url",
		"https://a b": "url", "http://10.0.0.1/x": "public",
		"https://example.com:25": "public", "https://example.com/" + strings.Repeat("a", 2048): "max",
	} {
		vcdtest.WantField(t, try(address, vcd.EventBatchFinished, nil), "url", rule)
	}
	vcdtest.WantField(t, try("https://example.com", vcd.EventBatchCreated, nil), "event", "in")
	vcdtest.WantField(t, try("https://example.com", vcd.EventBatchFinished, &past), "expiresAt", "after")
}

func TestAnAccountHasAHundredWebhooksAtMost(t *testing.T) {
	w := newWorld(t)
	for range 95 {
		w.Webhook("https://example.com", vcd.EventBatchFinished)
	}
	var refused atomic.Int64
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			_, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, outbound.WebhookChange{URL: vcd.Some("https://example.com"),
				Event: vcd.Some(vcd.EventBatchFinished)})
			if vcd.CodeOf(err) == vcd.CodeInvalid {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if refused.Load() != 5 {
		t.Errorf("%d of 10 were refused, want 5", refused.Load())
	}
}

// TestWebhookEventsAreTheDomains checks the tables against the domain's list of webhook events.
func TestWebhookEventsAreTheDomains(t *testing.T) {
	w := newWorld(t)
	calls := []vcd.EventKind{vcd.EventSingleCall, vcd.EventCron}
	for table, more := range map[string][]vcd.EventKind{"webhooks": calls, "deliveries": append(calls, vcd.EventPing)} {
		allowed := vcdtest.Value[string](w.World, `SELECT pg_get_constraintdef(c.oid) FROM pg_constraint c
			JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
			WHERE c.conrelid = $1::regclass AND c.contype = 'c' AND a.attname LIKE 'event%'`, table)
		kinds := append(slices.Collect(maps.Keys(vcd.WebhookSubjects)), more...)
		for _, kind := range kinds {
			if !strings.Contains(allowed, "'"+string(kind)+"'") {
				t.Errorf("%s lacks %s: %s", table, kind, allowed)
			}
		}
		if n := strings.Count(allowed, "'") / 2; n != len(kinds) {
			t.Errorf("%s allows %d kinds, want %d: %s", table, n, len(kinds), allowed)
		}
	}
}
