package outbound_test

import (
	"context"
	"testing"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
)

// TestAWebhookReceivesItsEventsOfItsGroups runs two groups, one of them a website's, and reviews a comparison of the other one.
func TestAWebhookReceivesItsEventsOfItsGroups(t *testing.T) {
	w := newWorld(t)
	site, ofSite, _ := w.Pair("blog.example.com")
	register := func(groups, websites []vcd.ID, events ...vcd.EventKind) *vcd.Webhook {
		h, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, outbound.WebhookChange{
			URL: vcd.Some("https://hooks.example.com"), Events: vcd.Some(events),
			GroupIDs: vcd.Some(groups), WebsiteIDs: vcd.Some(websites),
		})
		must(t, err)
		return h
	}
	all := register(nil, nil, vcd.EventComparisonReviewed, vcd.EventQueueStatusDone, vcd.EventComparisonStatusNew)
	elsewhere := register(nil, []vcd.ID{site.ID}, vcd.EventComparisonReviewed, vcd.EventQueueStatusDone, vcd.EventBatchFinished)
	empty := register([]vcd.ID{ofSite.ID}, nil, vcd.EventQueueStatusDone)
	shop, seen := w.Seen("shop.example.com")
	own := register([]vcd.ID{shop.ID}, nil, vcd.EventComparisonReviewed)
	_, err := w.Service.Reviews.SetComparisonStatus(t.Context(), w.Actor, seen.ID, vcd.ComparisonToFix)
	must(t, err)
	w.RelayAll()
	kinds := func(h *vcd.Webhook) map[vcd.EventKind]int {
		n := make(map[vcd.EventKind]int)
		for _, d := range w.deliveriesTo(h.ID) {
			n[d.Event]++
		}
		return n
	}
	got := kinds(all)
	if got[vcd.EventComparisonReviewed] != 1 || got[vcd.EventComparisonStatusNew] == 0 || got[vcd.EventQueueStatusDone] == 0 {
		t.Errorf("of all groups: %v", got)
	}
	if got := kinds(own); len(got) != 1 || got[vcd.EventComparisonReviewed] != 1 {
		t.Errorf("of the group: %v", got)
	}
	if got, too := kinds(elsewhere), kinds(empty); len(got)+len(too) > 0 {
		t.Errorf("of another group: %v, %v", got, too)
	}
	if d := w.deliveriesTo(own.ID)[0]; d.SubjectID != seen.ID || d.Number == nil {
		t.Errorf("reviewed: %+v", d)
	}
	w.CheckInvariants()
}

func TestTheReachOfAWebhookIsChecked(t *testing.T) {
	w := newWorld(t)
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	foreign, err := w.Service.Inventory.CreateGroup(t.Context(), stranger, inventory.GroupChange{Name: vcd.Some("B")})
	must(t, err)
	try := func(in outbound.WebhookChange) error {
		in.URL = vcd.Some("https://hooks.example.com")
		_, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, in)
		return err
	}
	one := vcd.Some(vcd.EventBatchFinished)
	vcdtest.WantField(t, try(outbound.WebhookChange{}), "event", "required")
	vcdtest.WantField(t, try(outbound.WebhookChange{Events: vcd.Some([]vcd.EventKind{})}), "events", "required")
	vcdtest.WantField(t, try(outbound.WebhookChange{Event: one, Events: vcd.Some([]vcd.EventKind{vcd.EventRunMissed})}), "events",
		"contains")
	vcdtest.WantField(t, try(outbound.WebhookChange{Events: vcd.Some([]vcd.EventKind{vcd.EventBatchFinished, vcd.EventBatchCreated})}),
		"events.1", "in")
	vcdtest.WantField(t, try(outbound.WebhookChange{Events: vcd.Some([]vcd.EventKind{vcd.EventRunMissed, vcd.EventRunMissed})}),
		"events.1", "distinct")
	vcdtest.WantField(t, try(outbound.WebhookChange{Event: one, GroupIDs: vcd.Some([]vcd.ID{foreign.ID})}), "groupIds.0", "exists")
	vcdtest.WantField(t, try(outbound.WebhookChange{Event: one, WebsiteIDs: vcd.Some([]vcd.ID{""})}), "websiteIds.0", "exists")
	vcdtest.WantField(t, try(outbound.WebhookChange{Event: one, GroupIDs: vcd.Some(make([]vcd.ID, 10_000))}), "groupIds", "max")
}

