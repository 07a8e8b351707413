package db_test

import (
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

func TestACancelledBatchEndsAtOnce(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("shop", 3, inventory.GroupChange{})
	w.take(vcd.QueuePre, g)
	for _, e := range w.jobs("capture") {
		w.capture(e, "before")
	}
	w.employ("plenty", 2, 2)
	batch := w.take(vcd.QueuePost, g).Batches[0].ID
	running := w.jobs("capture")
	done, stopped := running[0], running[1]
	_, err := w.service.Runs.BeginCapture(w.working(stopped), w.actor, stopped)
	must(t, err)
	w.capture(done, "after")
	b, err := w.service.Runs.CancelBatch(t.Context(), w.actor, batch)
	must(t, err)
	if b.FinishedAt == nil || b.CancelledAt == nil || b.Counts != (vcd.StatusCounts{Done: 1, Failed: 11}) {
		t.Errorf("the batch: %+v", b)
	}
	if e := w.entry(stopped); e.Status != vcd.QueueFailed || e.Reason != "cancelled" || e.ErrorMsg != "The run was cancelled." {
		t.Errorf("a running capture: %+v", e)
	}
	if a := w.freshAccount(); a.ChecksReserved != 0 || a.ChecksDone != 7 {
		t.Errorf("%d checks are reserved and %d done", a.ChecksReserved, a.ChecksDone)
	}
	if n := len(w.jobs("capture")) + len(w.jobs("compare")); n != 0 {
		t.Errorf("%d jobs are left", n)
	}
	// What the running capture still brings is dropped.
	must(t, w.service.Runs.FinishCapture(w.working(stopped), w.actor, stopped, run.CaptureResult{Picture: w.picture("late")}))
	if e := w.entry(stopped); e.Status != vcd.QueueFailed {
		t.Errorf("then %+v", e)
	}
	again, err := w.service.Runs.CancelBatch(t.Context(), w.actor, batch)
	must(t, err)
	if !again.UpdatedAt.Equal(b.UpdatedAt) {
		t.Error("a finished batch was changed by another cancellation")
	}
	_, err = w.service.Runs.CancelBatch(t.Context(), vcd.Actor{Account: w.newAccount("eve@example.com", 0).ID}, batch)
	wantCode(t, err, vcd.CodeNotFound)
	w.checkInvariants()
}

// A run that waits for a baseline learns that it does not come.
func TestACancelledBaselineLetsThoseWhoWaitForItGo(t *testing.T) {
	w := newWorld(t)
	g := w.desktopOnly("shop", 1, inventory.GroupChange{})
	pre := w.take(vcd.QueuePre, g).Batches[0].ID
	post := w.take(vcd.QueuePost, g).Batches[0].ID
	_, err := w.service.Runs.CancelBatch(t.Context(), w.actor, pre)
	must(t, err)
	w.capture(w.jobs("capture")[0], "after")
	if b := w.batch(post); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 1, Failed: 1}) {
		t.Errorf("the batch that waited: %+v", b)
	}
	w.checkInvariants()
}

func TestAnAccountThatMayNotGoOnHasNoOpenWork(t *testing.T) {
	for name, end := range map[string]func(w *world) error{
		"paused": func(w *world) error {
			_, err := w.service.Accounts.PauseAccount(w.t.Context(), w.account.ID)
			return err
		},
		"cancelled": func(w *world) error {
			_, err := w.service.Accounts.CancelAccount(w.t.Context(), w.account.ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			g, _ := w.group("shop", 2, inventory.GroupChange{})
			sub, _, err := w.service.Accounts.CreateSubaccount(t.Context(), w.actor, subaccount("sub@example.com", 100))
			must(t, err)
			w.take(vcd.QueuePre, g)
			_, err = w.service.Inventory.AddFromSitemap(t.Context(), w.actor, "example.com")
			must(t, err)
			owner := w.actor
			w.actor = vcd.Actor{Account: sub.ID}
			below, _ := w.group("below", 1, inventory.GroupChange{})
			w.take(vcd.QueuePre, below)
			w.actor = owner
			w.employ("plenty", 3, 3)
			w.handOut()
			must(t, end(w))
			if n := value[int](w,
				"SELECT count(*) FROM queue_entries WHERE status <> 'failed' OR reason <> 'cancelled' OR error_msg NOT LIKE "+
					"'%account was "+name+".'"); n != 0 {
				t.Errorf("%d entries have not ended for that reason", n)
			}
			if n := value[int](w, "SELECT count(*) FROM test_jobs WHERE kind IN ('capture', 'compare', 'import')") + value[int](w,
				"SELECT count(*) FROM turns"); n != 0 {
				t.Errorf("%d jobs and turns are left", n)
			}
			if n := value[int](w, "SELECT count(*) FROM url_imports WHERE state = 'failed'"); n != 1 {
				t.Errorf("%d imports ended", n)
			}
			w.checkInvariants()
		})
	}
}

