package run_test

import (
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// TestTheRunOfADeletedGroupEndsAtOnce: each of its pages took a turn, and where screenshots are delayed, a delay.
func TestTheRunOfADeletedGroupEndsAtOnce(t *testing.T) {
	w := newWorld(t)
	other, _ := w.Group("other", 1, inventory.GroupChange{})
	g, _ := w.Group("shop", 100, inventory.GroupChange{}) // of 2 devices each
	pre := w.Take(vcd.QueuePre, g, other).Batches[0].ID
	post := w.Take(vcd.QueuePost, g, other).Batches[0].ID
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	for _, batch := range []vcd.ID{pre, post} {
		first := vcd.ID(vcdtest.Value[string](w.World, "SELECT id::text FROM queue_entries WHERE batch_id = $1 AND group_id = $2 "+
			"AND type <> 'compare' ORDER BY id LIMIT 1", string(batch), string(g.ID)))
		before := len(w.Jobs("capture"))
		task, err := w.Service.Runs.BeginCapture(w.Working(first), w.Actor, first)
		must(t, err)
		if task != nil || len(w.Jobs("capture")) > before {
			t.Errorf("the page of a deleted group is captured: %+v", task)
		}
		if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM turns WHERE batch_id = $1", string(batch)); n != 2 {
			t.Errorf("%d turns are left, want those of the other group's page", n)
		}
	}
	if b := w.Batch(pre); b.Counts != (vcd.StatusCounts{Open: 2, Failed: 200}) {
		t.Errorf("the screenshots before: %+v", b.Counts)
	}
	if b := w.Batch(post); b.Counts != (vcd.StatusCounts{Open: 4, Failed: 400}) {
		t.Errorf("the screenshots after and their comparisons: %+v", b.Counts)
	}
	for reason, want := range map[string]int{"withdrawn": 400, "no_screenshot": 200} {
		n := vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE reason = $1 AND error_msg LIKE "+
			"'%The URL or its group was removed before the screenshot was taken.'", reason)
		if n != want {
			t.Errorf("%d entries failed with %s, want %d", n, reason, want)
		}
	}
	if a := w.FreshAccount(); a.ChecksReserved != 4 {
		t.Errorf("%d checks are reserved, want those of the other group's page", a.ChecksReserved)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'queue_status_failed'"); n != 600 {
		t.Errorf("%d ends of entries are told", n)
	}
	w.CheckInvariants()
}

// TestAPageThatWasTakenOutEndsAlone: others of the run go on.
func TestAPageThatWasTakenOutEndsAlone(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("shop", 3, inventory.GroupChange{})
	batch := w.Take(vcd.QueuePre, g).Batches[0].ID
	must(t, w.Service.Inventory.DeleteURL(t.Context(), w.Actor, urls[1].ID))
	entry := vcd.ID(vcdtest.Value[string](w.World, "SELECT id::text FROM queue_entries WHERE url_id = $1 ORDER BY id LIMIT 1",
		string(urls[1].ID)))
	_, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
	must(t, err)
	if b := w.Batch(batch); b.Counts != (vcd.StatusCounts{Open: 4, Failed: 2}) {
		t.Errorf("the run: %+v", b.Counts)
	}
	w.CheckInvariants()
}
