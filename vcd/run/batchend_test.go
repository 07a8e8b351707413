package run_test

import (
	"fmt"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

func TestACancelledBatchEndsAtOnce(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 3, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	for _, e := range w.Jobs("capture") {
		w.Capture(e, "before")
	}
	w.Employ("plenty", 2, 2)
	batch := w.Take(vcd.QueuePost, g).Batches[0].ID
	running := w.Jobs("capture")
	done, stopped := running[0], running[1]
	_, err := w.Service.Runs.BeginCapture(w.Working(stopped), w.Actor, stopped)
	must(t, err)
	w.Capture(done, "after")
	b, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	if b.FinishedAt == nil || b.CancelledAt == nil || b.Counts != (vcd.StatusCounts{Done: 1, Failed: 11}) {
		t.Errorf("the batch: %+v", b)
	}
	if e := w.Entry(stopped); e.Status != vcd.QueueFailed || e.Reason != "cancelled" || e.ErrorMsg != "The run was cancelled." {
		t.Errorf("a running capture: %+v", e)
	}
	if a := w.FreshAccount(); a.ChecksReserved != 0 || a.ChecksDone != 7 {
		t.Errorf("%d checks are reserved and %d done", a.ChecksReserved, a.ChecksDone)
	}
	if n := len(w.Jobs("capture")) + len(w.Jobs("compare")); n != 0 {
		t.Errorf("%d jobs are left", n)
	}
	// The result of the running capture is discarded.
	must(t, w.Service.Runs.FinishCapture(w.Working(stopped), w.Actor, stopped, run.CaptureResult{Picture: w.Picture("late")}))
	if e := w.Entry(stopped); e.Status != vcd.QueueFailed {
		t.Errorf("then %+v", e)
	}
	again, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	if !again.UpdatedAt.Equal(b.UpdatedAt) {
		t.Error("a finished batch was changed by another cancellation")
	}
	_, err = w.Service.Runs.CancelBatch(t.Context(), vcd.Actor{Account: w.NewAccount("eve@example.com", 0).ID}, batch)
	wantCode(t, err, vcd.CodeNotFound)
	w.CheckInvariants()
}

// A run waiting for a baseline is told that the baseline will not come.
func TestACancelledBaselineLetsThoseWhoWaitForItGo(t *testing.T) {
	w := newWorld(t)
	g := w.desktopOnly("shop", 1, inventory.GroupChange{})
	pre := w.Take(vcd.QueuePre, g).Batches[0].ID
	post := w.Take(vcd.QueuePost, g).Batches[0].ID
	_, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, pre)
	must(t, err)
	w.Capture(w.Jobs("capture")[0], "after")
	if b := w.Batch(post); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 1, Failed: 1}) {
		t.Errorf("the batch that waited: %+v", b)
	}
	w.CheckInvariants()
}

func TestAnAccountThatMayNotGoOnHasNoOpenWork(t *testing.T) {
	for name, end := range map[string]func(w *world) error{
		"paused": func(w *world) error {
			_, err := w.Service.Accounts.PauseAccount(w.T.Context(), w.Account.ID)
			return err
		},
		"cancelled": func(w *world) error {
			_, err := w.Service.Accounts.CancelAccount(w.T.Context(), w.Account.ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			g, _ := w.Group("shop", 2, inventory.GroupChange{})
			sub, _, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("sub@example.com", 100))
			must(t, err)
			w.Take(vcd.QueuePre, g)
			_, err = w.Service.Inventory.AddFromSitemap(t.Context(), w.Actor, "example.com")
			must(t, err)
			owner := w.Actor
			w.Actor = vcd.Actor{Account: sub.ID}
			below, _ := w.Group("below", 1, inventory.GroupChange{})
			w.Take(vcd.QueuePre, below)
			w.Actor = owner
			w.Employ("plenty", 3, 3)
			w.HandOut()
			must(t, end(w))
			if n := vcdtest.Value[int](w.World,
				"SELECT count(*) FROM queue_entries WHERE status <> 'failed' OR reason <> 'cancelled' OR error_msg NOT LIKE "+
					"'%account was "+name+".'"); n != 0 {
				t.Errorf("%d entries have not ended for that reason", n)
			}
			queued := vcdtest.Value[int](w.World, "SELECT count(*) FROM test_jobs WHERE kind IN ('capture', 'compare', 'import')")
			if n := queued + vcdtest.Value[int](w.World, "SELECT count(*) FROM turns"); n != 0 {
				t.Errorf("%d jobs and turns are left", n)
			}
			if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM url_imports WHERE state = 'failed'"); n != 1 {
				t.Errorf("%d imports ended", n)
			}
			w.CheckInvariants()
		})
	}
}

