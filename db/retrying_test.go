package db_test

import (
	"slices"
	"testing"

	"afterimage/db/seed"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// TestALargeRunIsTriedAgainInFewStatements: comparisons whose screenshots are taken again wait for them and cost nothing.
func TestALargeRunIsTriedAgainInFewStatements(t *testing.T) {
	w := vcdtest.New(t)
	g, _ := w.Group("shop", 300, inventory.GroupChange{}) // of 2 devices each
	w.Take(vcd.QueuePre, g)
	batch := w.Take(vcd.QueuePost, g).Batches[0].ID
	_, err := w.Service.Runs.CancelBatch(t.Context(), w.Actor, batch)
	must(t, err)
	for more := true; more; {
		more, err = w.Service.Runs.EndCancelled(t.Context(), 10)
		must(t, err)
	}
	statements := vcdtest.RecordStatements(w.DB)
	retried, err := w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, false)
	must(t, err)
	if texts := statements.Take(); len(texts) > 20 || retried.Entries != 1200 {
		t.Errorf("%d statements for %d entries", len(texts), retried.Entries)
	}
	w.CheckInvariants()
}

// TestManyComparisonsBeginAgainInFewStatements: those whose screenshots exist begin at once.
func TestManyComparisonsBeginAgainInFewStatements(t *testing.T) {
	w := newWorld(t)
	must(t, seed.Fill(t.Context(), w.DB.Pool(), w.Account.ID, seed.Size{Groups: 1, URLs: 300, Batches: 3}, false))
	batch := vcd.ID(vcdtest.Value[string](w.World, "SELECT max(id::text) FROM batches"))
	w.AsSystem("DELETE FROM review_items")
	w.AsSystem("DELETE FROM comparisons WHERE batch_id = $1", batch)
	w.AsSystem("UPDATE queue_entries SET status = 'failed' WHERE type = 'compare' AND batch_id = $1", batch)
	w.AsSystem("UPDATE batches SET done_count = 300, failed_count = 300 WHERE id = $1", batch)
	statements := vcdtest.RecordStatements(w.DB)
	retried, err := w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch, false)
	must(t, err)
	if texts := statements.Take(); len(texts) > 20 || retried.Entries != 300 {
		t.Errorf("%d statements for %d entries", len(texts), retried.Entries)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM turns WHERE kind = 'compare'"); n != 300 {
		t.Errorf("%d comparisons have a turn", n)
	}
	w.soundCounts()
}

// TestOnlyReadyComparisonsBeginAgain has ten pages each whose comparison is ready, is so because the newer baseline failed, waits for a
// newer baseline, has no baseline of the same version, and waits for a confirmation.
func TestOnlyReadyComparisonsBeginAgain(t *testing.T) {
	const kind = "('x' || right(url_id::text, 2))::bit(8)::integer % 5"
	w := newWorld(t)
	must(t, seed.Fill(t.Context(), w.DB.Pool(), w.Account.ID, seed.Size{Groups: 1, URLs: 50, Batches: 3}, false))
	batches := vcdtest.Value[[]string](w.World, "SELECT array_agg(id::text ORDER BY id) FROM batches")
	middle, last := batches[1], batches[2]
	w.AsSystem("DELETE FROM review_items")
	w.AsSystem("DELETE FROM comparisons WHERE batch_id = $1", last)
	w.AsSystem("UPDATE queue_entries SET status = 'failed' WHERE type = 'compare' AND batch_id = $1", last)
	w.AsSystem("UPDATE batches SET done_count = 50, failed_count = 50 WHERE id = $1", last)
	w.AsSystem("UPDATE queue_entries SET status = 'failed' WHERE type = 'auto' AND batch_id = $1 AND "+kind+" = 1", middle)
	w.AsSystem("UPDATE queue_entries SET status = 'processing' WHERE type = 'auto' AND batch_id = $1 AND "+kind+" = 2", middle)
	w.AsSystem("UPDATE screenshots SET sc_version = '0' WHERE batch_id <> $1 AND "+kind+" = 3", last)
	w.AsSystem(`INSERT INTO queue_entries (account_id, id, batch_id, group_id, url_id, device, type, status, reason, error_msg, attempts,
			delay, confirms_id, dispatched, created_at, updated_at)
		SELECT account_id, gen_random_uuid(), batch_id, group_id, url_id, device, 'auto', 'open', '', '', 0, 0, id, true, created_at,
			updated_at
		FROM queue_entries WHERE type = 'auto' AND batch_id = $1 AND `+kind+" = 4", last)
	_, err := w.Service.Runs.RetryFailed(t.Context(), w.Actor, vcd.ID(last), false)
	must(t, err)
	for i, want := range []string{"open true", "open true", "open false", "done false", "open false"} {
		got := vcdtest.Value[[]string](w.World, `SELECT array_agg(DISTINCT status || ' ' || dispatched::text) FROM queue_entries
			WHERE type = 'compare' AND batch_id = $1 AND `+kind+" = $2", last, i)
		if !slices.Equal(got, []string{want}) {
			t.Errorf("comparisons of kind %d are %q, want %q", i, got, want)
		}
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM turns WHERE kind = 'compare'"); n != 20 {
		t.Errorf("%d comparisons have a turn", n)
	}
}
