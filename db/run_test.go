package db_test

import (
	"testing"

	"afterimage/vcd"
)

func TestARunFromPreToFinishedComparison(t *testing.T) {
	w := newWorld(t)
	g, _ := w.group("shop", 2, vcd.GroupChange{})
	pre := w.take(vcd.QueuePre, g)
	for _, entry := range w.jobs("capture") {
		w.capture(entry, "before")
	}
	b, err := w.service.Batch(t.Context(), w.actor, pre.Batches[0].ID)
	must(t, err)
	if b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 4}) || b.SCVersion != "1" {
		t.Fatalf("pre batch: %+v", b)
	}
	post := w.take(vcd.QueuePost, g)
	for i, entry := range w.jobs("capture") {
		pixels := "before"
		if i%2 == 0 {
			pixels = "after"
		}
		w.capture(entry, pixels)
	}
	for i, entry := range w.jobs("compare") {
		w.compare(entry, float64(i))
	}
	b, err = w.service.Batch(t.Context(), w.actor, post.Batches[0].ID)
	must(t, err)
	if b.FinishedAt == nil || b.Counts != (vcd.StatusCounts{Done: 8}) || b.Comparisons != (vcd.ComparisonCounts{OK: 1, New: 3, AboveThreshold: 3}) {
		t.Fatalf("post batch: %+v", b)
	}
	if len(w.jobs("capture"))+len(w.jobs("compare")) != 0 {
		t.Error("jobs are left over")
	}
}
