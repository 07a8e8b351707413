package run_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// stopped is a run of which a few pages were captured, and compared if there is something to compare them with, and the rest cancelled.
func (w *world) stopped(kind vcd.QueueType, g *vcd.Group, captured int) vcd.ID {
	w.T.Helper()
	batch := w.Take(kind, g).Batches[0].ID
	for _, e := range w.Jobs("capture")[:captured] {
		w.Capture(e, "page "+string(kind)+string(w.Entry(e).URLID))
	}
	for _, e := range w.Jobs("compare") {
		w.Compare(e, 50)
	}
	_, err := w.Service.Runs.CancelBatch(w.T.Context(), w.Actor, batch)
	must(w.T, err)
	w.endCancelled()
	return batch
}

// shownOf tells how much of batches is shown.
func (w *world) shownOf() (batches, entries, comparisons, screenshots int) {
	w.T.Helper()
	page := vcd.Page{Size: 10, Total: true}
	b, err := w.Service.Runs.Batches(w.T.Context(), w.Actor, vcd.BatchFilter{}, page)
	must(w.T, err)
	e, err := w.Service.Runs.QueueEntries(w.T.Context(), w.Actor, vcd.QueueFilter{}, page, false)
	must(w.T, err)
	c, err := w.Service.Reviews.Comparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{}, page, true)
	must(w.T, err)
	s, err := w.Service.Reviews.Screenshots(w.T.Context(), w.Actor, vcd.ScreenshotFilter{}, page)
	must(w.T, err)
	if c.Total != c.AboveThreshold || len(c.Items) != min(c.Total, 10) || len(s.Items) != min(s.Total, 10) || len(b.Items) != b.Total {
		w.T.Errorf("%d comparisons, %d of them above their threshold, %d listed; %d of %d screenshots, %d of %d batches", c.Total,
			c.AboveThreshold, len(c.Items), len(s.Items), s.Total, len(b.Items), b.Total)
	}
	return b.Total, e.Total, c.Total, s.Total
}

// TestALargeBatchIsDeletedInSteps: it is gone for everybody at once, though its rows are removed later.
func TestALargeBatchIsDeletedInSteps(t *testing.T) {
	w := newWorld(t)
	g := w.desktopOnly("shop", 600, inventory.GroupChange{})
	pre := w.stopped(vcd.QueuePre, g, 3)
	post := w.stopped(vcd.QueuePost, g, 3)
	alarm := vcdtest.Value[vcd.ID](w.World, "SELECT id::text FROM comparisons LIMIT 1")
	batches, entries, comparisons, screenshots := w.shownOf()
	if batches != 2 || comparisons != 3 || screenshots != 6 {
		t.Fatalf("before: %d batches, %d comparisons, %d screenshots", batches, comparisons, screenshots)
	}
	must(t, w.Service.Runs.DeleteBatch(t.Context(), w.Actor, post))
	left := vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE batch_id = $1", string(post))
	if left == 0 {
		t.Fatal("everything was removed at once")
	}
	ended := entries - 600
	if b, e, c, s := w.shownOf(); b != 1 || e != entries-ended || c != 0 || s != 3 {
		t.Errorf("right after: %d batches, %d of %d entries, %d comparisons, %d screenshots are shown", b, e, entries, c, s)
	}
	_, err := w.Service.Runs.Batch(t.Context(), w.Actor, post)
	wantCode(t, err, vcd.CodeNotFound)
	_, err = w.Service.Reviews.Comparison(t.Context(), w.Actor, alarm)
	wantCode(t, err, vcd.CodeNotFound)
	_, err = w.Service.Reviews.SetComparisonStatus(t.Context(), w.Actor, alarm, vcd.ComparisonOK)
	wantCode(t, err, vcd.CodeNotFound)
	wantCode(t, w.Service.Runs.DeleteBatch(t.Context(), w.Actor, post), vcd.CodeNotFound)
	wantCode(t, w.Service.Runs.DeleteBatch(t.Context(), vcd.Actor{Account: w.NewAccount("eve@example.com", 0).ID}, pre), vcd.CodeNotFound)
	w.CheckInvariants()
	must(t, w.Service.Runs.DeleteBatch(t.Context(), w.Actor, pre)) // whose screenshots nothing that is shown is compared with
	w.CheckInvariants()
	w.removeDeleted()
	if n := vcdtest.Value[int](w.World, "SELECT (SELECT count(*) FROM batches) + (SELECT count(*) FROM queue_counts) + "+
		"(SELECT count(*) FROM images) + (SELECT count(*) FROM screenshots) + (SELECT count(*) FROM comparisons)"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	if a := w.FreshAccount(); a.ChecksDone != 6 {
		t.Errorf("%d checks are done", a.ChecksDone)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'batch_deleted'"); n != 2 {
		t.Errorf("it is told %d times", n)
	}
	w.CheckInvariants()
}

// TestADeletedBatchIsNoBaseline: the next run is compared with the one before it.
func TestADeletedBatchIsNoBaseline(t *testing.T) {
	w := newWorld(t)
	g := w.desktopOnly("shop", 1, inventory.GroupChange{})
	older := w.stopped(vcd.QueuePre, g, 1)
	newer := w.stopped(vcd.QueuePre, g, 1)
	w.AsSystem("UPDATE batches SET deleted_at = now() WHERE id = $1", string(newer)) // by a process that died then
	w.Take(vcd.QueuePost, g)
	w.Capture(w.Jobs("capture")[0], "after")
	w.Compare(w.Jobs("compare")[0], 1)
	of := vcdtest.Value[string](w.World, "SELECT s.batch_id::text FROM comparisons AS c JOIN screenshots AS s ON s.id = c.before_id")
	if of != string(older) {
		t.Errorf("it was compared with batch %s, neither deleted %s nor kept %s", of, newer, older)
	}
	w.removeDeleted()
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM batches"); n != 2 {
		t.Errorf("%d batches are left", n)
	}
	w.CheckInvariants()
}

// TestWhatADyingProcessBeganIsCompleted: several processes cancel and remove, and are stopped in the middle of it.
func TestWhatADyingProcessBeganIsCompleted(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 600, inventory.GroupChange{})
	batch := w.Take(vcd.QueuePre, g).Batches[0].ID
	_, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	inTurn := func(step func(ctx context.Context, limit int) (bool, error)) {
		t.Helper()
		ctx, kill := context.WithCancel(t.Context())
		defer kill()
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				kill() // some have just begun, some are in the middle of a statement
				if _, err := step(ctx, 10); err != nil && !errors.Is(err, context.Canceled) && vcd.CodeOf(err) != vcd.CodeUnavailable {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for range 3 {
			all.Go(func() {
				for more := true; more; {
					var err error
					if more, err = step(t.Context(), 10); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
	}
	inTurn(w.Service.Runs.EndCancelled)
	if b := w.Batch(batch); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Failed: 1200}) {
		t.Errorf("cancelled: %+v", b)
	}
	w.CheckInvariants()
	must(t, w.Service.Runs.DeleteBatch(t.Context(), w.Actor, batch))
	inTurn(w.Service.Runs.RemoveDeleted)
	if n := vcdtest.Value[int](w.World, "SELECT (SELECT count(*) FROM batches) + (SELECT count(*) FROM queue_entries)"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	w.CheckInvariants()
}

// removeDeleted does what processes do in the background.
func (w *world) removeDeleted() {
	w.T.Helper()
	for more := true; more; {
		var err error
		more, err = w.Service.Runs.RemoveDeleted(w.T.Context(), 10)
		must(w.T, err)
	}
}
