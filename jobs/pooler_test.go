package jobs_test

import (
	"image/color"
	"sync/atomic"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/db"
	"afterimage/internal/pgtest"
	"afterimage/internal/vcdtest"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// A run goes through a pooler of transactions, as roles that own nothing, and goes on after the pooler was killed. What listens for jobs
// has a connection of its own.
func TestRunsGoThroughAPooler(t *testing.T) {
	t.Parallel()
	at := vcdtest.AsRoles(t, db.Config{URL: vcdtest.Database(t), Reach: patience})
	pooler := pgtest.NewPooler(t, "transaction")
	at = vcdtest.ThroughPooler(at, pooler)
	var after atomic.Bool
	w := newWorldAt(t, at, func(capture.Request) (*capture.Shot, error) {
		if after.Load() {
			return shot(color.Black), nil
		}
		return shot(color.White), nil
	}, func(*jobs.Config) {})
	group := w.group("https://example.com/changes", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	after.Store(true)
	pooler.Restart()
	_, entries := w.run(group, vcd.QueuePost)
	for _, e := range entries {
		if e.Status != vcd.QueueDone {
			t.Errorf("%s %s is %s: %s", e.Type, e.URLAddress, e.Status, e.ErrorMsg)
		}
	}
	if len(entries) != 2 {
		t.Errorf("%d entries, want a screenshot and a comparison", len(entries))
	}
	w.checkInvariants()
	// River asks from time to time whether its connection is alive: then that was its last statement.
	const question = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
		AND (query LIKE 'LISTEN %river\_%' OR query = '-- ping')`
	tick, listening := time.NewTicker(50*time.Millisecond), 0
	defer tick.Stop()
	for end := time.Now().Add(patience); listening != 1 && time.Now().Before(end); <-tick.C {
		if err := w.db.ListenPool().QueryRow(t.Context(), question).Scan(&listening); err != nil {
			t.Fatal(err)
		}
	}
	if listening != 1 {
		t.Errorf("%d connections listen for jobs", listening)
	}
}
