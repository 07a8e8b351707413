package db_test

import (
	"testing"

	"afterimage/db"
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
	statements := db.RecordStatements(w.DB)
	retried, err := w.Service.Runs.RetryFailed(t.Context(), w.Actor, batch)
	must(t, err)
	if texts := statements.Take(); len(texts) > 20 || retried.Entries != 1200 {
		t.Errorf("%d statements for %d entries", len(texts), retried.Entries)
	}
	w.CheckInvariants()
}
