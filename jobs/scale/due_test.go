package scale_test

import (
	"testing"
	"time"

	"afterimage/vcd"
)

// TestManyGroupsAreDueAtOnce lets all groups become due at the same moment: each begins its run once. In full it tells how long
// it takes until the last of 1,000 has begun, while the pages of the first are captured.
func TestManyGroupsAreDueAtOnce(t *testing.T) {
	accounts, groups := 2, 10
	if full() {
		accounts, groups = 10, 100
	}
	f := newFleet(t, newStub(100*time.Millisecond), accounts, groups, 1)
	defer f.employ(2, 8)()
	all := accounts * groups
	due := ask[time.Time](f, `WITH due AS (UPDATE groups SET next_run_at = clock_timestamp() RETURNING next_run_at)
		SELECT max(next_run_at) FROM due`)
	f.until("the end of all runs", 10*time.Minute, func() bool {
		return ask[int](f, "SELECT count(*) FROM batches WHERE finished_at IS NOT NULL") >= all
	})
	begun := ask[time.Time](f, "SELECT max(created_at) FROM batches")
	t.Logf("%d groups have begun %.1f s after they were due, and ended after %.1f s", all, begun.Sub(due).Seconds(),
		time.Since(due).Seconds())
	if n := ask[int](f, "SELECT count(*) FROM batches"); n != all {
		t.Errorf("%d runs, want %d", n, all)
	}
	if n := ask[int](f, "SELECT count(*) FROM groups WHERE next_run_at <= now()"); n != 0 {
		t.Errorf("%d groups are due still", n)
	}
}

// TestTurnsAreHandedOut hands out the turns of a long queue of many accounts. In full it tells how many a second.
func TestTurnsAreHandedOut(t *testing.T) {
	accounts, groups, pages, places := 4, 2, 10, 50
	if full() {
		accounts, groups, pages, places = 50, 4, 50, 1000
	}
	f := newFleet(t, newStub(0), accounts, groups, pages)
	f.take(vcd.QueuePre)
	must(t, f.db.Beat(t.Context(), vcd.Worker{ID: "worker", Captures: places, Regions: []vcd.Region{vcd.RegionEU}}))
	began := time.Now()
	handed, err := f.db.HandOut(t.Context(), vcd.SystemClock{}.Now(), vcd.HandOutRules{Home: vcd.RegionEU, Silence: time.Minute,
		HostCaptures: hostCaptures})
	must(t, err)
	took := time.Since(began)
	t.Logf("%d of %d turns in %.0f ms, %.0f/s", handed, 2*f.pages, took.Seconds()*1000, float64(handed)/took.Seconds())
	if least := min(places, hostCaptures*accounts*groups); handed < least {
		t.Errorf("%d turns for %d places, want %d at least", handed, places, least)
	}
	if n := ask[int](f, "SELECT count(*) FROM river_job"); n != handed {
		t.Errorf("%d jobs for %d turns", n, handed)
	}
	least, most := ask[int](f, sharesQuery("min")), ask[int](f, sharesQuery("max"))
	if most > least+1 {
		t.Errorf("an account got %d turns, another %d", most, least)
	}
}

func sharesQuery(which string) string {
	return "SELECT " + which + "(n) FROM (SELECT count(*) FILTER (WHERE handed_at IS NOT NULL) AS n FROM turns GROUP BY account_id) AS a"
}
