package run_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// begins makes a worker start assigned jobs.
func (w *world) begins(worker string, entries ...vcd.ID) {
	w.T.Helper()
	w.Employ(worker, 0, 0)
	for _, entry := range entries {
		_, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
		must(w.T, err)
		w.Exec(`INSERT INTO river_job (state, kind, queue, max_attempts, args, attempted_by)
			VALUES ('running', 'capture', 'capture_eu', 3, jsonb_build_object('account', $1::text, 'entry', $2::text), ARRAY['another',
				$3])`,
			string(w.Account.ID), string(entry), worker)
	}
}

// dies silences a worker and lets another one notice. The database keeps running.
func (w *world) dies(worker string) {
	w.T.Helper()
	w.silent(worker, "greatest(clock_timestamp() - interval '11 seconds', pg_postmaster_start_time())")
}

// diesWithDatabase silences a worker before a restart of the database.
func (w *world) diesWithDatabase(worker string) {
	w.T.Helper()
	w.silent(worker, "pg_postmaster_start_time() - interval '1 second'")
}

func (w *world) silent(worker, since string) {
	w.T.Helper()
	w.Exec("UPDATE workers SET beat_at = "+since+" WHERE id = $1", worker)
	found, err := w.Service.Runs.ReleaseDead(w.T.Context(), "plenty", time.Millisecond)
	must(w.T, err)
	if !found {
		w.T.Fatalf("nobody noticed that %s is dead", worker)
	}
	w.Exec("DELETE FROM test_jobs")
}

func TestWhatADeadWorkerHadStartsOver(t *testing.T) {
	w := newWorld(t)
	w.Employ("plenty", 3, 3)
	w.Take(vcd.QueuePre, w.desktopOnly("crash", 4, inventory.GroupChange{}))
	entries := w.Jobs("capture")
	w.begins("dead", entries...)
	w.Exec(`INSERT INTO river_job (state, kind, queue, max_attempts, args, attempted_by) VALUES ('running', 'mail', 'mail', 3, '{}', ` +
		`'{dead}')`)
	w.Capture(entries[2], "just in time")
	if found, err := w.Service.Runs.ReleaseDead(t.Context(), "plenty", 10*time.Second); found || err != nil {
		t.Fatalf("a living worker was taken for dead (%v)", err)
	}
	w.dies("dead")
	for _, e := range entries[:2] {
		if e := w.Entry(e); e.Status != vcd.QueueOpen ||
			e.Notice != "The worker that was capturing this page died. The capture restarts." || e.Attempts != 0 {
			t.Errorf("entry %+v", e)
		}
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM river_job WHERE state = 'available' AND kind = 'mail'"); n != 1 {
		t.Errorf("%d of its other jobs start over", n)
	}
	again := w.Jobs("capture")
	if len(again) != 3 || !slices.Contains(again, entries[0]) || !slices.Contains(again, entries[1]) {
		t.Errorf("then %v are captured, want %v first", again, entries[:2])
	}
	// The worker was only slow: its late result counts once.
	w.Capture(entries[0], "late")
	if task, err := w.Service.Runs.BeginCapture(w.Working(entries[0]), w.Actor, entries[0]); task != nil || err != nil {
		t.Errorf("captured twice: %+v, %v", task, err)
	}
	for _, e := range again[1:] {
		w.Capture(e, "again")
	}
	if e := w.Entry(entries[1]); e.Status != vcd.QueueDone || e.Notice != "" {
		t.Errorf("in the end %+v", e)
	}
	w.CheckInvariants()
}

// A page that kills its workers is given up; the pages captured at the same time are not.
func TestAPageThatKillsItsWorkersIsGivenUp(t *testing.T) {
	w := newWorld(t)
	w.Employ("plenty", 1, 2) // and a turn ahead: two are captured together
	w.Take(vcd.QueuePre, w.desktopOnly("crash", 3, inventory.GroupChange{}))
	first := w.Jobs("capture")
	killer := first[0]
	w.begins("one", first...)
	w.dies("one")
	second := w.Jobs("capture")
	w.begins("two", second...) // both are suspects
	w.dies("two")
	third := w.Jobs("capture")
	if !slices.Contains(third, killer) {
		killer = first[1]
	}
	if len(third) != 2 || slices.Contains(third, first[0]) == slices.Contains(third, first[1]) {
		t.Fatalf("%v are captured together, want one of the suspected %v and one other", third, first)
	}
	w.begins("three", third...)
	w.dies("three")
	if e := w.Entry(killer); e.Status != vcd.QueueFailed || e.Reason != "crashed" || !strings.Contains(e.ErrorMsg, "died repeatedly") {
		t.Errorf("the killer is %+v", e)
	}
	for range 2 {
		for _, e := range w.Jobs("capture") {
			w.Capture(e, "fine")
		}
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE status = 'done'"); n != 2 {
		t.Errorf("%d of the two pages beside it were captured", n)
	}
	w.CheckInvariants()
}

// A page present at three deaths, and no other, is given up. If whole machines went down including the database, it takes
// more deaths: a page seldom brings down a machine, and other causes often do so twice in a row.
func TestHowManyDeathsAPageMayBeThereAt(t *testing.T) {
	for name, c := range map[string]struct {
		dies func(w *world, worker string)
		most int
	}{
		"of workers":  {(*world).dies, 2},
		"of machines": {(*world).diesWithDatabase, 11},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.Take(vcd.QueuePre, w.desktopOnly("crash", 1, inventory.GroupChange{}))
			var entry vcd.ID
			for n := range c.most + 1 {
				entry = w.Jobs("capture")[0]
				if e := w.Entry(entry); e.Status != vcd.QueueOpen {
					t.Fatalf("after %d deaths %+v", n, e)
				}
				worker := fmt.Sprint("worker ", n)
				w.begins(worker, entry)
				c.dies(w, worker)
			}
			if e := w.Entry(entry); e.Status != vcd.QueueFailed || e.Reason != "crashed" {
				t.Errorf("after %d deaths %+v", c.most+1, e)
			}
			w.CheckInvariants()
		})
	}
}
