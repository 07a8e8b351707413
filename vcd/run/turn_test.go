package run_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

func TestThreeHandOutsKeepTheGapOfEveryLane(t *testing.T) {
	w := newWorld(t)
	const delay, accounts, pages = 7, 3, 5
	for i := range accounts {
		w.Actor = vcd.Actor{Account: w.NewAccount(fmt.Sprintf("lane%d@example.com", i), 0).ID}
		g, _ := w.Group("slow", pages, inventory.GroupChange{ScreenshotDelay: vcd.Some(delay)})
		w.Take(vcd.QueuePre, g)
	}
	const total = accounts * pages * 2
	handed := func() int { return vcdtest.Value[int](w.World, "SELECT count(*) FROM test_jobs") }
	for seconds := 0; handed() < total; seconds++ {
		if seconds > delay*pages*2+1 {
			t.Fatalf("only %d of %d captures were handed out in %d seconds", handed(), total, seconds)
		}
		w.handOutAll(3)
		w.Clock.Advance(time.Second)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) - count(DISTINCT entry) FROM test_jobs"); n != 0 {
		t.Errorf("%d captures were handed out twice", n)
	}
	gap := vcdtest.Value[float64](w.World, `SELECT min(extract(epoch FROM gap))::float8 FROM (
		SELECT handed_at - lag(handed_at) OVER (PARTITION BY account_id ORDER BY handed_at) AS gap FROM turns) AS g`)
	if gap < delay {
		t.Errorf("two captures of an account began %g s apart", gap)
	}
	w.CheckInvariants()
}

// handOutAll runs HandOut in n processes concurrently.
func (w *world) handOutAll(n int) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			if _, err := w.Service.Runs.HandOut(w.T.Context(), vcd.RegionEU, time.Hour); err != nil {
				w.T.Errorf("hand out: %v", err)
			}
		})
	}
	all.Wait()
}

func TestARetryKeepsItsPauseAndTheGap(t *testing.T) {
	w := newWorld(t)
	w.Take(vcd.QueuePre, w.desktopOnly("slow", 1, inventory.GroupChange{ScreenshotDelay: vcd.Some(7)}))
	entry := w.Jobs("capture")[0]
	_, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
	must(t, err)
	must(t, w.Service.Runs.FailCapture(w.Working(entry), w.Actor, entry, run.CaptureFailure{Reason: "timeout", Retryable: true}))
	w.Clock.Advance(9 * time.Second)
	if n := len(w.Jobs("capture")); n != 0 {
		t.Fatal("the retry was handed out without its pause")
	}
	w.CheckInvariants()
	w.Clock.Advance(time.Second)
	w.Capture(w.Jobs("capture")[0], "at last")
	w.CheckInvariants()
}

func TestAStrandedTurnHasNoLiveJob(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("crash", 4, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	entries := w.Jobs("capture")
	for i, state := range []string{"available", "scheduled", "retryable", "running", "pending"} {
		w.riverJob(entries[i], state)
	}
	w.riverJob(entries[5], "discarded")
	w.Capture(entries[6], "fine")
	w.Clock.Advance(time.Hour)
	w.Take(vcd.QueuePre, g) // waits, but is not stranded
	stranded, err := w.DB.StrandedTurns(t.Context(), w.Clock.Now(), 100)
	must(t, err)
	if len(stranded) != 2 || stranded[0].Account != w.Account.ID || stranded[0].Kind != vcd.TurnCapture {
		t.Fatalf("stranded: %+v", stranded)
	}
	for _, e := range stranded {
		if e.Subject != entries[5] && e.Subject != entries[7] {
			t.Errorf("entry %s is not stranded", e.Subject)
		}
	}
	young, err := w.DB.StrandedTurns(t.Context(), w.Clock.Now().Add(-2*time.Hour), 100)
	must(t, err)
	if len(young) != 0 {
		t.Errorf("%d turns are stranded before their time", len(young))
	}
	n, err := w.Service.Runs.FailStranded(t.Context(), w.Clock.Now(), 100)
	must(t, err)
	if n != 2 || w.Entry(entries[5]).Status != vcd.QueueFailed || w.Entry(entries[5]).Reason != "crashed" {
		t.Errorf("%d entries ended; the first is %+v", n, w.Entry(entries[5]))
	}
	w.CheckInvariants()
}

// riverJob inserts a job of the entry into the background queue's own table.
func (w *world) riverJob(entry vcd.ID, state string) {
	w.T.Helper()
	w.Exec(`INSERT INTO river_job (state, kind, queue, max_attempts, args, finalized_at)
		VALUES ($1::river_job_state, 'capture', 'capture_eu', 3, jsonb_build_object('account', $2::text, 'entry', $3::text),
			CASE WHEN $1 = 'discarded' THEN now() END)`, state, string(w.Account.ID), string(entry))
}
