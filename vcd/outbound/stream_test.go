package outbound_test

import (
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// TestNobodyFollowsTheFuture is about a number that was read from another account: its reader would miss everything until then.
func TestNobodyFollowsTheFuture(t *testing.T) {
	w := newWorld(t)
	w.Webhook("https://hooks.example.com", vcd.EventBatchFinished)
	last, err := w.Service.Outbound.LastEvent(t.Context(), w.Actor)
	must(t, err)
	future := last + 1
	if _, err := w.Service.Outbound.EventsAfter(t.Context(), w.Actor, last, nil, 1); err != nil {
		t.Errorf("after the newest: %v", err)
	}
	_, err = w.Service.Outbound.EventsAfter(t.Context(), w.Actor, future, nil, 1)
	vcdtest.WantField(t, err, "after", "future")
	_, err = w.Service.Outbound.Stream(t.Context(), w.Actor, &future, nil)
	vcdtest.WantField(t, err, "after", "future")
}
