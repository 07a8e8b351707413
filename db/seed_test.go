package db_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/db/seed"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// seeded is a world with 2,400 comparisons: more than what is stepped over by walking.
func seeded(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	must(t, seed.Fill(t.Context(), w.DB.Pool(), w.Account.ID, seed.Size{Groups: 3, URLs: 100, Batches: 9}, false))
	return w
}

func TestCountsAgreeWithTheRows(t *testing.T) {
	w := seeded(t)
	broken, err := w.DB.CheckInvariants(t.Context())
	must(t, err)
	for _, b := range broken {
		// a seeded account has none
		if text := fmt.Sprint(b); !strings.Contains(text, "event") && !strings.Contains(text, "batch_finished") {
			t.Errorf("broken invariant: %s", b)
		}
	}
	w.AsSystem("DELETE FROM comparisons WHERE above_threshold")
	w.AsSystem("UPDATE comparisons SET status = 'to_fix', console_change = 'mixed' WHERE group_id = (SELECT id FROM groups ORDER BY id " +
		"LIMIT 1)")
	w.AsSystem("UPDATE queue_entries SET status = 'open' WHERE type = 'auto' AND url_id IN (SELECT id FROM urls LIMIT 50)")
	w.AsSystem("UPDATE queue_entries SET created_at = created_at + interval '1 day' WHERE url_id IN (SELECT id FROM urls LIMIT 150)")
	w.AsSystem("DELETE FROM queue_entries WHERE type = 'compare' AND id NOT IN (SELECT queue_id FROM comparisons)")
	broken, err = w.DB.CheckInvariants(t.Context())
	must(t, err)
	for _, b := range broken {
		if strings.HasPrefix(fmt.Sprint(b), "the counts") {
			t.Errorf("after changes: broken invariant: %s", b)
		}
	}
}

// Every page of a long list is the same whether days are stepped over, or every item is walked past.
func TestFarPagesOfLongLists(t *testing.T) {
	w := seeded(t)
	s, c := w.Service, t.Context()
	all, err := s.Reviews.Comparisons(c, w.Actor, vcd.ComparisonFilter{}, vcd.Page{Size: 5000, Total: true}, true)
	must(t, err)
	if all.Total != 2400 || len(all.Items) != 2400 || all.AboveThreshold == 0 {
		t.Fatalf("%d comparisons of %d", len(all.Items), all.Total)
	}
	group, batch := all.Items[0].GroupID, all.Items[300].BatchID
	day := all.Items[1200].CreatedAt.Truncate(24 * time.Hour)
	for name, f := range map[string]vcd.ComparisonFilter{
		"all":                   {},
		"oldest first":          {Ascending: true},
		"by difference":         {Order: vcd.OrderDifferencePercent},
		"least first":           {Order: vcd.OrderDifferencePercent, Ascending: true},
		"by judged difference":  {Order: vcd.OrderJudgedPercent},
		"least judged first":    {Order: vcd.OrderJudgedPercent, Ascending: true},
		"group's by difference": {Order: vcd.OrderDifferencePercent, GroupIDs: &[]vcd.ID{group}},
		"changed by difference": {Order: vcd.OrderDifferencePercent, AboveThreshold: vcdtest.Pointer(true)},
		"equal by difference":   {Order: vcd.OrderDifferencePercent, AboveThreshold: vcdtest.Pointer(false), Ascending: true},
		"days by difference":    {Order: vcd.OrderDifferencePercent, From: &day, To: vcdtest.Pointer(day.Add(72 * time.Hour))},
		"group":                 {GroupIDs: &[]vcd.ID{group}},
		"batch":                 {BatchIDs: &[]vcd.ID{batch}},
		"changed":               {AboveThreshold: vcdtest.Pointer(true)},
		"unchanged":             {AboveThreshold: vcdtest.Pointer(false), Sources: &[]vcd.BatchSource{vcd.SourceMonitoring}},
		"other source":          {Sources: &[]vcd.BatchSource{vcd.SourceManual}},
		"state":                 {Statuses: &[]vcd.ComparisonStatus{vcd.ComparisonNew, vcd.ComparisonToFix}},
		"whole days":            {From: &day, To: vcdtest.Pointer(day.Add(48 * time.Hour))},
		"parts of days":         {From: vcdtest.Pointer(day.Add(time.Hour)), To: vcdtest.Pointer(day.Add(30 * time.Hour))},
		"URL":                   {URLIDs: &[]vcd.ID{all.Items[0].URLID}},
		"nothing at all":        {GroupIDs: &[]vcd.ID{}},
	} {
		whole, err := s.Reviews.Comparisons(c, w.Actor, f, vcd.Page{Size: 5000, Number: 1}, false)
		must(t, err)
		above := 0
		for _, item := range whole.Items {
			if item.AboveThreshold() {
				above++
			}
		}
		for number := 1; number <= len(whole.Items)/100+2; number++ {
			page, err := s.Reviews.Comparisons(c, w.Actor, f, vcd.Page{Size: 100, Number: number, Total: true}, true)
			must(t, err)
			from, to := min((number-1)*100, len(whole.Items)), min(number*100, len(whole.Items))
			if page.Total != len(whole.Items) || page.AboveThreshold != above || page.HasNextPage != (to < len(whole.Items)) ||
				page.HasPrevPage != (number > 1) {
				t.Errorf("%s, page %d: %d of %d, %d of %d above; %t %t", name, number, page.Total, len(whole.Items), page.AboveThreshold,
					above, page.HasPrevPage, page.HasNextPage)
			}
			if !slices.EqualFunc(page.Items, whole.Items[from:to], func(a, b *vcd.Comparison) bool { return a.ID == b.ID }) {
				t.Errorf("%s: page %d has other items", name, number)
			}
		}
	}
}

