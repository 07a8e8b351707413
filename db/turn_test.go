package db_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

func TestThreeHandOutsKeepTheGapOfEveryLane(t *testing.T) {
	w := newWorld(t)
	const delay, accounts, pages = 7, 3, 5
	for i := range accounts {
		w.actor = vcd.Actor{Account: w.newAccount(fmt.Sprintf("lane%d@example.com", i), 0).ID}
		g, _ := w.group("slow", pages, inventory.GroupChange{ScreenshotDelay: vcd.Some(delay)})
		w.take(vcd.QueuePre, g)
	}
	const total = accounts * pages * 2
	handed := func() int { return value[int](w, "SELECT count(*) FROM test_jobs") }
	for seconds := 0; handed() < total; seconds++ {
		if seconds > delay*pages*2+1 {
			t.Fatalf("only %d of %d captures were handed out in %d seconds", handed(), total, seconds)
		}
		w.handOutAll(3)
		w.clock.advance(time.Second)
	}
	if n := value[int](w, "SELECT count(*) - count(DISTINCT entry) FROM test_jobs"); n != 0 {
		t.Errorf("%d captures were handed out twice", n)
	}
	gap := value[float64](w, `SELECT min(extract(epoch FROM gap))::float8 FROM (
		SELECT handed_at - lag(handed_at) OVER (PARTITION BY account_id ORDER BY handed_at) AS gap FROM turns) AS g`)
	if gap < delay {
		t.Errorf("two captures of an account began %g s apart", gap)
	}
	w.checkInvariants()
}

// handOutAll lets n processes hand out at the same time.
func (w *world) handOutAll(n int) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			if _, err := w.service.Runs.HandOut(w.t.Context(), vcd.RegionEU, time.Hour); err != nil {
				w.t.Errorf("hand out: %v", err)
			}
		})
	}
	all.Wait()
}

func TestARetryKeepsItsPauseAndTheGap(t *testing.T) {
	w := newWorld(t)
	w.take(vcd.QueuePre, w.desktopOnly("slow", 1, inventory.GroupChange{ScreenshotDelay: vcd.Some(7)}))
	entry := w.jobs("capture")[0]
	_, err := w.service.Runs.BeginCapture(w.working(entry), w.actor, entry)
	must(t, err)
	must(t, w.service.Runs.FailCapture(w.working(entry), w.actor, entry, run.CaptureFailure{Reason: "timeout", Retryable: true}))
	w.clock.advance(9 * time.Second)
	if n := len(w.jobs("capture")); n != 0 {
		t.Fatal("the retry was handed out without its pause")
	}
	w.checkInvariants()
	w.clock.advance(time.Second)
	w.capture(w.jobs("capture")[0], "at last")
	w.checkInvariants()
}

func TestAStrandedTurnHasNoLiveJob(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("crash", 4, inventory.GroupChange{})
	w.take(vcd.QueuePre, g)
	entries := w.jobs("capture")
	for i, state := range []string{"available", "scheduled", "retryable", "running", "pending"} {
		w.riverJob(entries[i], state)
	}
	w.riverJob(entries[5], "discarded")
	w.capture(entries[6], "fine")
	w.clock.advance(time.Hour)
	w.take(vcd.QueuePre, g) // waits, and is not stranded
	stranded, err := w.db.StrandedTurns(t.Context(), w.clock.Now(), 100)
	must(t, err)
	if len(stranded) != 2 || stranded[0].Account != w.account.ID || stranded[0].Kind != vcd.TurnCapture {
		t.Fatalf("stranded: %+v", stranded)
	}
	for _, e := range stranded {
		if e.Subject != entries[5] && e.Subject != entries[7] {
			t.Errorf("entry %s is not stranded", e.Subject)
		}
	}
	young, err := w.db.StrandedTurns(t.Context(), w.clock.Now().Add(-2*time.Hour), 100)
	must(t, err)
	if len(young) != 0 {
		t.Errorf("%d turns are stranded before their time", len(young))
	}
	n, err := w.service.Runs.FailStranded(t.Context(), w.clock.Now(), 100)
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
