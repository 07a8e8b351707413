package outbound_test

import (
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
)

// TestAVerdictIsToldOfRunsAfterAnUpdateOnly: of the run before there is none, and the end of the one after has both names.
func TestAVerdictIsToldOfRunsAfterAnUpdateOnly(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("a", 1, inventory.GroupChange{})
	h, err := w.Service.Outbound.CreateWebhook(t.Context(), w.Actor, outbound.WebhookChange{URL: vcd.Some("https://hooks.example.com"),
		Events: vcd.Some([]vcd.EventKind{vcd.EventBatchFinished, vcd.EventBatchDecided})})
	must(t, err)
	w.Take(vcd.QueuePre, g)
	w.Look("before")
	after := w.Take(vcd.QueuePost, g).Batches[0].ID
	w.Look("after")
	w.RelayAll()
	told := map[vcd.EventKind]int{}
	for _, d := range w.deliveriesTo(h.ID) {
		if told[d.Event]++; d.Event == vcd.EventBatchDecided && d.SubjectID != after {
			t.Errorf("a verdict on %s, which is not the run after", d.SubjectID)
		}
	}
	if told[vcd.EventBatchFinished] != 2 || told[vcd.EventBatchDecided] != 1 {
		t.Errorf("told %v", told)
	}
	w.CheckInvariants()
}
