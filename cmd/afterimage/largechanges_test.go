package main

import (
	"testing"
	"time"

	"afterimage/db/seed"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// Changes to as much as one call may change take a few statements each, whatever they change: who calls does not wait for thousands.
func TestLargeChangesTakeFewStatements(t *testing.T) {
	log := &statementLog{}
	s, token := api(t, log)
	service := s.backend.service
	actor, _, err := service.Accounts.Authenticate(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if err := seed.Fill(t.Context(), s.backend.db.Pool(), actor.Account, seed.Size{Groups: 2, URLs: 5000, Batches: 2}, true); err != nil {
		t.Fatal(err)
	}
	groups, err := service.Inventory.Groups(t.Context(), actor, vcd.GroupFilter{}, vcd.Page{Size: 2})
	if err != nil || len(groups.Items) != 2 {
		t.Fatalf("%+v, %v", groups, err)
	}
	first, second := groups.Items[0].ID, groups.Items[1].ID
	batches, err := service.Runs.Batches(t.Context(), actor, vcd.BatchFilter{}, vcd.Page{Size: 10})
	if err != nil {
		t.Fatal(err)
	}
	of := func(b *vcd.Batch) vcd.ComparisonFilter { return vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{b.ID}} }
	edit := func(group vcd.ID, e inventory.URLEdit) (int, error) {
		edited, err := service.Inventory.EditURLs(t.Context(), actor, group, vcd.SelectionFilter{}, e, 10_000)
		if err != nil {
			return 0, err
		}
		return len(edited.Changed), nil
	}
	judged := 0
	for _, b := range batches.Items {
		c, err := service.Reviews.Comparisons(t.Context(), actor, of(b), vcd.Page{Size: 1, Total: true}, false)
		if err != nil {
			t.Fatal(err)
		}
		if c.Total == 0 {
			continue
		}
		judged++
		for _, status := range []vcd.ComparisonStatus{vcd.ComparisonToFix, vcd.ComparisonOK} {
			few(t, log, "judge 5,000 comparisons: "+string(status), func() (int, error) {
				v, err := service.Reviews.SetStatusOfComparisons(t.Context(), actor, of(b), status, 5000)
				return len(v.Changed) + v.StillOpenCount, err
			})
		}
	}
	if judged == 0 {
		t.Error("no batch has comparisons")
	}
	few(t, log, "switch 5,000 URLs", func() (int, error) { return edit(first, inventory.URLEdit{Mobile: vcd.Some(true)}) })
	few(t, log, "take 5,000 URLs out", func() (int, error) { return edit(first, inventory.URLEdit{Remove: inventory.RemoveFromGroup}) })
	few(t, log, "delete 5,000 URLs", func() (int, error) { return edit(second, inventory.URLEdit{Remove: inventory.RemoveEntirely}) })
	few(t, log, "delete a group", func() (int, error) { return 1, service.Inventory.DeleteGroup(t.Context(), actor, first) })
	if left, err := service.Inventory.Groups(t.Context(), actor, vcd.GroupFilter{}, vcd.Page{Size: 2}); err != nil || len(left.Items) != 1 {
		t.Errorf("after the deletion of a group: %+v, %v", left, err)
	}
}

// few does a change and counts its statements.
func few(t *testing.T, log *statementLog, what string, change func() (changed int, err error)) {
	t.Helper()
	log.take()
	began := time.Now()
	changed, err := change()
	took := time.Since(began)
	if err != nil || changed == 0 {
		t.Errorf("%s: %d, %v", what, changed, err)
	}
	if n := len(log.take()); n > 60 {
		t.Errorf("%s: %d statements", what, n)
	}
	t.Logf("%s: %d, %s", what, changed, took.Round(time.Millisecond))
}