// TestAllRunsOfAPausedAccountStop: also those whose entries end in the background only.
func TestAllRunsOfAPausedAccountStop(t *testing.T) {
	w := newWorld(t)
	const runs = 12
	for i := range runs {
		g, _ := w.Group(fmt.Sprintf("shop%d", i), 1, inventory.GroupChange{})
		w.Take(vcd.QueuePre, g)
	}
	_, err := w.Service.Accounts.PauseAccount(t.Context(), w.Account.ID)
	must(t, err)
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM batches WHERE cancelled_at IS NOT NULL"); n != runs {
		t.Errorf("%d of %d runs have stopped", n, runs)
	}
	w.Employ("plenty", 20, 3)
	if n := w.HandOut(); n != 0 {
		t.Errorf("%d captures begin", n)
	}
	w.endCancelled()
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE status <> 'failed'"); n != 0 {
		t.Errorf("%d entries have not ended", n)
	}
	w.CheckInvariants()
}

// TestALargeBatchIsCancelledInSteps: whoever cancels waits for the first of them only, and nothing begins meanwhile.
func TestALargeBatchIsCancelledInSteps(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 600, inventory.GroupChange{}) // of 2 devices each
	w.Take(vcd.QueuePre, g)
	w.Employ("plenty", 3, 3)
	w.HandOut()
	batch := vcdtest.Value[vcd.ID](w.World, "SELECT id::text FROM batches")
	started := w.Jobs("capture")
	if len(started) < 3 {
		t.Fatalf("%d captures were handed out", len(started))
	}
	inWork, about := started[0], started[1]
	_, err := w.Service.Runs.BeginCapture(w.Working(inWork), w.Actor, inWork)
	must(t, err)
	b, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	if b.CancelledAt == nil || b.FinishedAt != nil || b.Counts != (vcd.StatusCounts{Open: 700, Failed: 500}) {
		t.Fatalf("the answer: %+v", b)
	}
	if e := w.Entry(inWork); e.Status != vcd.QueueFailed || e.Reason != "cancelled" {
		t.Errorf("what was in work: %+v", e)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM turns") + len(w.Jobs("capture")); n != 0 {
		t.Errorf("%d turns and jobs are left, so more may begin", n)
	}
	if e := w.Entry(about); e.Status == vcd.QueueProcessing {
		t.Errorf("what was about to begin: %+v", e)
	}
	if _, err := w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, false); vcd.CodeOf(err) != vcd.CodeConflict {
		t.Errorf("a retry meanwhile: %v", err)
	}
	again, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	if !again.CancelledAt.Equal(*b.CancelledAt) || again.Counts.Failed != 1000 {
		t.Errorf("cancelled again: %+v", again)
	}
	w.endCancelled()
	if b := w.Batch(batch); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Failed: 1200}) {
		t.Errorf("in the end: %+v", b)
	}
	if a := w.FreshAccount(); a.ChecksReserved != 0 || a.ChecksDone != 0 {
		t.Errorf("%d checks are reserved and %d done", a.ChecksReserved, a.ChecksDone)
	}
	n := vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'queue_status_failed' AND batch_id = $1", string(batch))
	if last := vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'batch_finished'"); n != 1200 || last != 1 {
		t.Errorf("%d ends of entries and %d of the batch are told", n, last)
	}
	w.CheckInvariants()
}

// TestACancellationDoesNotWaitForAllThatWaitForIt: the comparisons of another run, which have no baseline now, cost more than entries
// of its own.
func TestACancellationDoesNotWaitForAllThatWaitForIt(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 150, inventory.GroupChange{}) // of 2 devices each
	pre := w.Take(vcd.QueuePre, g).Batches[0].ID
	for range 2 {
		w.Take(vcd.QueuePost, g)
	}
	w.AsSystem("UPDATE queue_entries SET status = 'done' WHERE type = 'post'") // their counts are not looked at
	compared := func() int {
		return vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE type = 'compare' AND status = 'failed'")
	}
	b, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, pre)
	must(t, err)
	if n := compared(); b.FinishedAt != nil || b.Counts != (vcd.StatusCounts{Open: 250, Failed: 50}) || n != 100 {
		t.Errorf("the answer: %+v; %d comparisons have ended", b, n)
	}
	w.endCancelled()
	if b := w.Batch(pre); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Failed: 300}) || compared() != 600 {
		t.Errorf("in the end: %+v; %d comparisons have ended", b, compared())
	}
}

