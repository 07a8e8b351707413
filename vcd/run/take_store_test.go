package run_test

import (
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// The largest run is stored in a few statements, its turns in one.
func TestALargeTakeTakesFewStatements(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("large", 0, inventory.GroupChange{})
	w.AsSystem(`INSERT INTO urls (account_id, id, address, scheme, html_title, created_at, updated_at)
		SELECT $1, gen_random_uuid(), 'large.test/' || n, 'https', '', now(), now() FROM generate_series(1, 10000) AS n`,
		string(w.Account.ID))
	w.AsSystem(`INSERT INTO group_urls (account_id, group_id, url_id, desktop, mobile, url_created_at)
		SELECT $1, $2, id, true, true, created_at FROM urls WHERE account_id = $1`, string(w.Account.ID), string(g.ID))
	began := time.Now()
	taken := w.Take(vcd.QueuePre, g)
	t.Logf("%d screenshots were taken up in %s", taken.Screenshots, time.Since(began))
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM turns WHERE handed_at IS NULL"); n != 20_000 || taken.Screenshots != n {
		t.Errorf("%d turns wait for %d screenshots", n, taken.Screenshots)
	}
	w.Employ("plenty", 4, 4)
	began = time.Now()
	if n := w.HandOut(); n != 5 {
		t.Errorf("%d were handed out", n)
	}
	t.Logf("one for each place and one ahead were handed out in %s", time.Since(began))
	began = time.Now()
	b, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, taken.Batches[0].ID)
	must(t, err)
	t.Logf("the batch was cancelled in %s", time.Since(began))
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM turns"); n != 0 || b.CancelledAt == nil || b.Counts.Failed == 0 {
		t.Errorf("%d turns are left of the batch: %+v", n, b)
	}
	w.CheckInvariants()
}