func TestFarPagesOfTheQueue(t *testing.T) {
	w := seeded(t)
	s, c := w.Service, t.Context()
	w.AsSystem("UPDATE queue_entries SET status = 'failed' WHERE type = 'auto' AND url_id IN (SELECT id FROM urls ORDER BY id LIMIT 50)")
	first, err := s.Runs.QueueEntries(c, w.Actor, vcd.QueueFilter{}, vcd.Page{Size: 1}, false)
	must(t, err)
	e := first.Items[0]
	for name, f := range map[string]vcd.QueueFilter{
		"all":      {},
		"group":    {GroupIDs: &[]vcd.ID{e.GroupID}},
		"batch":    {BatchIDs: &[]vcd.ID{e.BatchID}},
		"shots":    {Types: &[]vcd.QueueType{vcd.QueueAuto}},
		"failed":   {Statuses: &[]vcd.QueueStatus{vcd.QueueFailed, vcd.QueueFailed, vcd.QueueOpen}},
		"no state": {Statuses: &[]vcd.QueueStatus{}},
		"URL":      {URLIDs: &[]vcd.ID{e.URLID}, Types: &[]vcd.QueueType{vcd.QueueCompare}},
	} {
		whole, err := s.Runs.QueueEntries(c, w.Actor, f, vcd.Page{Size: 6000, Number: 1}, false)
		must(t, err)
		for number := 1; number <= len(whole.Items)/250+2; number++ {
			for _, figures := range []bool{true, false} {
				page, err := s.Runs.QueueEntries(c, w.Actor, f, vcd.Page{Size: 250, Number: number, Total: true}, figures)
				must(t, err)
				from, to := min((number-1)*250, len(whole.Items)), min(number*250, len(whole.Items))
				if page.Total != len(whole.Items) || page.HasNextPage != (to < len(whole.Items)) {
					t.Errorf("%s, page %d: %d of %d", name, number, page.Total, len(whole.Items))
				}
				if !slices.EqualFunc(page.Items, whole.Items[from:to], func(a, b *vcd.QueueEntry) bool { return a.ID == b.ID }) {
					t.Errorf("%s: page %d has other items", name, number)
				}
				if figures && page.Figures.All.Total() != len(whole.Items) {
					t.Errorf("%s: figures %+v of %d", name, page.Figures.All, len(whole.Items))
				}
			}
		}
	}
	shots, err := s.Reviews.Screenshots(c, w.Actor, vcd.ScreenshotFilter{GroupIDs: &[]vcd.ID{e.GroupID}}, vcd.Page{Size: 5000, Total: true})
	must(t, err)
	if shots.Total != 900 || shots.Total != len(shots.Items) {
		t.Errorf("%d of %d screenshots", shots.Total, len(shots.Items))
	}
	for number := 1; number < 12; number++ {
		page, err := s.Reviews.Screenshots(c, w.Actor, vcd.ScreenshotFilter{GroupIDs: &[]vcd.ID{e.GroupID}},
			vcd.Page{Size: 90, Number: number, Total: true})
		must(t, err)
		from, to := min((number-1)*90, 900), min(number*90, 900)
		if !slices.EqualFunc(page.Items, shots.Items[from:to], func(a, b *vcd.Screenshot) bool { return a.ID == b.ID }) ||
			page.Total != 900 || page.HasNextPage != (to < 900) {
			t.Errorf("screenshots: page %d has other items, or %d of 900", number, page.Total)
		}
	}
}

