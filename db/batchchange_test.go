package db_test

import (
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

func TestTheSameChangeOnManyPagesIsOne(t *testing.T) {
	w := newWorld(t)
	w.Verifying()
	g, urls := w.Group("shop", 3, inventory.GroupChange{})
	batch, _ := w.Round(g, false, 5, vcdtest.Lamp(vcd.CategoryNotSure))
	lists, err := w.Service.Reviews.ChangesOfBatches(t.Context(), w.Actor, []vcd.ID{batch}, vcd.ChangeFilter{},
		vcd.Page{Size: 10, Total: true})
	must(t, err)
	changes := lists[batch]
	if changes.Total != 1 || changes.Items[0].Comparisons != 6 || changes.Items[0].Mobile() != 3 ||
		changes.Items[0].Category() != vcd.CategoryNotSure {
		t.Fatalf("%+v", changes.Items)
	}
	other, _ := w.Round(
		g,
		false,
		5,
		vcdtest.Lamp(vcd.CategoryNotSure),
		vcdtest.Found(2, vcd.CategoryAlert, vcdtest.Price(2, "a", "", 1), vcdtest.Price(2, "b", "", 1)),
	)
	f := vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch, other}, Changes: &[]string{changes.Items[0].Fingerprint}, OnlyThese: true}
	verdict, err := w.Service.Reviews.SetStatusOfComparisons(t.Context(), w.Actor, f, vcd.ComparisonFalsePositive, 100)
	if err != nil || verdict.Matched != 2*len(urls) {
		t.Errorf("%d reviewed, %v", verdict.Matched, err)
	}
	statements := vcdtest.RecordStatements(w.DB)
	lists, err = w.Service.Reviews.ChangesOfBatches(t.Context(), w.Actor, []vcd.ID{batch, other},
		vcd.ChangeFilter{Order: vcd.OrderComparisons},
		vcd.Page{Size: 10, Number: 1, Total: true})
	if texts := statements.Take(); err != nil || len(texts) > 3 || lists[batch].Total != 1 || lists[other].Total != 2 ||
		len(lists[other].Items) != 2 {
		t.Errorf("%d statements, %+v, %v", len(texts), lists[other], err)
	}
	alerts := vcd.ChangeFilter{Categories: &[]vcd.Category{vcd.CategoryAlert}}
	lists, err = w.Service.Reviews.ChangesOfBatches(t.Context(), w.Actor, []vcd.ID{batch, other}, alerts, vcd.Page{Size: 10})
	if err != nil || len(lists[batch].Items) != 0 || len(lists[other].Items) != 1 {
		t.Errorf("alerts: %+v, %v", lists, err)
	}
	f.OnlyThese = false
	if verdict, err = w.Service.Reviews.SetStatusOfComparisons(t.Context(), w.Actor, f, vcd.ComparisonToFix, 100); err != nil ||
		verdict.Matched != 12 {
		t.Errorf("%d reviewed, %v", verdict.Matched, err)
	}
	standings, err := w.Service.Reviews.ChangeStandings(t.Context(), w.Actor, []vcd.ID{changes.Items[0].ID, lists[other].Items[0].ID})
	if err != nil || len(standings) != 2 || standings[changes.Items[0].ID].Open != 0 {
		t.Errorf("after the review: %+v, %v", standings, err)
	}
	w.CheckInvariants()
}