// TestAClientOfOneEventKeepsTheOthers: version 2 shows the first event only, and its clients send back what they were shown.
func TestAClientOfOneEventKeepsTheOthers(t *testing.T) {
	w := newWorld(t)
	h, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, outbound.WebhookChange{
		URL: vcd.Some("https://hooks.example.com"), Events: vcd.Some([]vcd.EventKind{vcd.EventRunMissed, vcd.EventChecksLow}),
	})
	must(t, err)
	change := func(event vcd.EventKind) *vcd.Webhook {
		changed, err := w.Service.Outbound.UpdateWebhook(t.Context(), w.Actor, h.ID, outbound.WebhookChange{Event: vcd.Some(event)})
		must(t, err)
		return changed
	}
	if same := change(vcd.EventRunMissed); len(same.Events) != 2 {
		t.Errorf("sent back: %v", same.Events)
	}
	if other := change(vcd.EventChecksLow); len(other.Events) != 1 || other.Event() != vcd.EventChecksLow {
		t.Errorf("another one: %v", other.Events)
	}
}

// TestVerificationIsNoReview settles comparisons by a model, which changes their status without anybody having looked at them.
func TestVerificationIsNoReview(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	w.Service = w.Service.With(func(c *app.Config) { c.ModelBudget = 4 })
	h, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, outbound.WebhookChange{
		URL:    vcd.Some("https://hooks.example.com"),
		Events: vcd.Some([]vcd.EventKind{vcd.EventComparisonReviewed, vcd.EventComparisonSilenced}),
	})
	must(t, err)
	g, _ := w.Group("lamps", 1, inventory.GroupChange{})
	_, compared := w.Round(g, true, 5, vcdtest.Lamp(vcd.CategoryNotSure))
	harmless := vcd.Consultation{
		Opinions: map[int]vcd.Opinion{1: {Category: vcd.CategoryAllGood, Reason: "It says so.", Confidence: 0.6}},
	}
	for _, c := range compared {
		must(t, w.Service.Runs.FinishVerification(w.Working(c.QueueID), w.Actor, c.QueueID, harmless))
	}
	w.RelayAll()
	list := w.deliveriesTo(h.ID)
	if len(list) != len(compared) {
		t.Errorf("%d deliveries of %d comparisons", len(list), len(compared))
	}
	for _, d := range list {
		if d.Event != vcd.EventComparisonSilenced {
			t.Errorf("told of %s", d.Event)
		}
	}
}

// TestAllNarrowWebhooksHearOfTheAccount is about checks_low and run_missed, one of the account, the other of a group.
func TestAllNarrowWebhooksHearOfTheAccount(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("one", 1, inventory.GroupChange{})
	other, _ := w.Group("other", 1, inventory.GroupChange{})
	h, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, outbound.WebhookChange{
		URL: vcd.Some("https://hooks.example.com"), GroupIDs: vcd.Some([]vcd.ID{g.ID}),
		Events: vcd.Some([]vcd.EventKind{vcd.EventChecksLow, vcd.EventRunMissed}),
	})
	must(t, err)
	now := w.Clock.Now()
	must(t, w.DB.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
		return tx.AppendEvents(ctx,
			vcd.NewEvent(now, vcd.EventChecksLow, vcd.SubjectAccount, w.Actor.Account),
			vcd.NewEvent(now, vcd.EventRunMissed, vcd.SubjectGroup, other.ID),
			vcd.NewEvent(now, vcd.EventRunMissed, vcd.SubjectGroup, g.ID))
	}))
	w.RelayAll()
	list := w.deliveriesTo(h.ID)
	if len(list) != 2 || list[0].SubjectID == other.ID || list[1].SubjectID == other.ID || list[0].Event == list[1].Event {
		t.Errorf("%d deliveries: %+v", len(list), list)
	}
}
