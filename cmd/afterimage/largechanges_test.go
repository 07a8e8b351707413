package main

import (
	"testing"
	"time"

	"afterimage/db/seed"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
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
	pre, post := take(t, service, actor, first, vcd.QueuePre), take(t, service, actor, first, vcd.QueuePost)
	few(t, log, "cancel a run of 5,000", func() (int, error) { return cancelled(t, service, actor, post) })
	post = take(t, service, actor, first, vcd.QueuePost)
	if _, err := s.backend.db.SystemPool().Exec(t.Context(),
		"UPDATE queue_entries SET status = 'done' WHERE batch_id = $1 AND type = 'post'", string(post)); err != nil {
		t.Fatal(err)
	}
	fewer(t, log, 600, "cancel a run that 5,000 comparisons wait for", func() (int, error) { return cancelled(t, service, actor, pre) })
	few(t, log, "switch 5,000 URLs", func() (int, error) { return edit(first, inventory.URLEdit{Mobile: vcd.Some(true)}) })
	few(t, log, "take 5,000 URLs out", func() (int, error) { return edit(first, inventory.URLEdit{Remove: inventory.RemoveFromGroup}) })
	few(t, log, "delete 5,000 URLs", func() (int, error) { return edit(second, inventory.URLEdit{Remove: inventory.RemoveEntirely}) })
	few(t, log, "delete a group", func() (int, error) { return 1, service.Inventory.DeleteGroup(t.Context(), actor, first) })
	if left, err := service.Inventory.Groups(t.Context(), actor, vcd.GroupFilter{}, vcd.Page{Size: 2}); err != nil || len(left.Items) != 1 {
		t.Errorf("after the deletion of a group: %+v, %v", left, err)
	}
}

func take(t *testing.T, service *app.Service, actor vcd.Actor, group vcd.ID, kind vcd.QueueType) vcd.ID {
	t.Helper()
	taken, err := service.Runs.TakeScreenshots(t.Context(), actor, run.TakeInput{Type: kind, GroupIDs: []string{string(group)}})
	if err != nil {
		t.Fatal(err)
	}
	return taken.Batches[0].ID
}

func cancelled(t *testing.T, service *app.Service, actor vcd.Actor, batch vcd.ID) (int, error) {
	b, err := service.Runs.CancelBatch(t.Context(), actor, batch)
	if err != nil {
		return 0, err
	}
	return b.Counts.Failed, nil
}

// few does a change and counts its statements.
func few(t *testing.T, log *statementLog, what string, change func() (changed int, err error)) {
	t.Helper()
	fewer(t, log, 60, what, change)
}

func fewer(t *testing.T, log *statementLog, limit int, what string, change func() (changed int, err error)) {
	t.Helper()
	log.take()
	began := time.Now()
	changed, err := change()
	took := time.Since(began)
	if err != nil || changed == 0 {
		t.Errorf("%s: %d, %v", what, changed, err)
	}
	n := len(log.take())
	if n > limit {
		t.Errorf("%s: %d statements", what, n)
	}
	t.Logf("%s: %d, %d statements, %s", what, changed, n, took.Round(time.Millisecond))
}