// endCancelled does what processes do in the background.
func (w *world) endCancelled() {
	w.T.Helper()
	for more := true; more; {
		var err error
		more, err = w.Service.Runs.EndCancelled(w.T.Context(), 10)
		must(w.T, err)
	}
}

// The sweeper ends a run that begins at the same moment, and completes a cancellation whose process died.
func TestWhatACancellationLeftOverIsEnded(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 2, inventory.GroupChange{})
	half := w.Take(vcd.QueuePre, g).Batches[0].ID
	w.AsSystem("UPDATE batches SET cancelled_at = now() WHERE id = $1", string(half))
	other := w.Take(vcd.QueuePre, g).Batches[0].ID
	w.endCancelled()
	if b := w.Batch(half); b.FinishedAt == nil {
		t.Errorf("%+v", b)
	}
	if b := w.Batch(other); b.FinishedAt != nil {
		t.Errorf("%+v", b)
	}
	w.AsSystem("UPDATE accounts SET status = 'paused'")
	w.endCancelled()
	if b := w.Batch(other); b.FinishedAt == nil {
		t.Errorf("%+v", b)
	}
	w.CheckInvariants()
}

func TestFailedEntriesOfABatchAreTriedAgain(t *testing.T) {
	w := newWorld(t)
	g := w.desktopOnly("shop", 3, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	for _, e := range w.Jobs("capture") {
		w.Capture(e, "before")
	}
	batch := w.Take(vcd.QueuePost, g).Batches[0].ID
	entries := w.Jobs("capture")
	w.Capture(entries[0], "after")
	must(t, w.Service.Runs.FailComparison(t.Context(), w.Actor, w.Jobs("compare")[0], "not_comparable", "No."))
	must(t, w.Service.Runs.FailCapture(w.Working(entries[1]), w.Actor, entries[1], run.CaptureFailure{Reason: "tls", Sentence: "No."}))
	r, err := w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, false) // while it is running
	must(t, err)
	if r.Entries != 3 || r.Batch.Counts != (vcd.StatusCounts{Open: 5, Done: 1}) {
		t.Fatalf("%d entries are tried again: %+v", r.Entries, r.Batch)
	}
	if a := w.FreshAccount(); a.ChecksReserved != 2 || a.ChecksDone != 4 {
		t.Errorf("%d checks are reserved and %d done", a.ChecksReserved, a.ChecksDone)
	}
	w.CheckInvariants()
	_, err = w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	for range 2 {
		r, err = w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, false)
		must(t, err)
	}
	if r.Entries != 0 || r.Batch.FinishedAt != nil || r.Batch.CancelledAt != nil || r.Batch.Counts != (vcd.StatusCounts{Open: 5, Done: 1}) {
		t.Fatalf("once more: %d, %+v", r.Entries, r.Batch)
	}
	for _, e := range w.Jobs("capture") {
		w.Capture(e, "after")
	}
	for _, e := range w.Jobs("compare") {
		w.Compare(e, 0)
	}
	if b := w.Batch(batch); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 6}) {
		t.Errorf("in the end: %+v", b)
	}
	n := vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE kind = 'batch_finished' AND batch_id = $1", string(batch))
	if n != 2 {
		t.Errorf("it is told %d times that the batch finished", n)
	}
	w.CheckInvariants()
	for eve, code := range map[vcd.Actor]vcd.Code{{Account: w.NewAccount("eve@example.com", 0).ID}: vcd.CodeNotFound} {
		_, err = w.Service.Runs.RetryFailed(t.Context(), eve, batch, false)
		wantCode(t, err, code)
	}
}

func TestAnotherTryCostsChecks(t *testing.T) {
	w := newWorld(t)
	poor := w.NewAccount("poor@example.com", 2)
	w.Actor = vcd.Actor{Account: poor.ID}
	g := w.desktopOnly("shop", 2, inventory.GroupChange{})
	batch := w.Take(vcd.QueuePre, g).Batches[0].ID
	_, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	w.Take(vcd.QueuePre, g)
	_, err = w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, false)
	wantCode(t, err, vcd.CodeChecksExhausted)
	if b := w.Batch(batch); b.FinishedAt == nil || b.Counts.Failed != 2 {
		t.Errorf("the batch: %+v", b)
	}
	w.Clock.Advance(time.Second)
	w.CheckInvariants()
}
