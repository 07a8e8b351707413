package db_test

import (
	"strings"
	"testing"

	"afterimage/internal/vcdtest"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// updateOf is an update of a plugin whose elements the fixture's changed regions have.
func updateOf(slug string) vcd.UpdateResults {
	return vcd.UpdateResults{
		Updates: vcd.Updates{Plugins: []vcd.PackageUpdate{{Slug: slug, Success: true}, {Slug: "another", Success: true}}},
		Summary: vcd.UpdateSummary{Status: vcd.UpdateCompleted},
	}
}

func TestCulpritsAreFoundForManyBatchesAtOnce(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 2, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "before")
	}
	var ids []vcd.ID
	for i, slug := range []string{"cart", "unknown", ""} {
		post := w.Take(vcd.QueuePost, g)
		ids = append(ids, post.Batches[0].ID)
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "after "+slug)
		}
		for j, entry := range w.Jobs("compare") {
			w.Compare(entry, float64((i+j)%2)) // half of them show nothing
		}
		if slug != "" {
			_, err := w.Service.Runs.StoreUpdateResults(t.Context(), w.Actor, ids[i], updateOf(slug))
			must(t, err)
		}
	}
	list, err := w.Service.Runs.Batches(t.Context(), w.Actor, vcd.BatchFilter{IDs: &ids}, vcd.Page{Size: 10})
	must(t, err)
	statements := vcdtest.RecordStatements(w.DB)
	culprits, err := w.Service.Reviews.CulpritsOf(t.Context(), w.Actor, list.Items)
	must(t, err)
	if texts := statements.Take(); len(texts) != 2 {
		t.Errorf("%d statements: %s", len(texts), strings.Join(texts, "\n"))
	}
	found := culprits[ids[0]]
	if len(found) != 1 || found[0].Slug != "cart" || found[0].Comparisons != 2 || culprits[ids[1]] == nil || len(culprits[ids[1]]) != 0 ||
		culprits[ids[2]] != nil {
		t.Errorf("culprits %+v", culprits)
	}
	comparisons, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{BatchIDs: &ids},
		vcd.Page{Size: 100}, false)
	must(t, err)
	statements.Take()
	each, err := w.Service.Reviews.CulpritsOfComparisons(t.Context(), w.Actor, comparisons.Items)
	must(t, err)
	if texts := statements.Take(); len(texts) != 3 {
		t.Errorf("%d statements: %s", len(texts), strings.Join(texts, "\n"))
	}
	for _, c := range comparisons.Items {
		got := each[c.ID]
		wanted := c.BatchID == ids[0] && c.AboveThreshold()
		if (len(got) == 1) != wanted || (got == nil) != (c.BatchID == ids[2]) {
			t.Errorf("comparison of batch %s, changed %t: %+v", c.BatchID, c.AboveThreshold(), got)
		}
	}
	w.CheckInvariants()
}

func TestTracesAreNotShownToOthers(t *testing.T) {
	w := newWorld(t)
	_, _, _, post := w.FillEverything("a")
	id := post.Batches[0].ID
	_, err := w.Service.Runs.StoreUpdateResults(t.Context(), w.Actor, id, updateOf("cart"))
	must(t, err)
	b := w.Batch(id)
	list, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{id}},
		vcd.Page{Size: 100}, false)
	must(t, err)
	if own, err := w.Service.Reviews.CulpritsOf(t.Context(), w.Actor, []*vcd.Batch{b}); err != nil || len(own[id]) != 1 {
		t.Fatalf("%+v, %v", own, err)
	}
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	if foreign, err := w.Service.Reviews.CulpritsOf(t.Context(), stranger, []*vcd.Batch{b}); err != nil || len(foreign[id]) != 0 {
		t.Errorf("%+v, %v", foreign, err)
	}
	if foreign, err := w.Service.Reviews.CulpritsOfComparisons(t.Context(), stranger, list.Items); err != nil || len(foreign) != 0 {
		t.Errorf("%+v, %v", foreign, err)
	}
}
