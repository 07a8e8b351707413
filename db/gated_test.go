package db_test

import (
	"strings"
	"testing"

	"afterimage/internal/vcdtest"

	"afterimage/vcd"
)

// TestAVerdictOnAnUpdateIsCheap: whoever waits for it asks often.
func TestAVerdictOnAnUpdateIsCheap(t *testing.T) {
	w := newWorld(t)
	g, _, _, post := w.FillEverything("a")
	batch := post.Batches[0].ID
	_, err := w.Service.Runs.StoreUpdateResults(t.Context(), w.Actor, batch, updateOf("cart"))
	must(t, err)
	running := w.Take(vcd.QueuePost, g).Batches[0].ID
	statements := vcdtest.RecordStatements(w.DB)
	// The account and the batch; its comparisons, the pages without and with, the rules, the traces.
	for id, most := range map[vcd.ID]int{running: 2, batch: 7} {
		statements.Take()
		if _, err := w.Service.Reviews.Gate(t.Context(), w.Actor, id); err != nil {
			t.Fatal(err)
		}
		if texts := statements.Take(); len(texts) != most {
			t.Errorf("%d statements, not %d: %s", len(texts), most, strings.Join(texts, "\n"))
		}
	}
}