// A run that begins at the same moment, and a cancellation that nobody lived to finish, are ended by the sweeper.
func TestWhatACancellationLeftOverIsEnded(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("shop", 2, inventory.GroupChange{})
	half := w.take(vcd.QueuePre, g).Batches[0].ID
	w.asSystem("UPDATE batches SET cancelled_at = now() WHERE id = $1", string(half))
	other := w.take(vcd.QueuePre, g).Batches[0].ID
	must(t, w.service.Runs.EndCancelled(t.Context(), 10))
	if b := w.batch(half); b.FinishedAt == nil {
		t.Errorf("%+v", b)
	}
	if b := w.batch(other); b.FinishedAt != nil {
		t.Errorf("%+v", b)
	}
	w.asSystem("UPDATE accounts SET status = 'paused'")
	must(t, w.service.Runs.EndCancelled(t.Context(), 10))
	if b := w.batch(other); b.FinishedAt == nil {
		t.Errorf("%+v", b)
	}
	w.checkInvariants()
}

func TestFailedEntriesOfABatchAreTriedAgain(t *testing.T) {
	w := newWorld(t)
	g := w.desktopOnly("shop", 3, inventory.GroupChange{})
	w.take(vcd.QueuePre, g)
	for _, e := range w.jobs("capture") {
		w.capture(e, "before")
	}
	batch := w.take(vcd.QueuePost, g).Batches[0].ID
	entries := w.jobs("capture")
	w.capture(entries[0], "after")
	must(t, w.service.Runs.FailComparison(t.Context(), w.actor, w.jobs("compare")[0], "not_comparable", "No."))
	must(t, w.service.Runs.FailCapture(w.working(entries[1]), w.actor, entries[1], run.CaptureFailure{Reason: "tls", Sentence: "No."}))
	r, err := w.service.Runs.RetryFailed(t.Context(), w.actor, batch) // while it runs
	must(t, err)
	if r.Entries != 3 || r.Batch.Counts != (vcd.StatusCounts{Open: 5, Done: 1}) {
		t.Fatalf("%d entries are tried again: %+v", r.Entries, r.Batch)
	}
	if a := w.freshAccount(); a.ChecksReserved != 2 || a.ChecksDone != 4 {
		t.Errorf("%d checks are reserved and %d done", a.ChecksReserved, a.ChecksDone)
	}
	w.checkInvariants()
	_, err = w.service.Runs.CancelBatch(t.Context(), w.actor, batch)
	must(t, err)
	for range 2 {
		r, err = w.service.Runs.RetryFailed(t.Context(), w.actor, batch)
		must(t, err)
	}
	if r.Entries != 0 || r.Batch.FinishedAt != nil || r.Batch.CancelledAt != nil || r.Batch.Counts != (vcd.StatusCounts{Open: 5, Done: 1}) {
		t.Fatalf("once more: %d, %+v", r.Entries, r.Batch)
	}
	for _, e := range w.jobs("capture") {
		w.capture(e, "after")
	}
	for _, e := range w.jobs("compare") {
		w.compare(e, 0)
	}
	if b := w.batch(batch); b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 6}) {
		t.Errorf("in the end: %+v", b)
	}
	if n := value[int](w, "SELECT count(*) FROM events WHERE kind = 'batch_finished' AND batch_id = $1", string(batch)); n != 2 {
		t.Errorf("it is told %d times that the batch finished", n)
	}
	w.checkInvariants()
	for eve, code := range map[vcd.Actor]vcd.Code{{Account: w.newAccount("eve@example.com", 0).ID}: vcd.CodeNotFound} {
		_, err = w.service.Runs.RetryFailed(t.Context(), eve, batch)
		wantCode(t, err, code)
	}
}

func TestAnotherTryCostsChecks(t *testing.T) {
	w := newWorld(t)
	poor := w.newAccount("poor@example.com", 2)
	w.actor = vcd.Actor{Account: poor.ID}
	g := w.desktopOnly("shop", 2, inventory.GroupChange{})
	batch := w.take(vcd.QueuePre, g).Batches[0].ID
	_, err := w.service.Runs.CancelBatch(t.Context(), w.actor, batch)
	must(t, err)
	w.take(vcd.QueuePre, g)
	_, err = w.service.Runs.RetryFailed(t.Context(), w.actor, batch)
	wantCode(t, err, vcd.CodeChecksExhausted)
	if b := w.batch(batch); b.FinishedAt == nil || b.Counts.Failed != 2 {
		t.Errorf("the batch: %+v", b)
	}
	w.clock.advance(time.Second)
	w.checkInvariants()
}