// Lists inside of things take as many statements for fifteen as for one, and hold what the lists of each hold.
func TestListsOfManyParentsAreReadTogether(t *testing.T) {
	w := seeded(t)
	s, c := w.Service, t.Context()
	batches, err := s.Runs.Batches(c, w.Actor, vcd.BatchFilter{}, vcd.Page{Size: 15})
	must(t, err)
	var ids, groups []vcd.ID
	for _, b := range batches.Items {
		ids = append(ids, b.ID)
		if !slices.Contains(groups, b.GroupIDs[0]) {
			groups = append(groups, b.GroupIDs[0])
		}
	}
	statements := vcdtest.RecordStatements(w.DB)
	few := func(name string) {
		t.Helper()
		if texts := statements.Take(); len(texts) > 3 {
			t.Errorf("%s: %d statements", name, len(texts))
		}
	}
	for name, p := range map[string]vcd.Page{
		"first": {Size: 3, Total: true}, "numbered": {Size: 7, Number: 2, Total: true}, "last": {Size: 4, Backward: true, Total: true},
	} {
		f := vcd.ComparisonFilter{AboveThreshold: vcdtest.Pointer(false)}
		lists, err := s.Reviews.ComparisonsOfBatches(c, w.Actor, ids, f, p, true)
		must(t, err)
		few("comparisons")
		queues, err := s.Runs.QueueEntriesOfBatches(c, w.Actor, ids, vcd.QueueFilter{Types: &[]vcd.QueueType{vcd.QueueCompare}}, p, true)
		must(t, err)
		few("queue entries")
		for _, id := range ids {
			f.BatchIDs = &[]vcd.ID{id}
			one, err := s.Reviews.Comparisons(c, w.Actor, f, p, true)
			must(t, err)
			sameList(t, name+" comparisons", lists[id].List, one.List, func(c *vcd.Comparison) vcd.ID { return c.ID })
			queue, err := s.Runs.QueueEntries(c, w.Actor, vcd.QueueFilter{BatchIDs: &[]vcd.ID{id},
				Types: &[]vcd.QueueType{vcd.QueueCompare}}, p, true)
			must(t, err)
			sameList(t, name+" entries", queues[id].List, queue.List, func(e *vcd.QueueEntry) vcd.ID { return e.ID })
		}
		statements.Take()
		sels, err := s.Inventory.SelectionsOfGroups(c, w.Actor, groups, vcd.SelectionFilter{Search: vcdtest.Pointer("page/1")}, p)
		must(t, err)
		few("URLs of groups")
		for _, id := range groups {
			one, err := s.Inventory.Selections(c, w.Actor, vcd.SelectionFilter{GroupID: id, Search: vcdtest.Pointer("page/1")}, p)
			must(t, err)
			sameList(t, name+" URLs", sels[id], one.List, func(sel *vcd.Selection) vcd.ID { return sel.URLID })
		}
		statements.Take()
	}
}

func sameList[T any](t *testing.T, what string, got, want *vcd.List[T], id func(T) vcd.ID) {
	t.Helper()
	same := slices.EqualFunc(got.Items, want.Items, func(a, b T) bool { return id(a) == id(b) })
	if !same || got.Total != want.Total || got.HasNextPage != want.HasNextPage || got.HasPrevPage != want.HasPrevPage {
		t.Errorf("%s: %d of %d items (%t, %t), want %d of %d (%t, %t)", what, len(got.Items), got.Total, got.HasPrevPage, got.HasNextPage,
			len(want.Items), want.Total, want.HasPrevPage, want.HasNextPage)
	}
}

func TestURLsAreSortedByTheirLastChange(t *testing.T) {
	w := seeded(t)
	groups, err := w.Service.Inventory.Groups(t.Context(), w.Actor, vcd.GroupFilter{}, vcd.Page{Size: 1})
	must(t, err)
	f := vcd.SelectionFilter{GroupID: groups.Items[0].ID, Sort: vcd.Sort{By: vcd.SelectionLastChanged}}
	found, err := w.Service.Inventory.Selections(t.Context(), w.Actor, f, vcd.Page{Size: 100, Number: 1})
	must(t, err)
	var last time.Time
	changed := 0
	for i, sel := range found.Items {
		at := time.Time{}
		if sel.LastChangedAt != nil {
			at, changed = *sel.LastChangedAt, changed+1
		}
		if i > 0 && at.After(last) {
			t.Errorf("%s comes after %s", at, last)
		}
		last = at
	}
	if changed == 0 || changed == len(found.Items) {
		t.Errorf("%d of %d pages changed", changed, len(found.Items))
	}
}
