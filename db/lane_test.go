package db_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"afterimage/vcd"
)

func TestThreeDispatchersKeepTheGapOfEveryLane(t *testing.T) {
	w := newWorld(t)
	const delay, accounts, pages = 7, 3, 5
	for i := range accounts {
		w.actor = vcd.Actor{Account: w.newAccount(fmt.Sprintf("lane%d@example.com", i), 0).ID}
		g, _ := w.group("slow", pages, vcd.GroupChange{ScreenshotDelay: vcd.Some(delay)})
		w.take(vcd.QueuePre, g)
	}
	if n := len(w.jobs("capture")); n != 0 {
		t.Fatalf("%d captures passed the lane by", n)
	}
	const total = accounts * pages * 2
	for seconds := 0; len(w.jobs("capture")) < total; seconds++ {
		if seconds > delay*pages*2+1 {
			t.Fatalf("only %d of %d captures were dispatched in %d seconds", len(w.jobs("capture")), total, seconds)
		}
		w.dispatchAll(3)
		w.clock.advance(time.Second)
	}
	w.clock.advance(delay * time.Second)
	w.dispatchAll(3)
	if n := value[int](w, "SELECT count(*) FROM lanes WHERE next_at IS NOT NULL"); n != 0 {
		t.Errorf("%d lanes are open and nothing waits", n)
	}
	if n := value[int](w, "SELECT count(*) - count(DISTINCT entry) FROM test_jobs"); n != 0 {
		t.Errorf("%d captures were dispatched twice", n)
	}
	gap := value[float64](w, `SELECT min(extract(epoch FROM gap))::float8 FROM (
		SELECT updated_at - lag(updated_at) OVER (PARTITION BY account_id ORDER BY updated_at) AS gap FROM queue_entries) AS g`)
	if gap < delay {
		t.Errorf("two dispatches of an account are %g s apart", gap)
	}
	w.checkInvariants()
}

// dispatchAll lets n dispatchers empty the due lanes.
func (w *world) dispatchAll(n int) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			for {
				due, err := w.service.DispatchDue(w.t.Context())
				if err != nil {
					w.t.Errorf("dispatch: %v", err)
				}
				if !due {
					return
				}
			}
		})
	}
	all.Wait()
}

func TestARetryGoesBackThroughTheLane(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("slow", 1, vcd.GroupChange{ScreenshotDelay: vcd.Some(7)})
	_, err := w.service.SelectAll(t.Context(), w.actor, g.ID, vcd.Mobile, false)
	must(t, err)
	w.take(vcd.QueuePre, g)
	w.dispatchAll(1)
	entry := w.jobs("capture")[0]
	_, err = w.service.BeginCapture(w.working(entry), w.actor, entry)
	must(t, err)
	w.clock.advance(8 * time.Second)
	w.dispatchAll(1) // closes the lane
	must(t, w.service.FailCapture(w.working(entry), w.actor, entry, vcd.CaptureFailure{Reason: "timeout", Retryable: true}))
	w.dispatchAll(1)
	if n := len(w.jobs("capture")); n != 0 {
		t.Fatalf("the retry was dispatched without its pause")
	}
	w.checkInvariants()
	w.clock.advance(10 * time.Second)
	w.dispatchAll(1)
	w.capture(w.jobs("capture")[0], "at last")
	w.checkInvariants()
}

func TestALaneWhoseDispatchFailedLetsOthersGoFirst(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("slow", 1, vcd.GroupChange{ScreenshotDelay: vcd.Some(7)})
	w.take(vcd.QueuePre, g)
	taken, err := w.db.TakeDueLane(t.Context(), w.clock.Now(), func(ctx context.Context, account vcd.ID, tx vcd.Tx) (time.Time, error) {
		if account != w.account.ID {
			t.Errorf("the lane of %s was taken", account)
		}
		return time.Time{}, errOnPurpose
	})
	if taken || err == nil {
		t.Errorf("taken %t, error %v", taken, err)
	}
	w.dispatchAll(1)
	if n := len(w.jobs("capture")); n != 0 {
		t.Errorf("%d captures dispatched at once", n)
	}
	w.clock.advance(31 * time.Second)
	w.dispatchAll(1)
	if n := len(w.jobs("capture")); n != 1 {
		t.Errorf("%d captures dispatched after a while", n)
	}
}

func TestStrandedEntriesHaveNoLiveJob(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("crash", 4, vcd.GroupChange{})
	w.take(vcd.QueuePre, g)
	entries := w.jobs("capture")
	for i, state := range []string{"available", "scheduled", "retryable", "running", "pending"} {
		w.riverJob(entries[i], state)
	}
	w.riverJob(entries[5], "discarded")
	w.capture(entries[6], "fine")
	w.clock.advance(time.Hour)
	stranded, err := w.db.StrandedEntries(t.Context(), w.clock.Now(), 100)
	must(t, err)
	if len(stranded) != 2 || stranded[0].Account != w.account.ID || stranded[0].Type != vcd.QueuePre {
		t.Fatalf("stranded: %+v", stranded)
	}
	for _, e := range stranded {
		if e.Entry != entries[5] && e.Entry != entries[7] {
			t.Errorf("entry %s is not stranded", e.Entry)
		}
	}
	young, err := w.db.StrandedEntries(t.Context(), w.clock.Now().Add(-2*time.Hour), 100)
	must(t, err)
	if len(young) != 0 {
		t.Errorf("%d entries are stranded before their time", len(young))
	}
	n, err := w.service.FailStranded(t.Context(), w.clock.Now(), 100)
	must(t, err)
	if n != 2 || w.entry(entries[5]).Status != vcd.QueueFailed || w.entry(entries[5]).Reason != "crashed" {
		t.Errorf("%d entries ended; the first is %+v", n, w.entry(entries[5]))
	}
	w.checkInvariants()
}

// riverJob puts a job of the entry into the background queue's own table.
func (w *world) riverJob(entry vcd.ID, state string) {
	w.t.Helper()
	w.exec(`INSERT INTO river_job (state, kind, queue, max_attempts, args, finalized_at)
		VALUES ($1::river_job_state, 'capture', 'capture_eu', 3, jsonb_build_object('account', $2::text, 'entry', $3::text),
			CASE WHEN $1 = 'discarded' THEN now() END)`, state, string(w.account.ID), string(entry))
}
