package db_test

import (
	"strings"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// TestASearchInAGroupLooksEachURLUp: it takes time by the size of the group, whatever the statistics of PostgreSQL say. A plan that
// joins could read the group again for each URL of the account.
func TestASearchInAGroupLooksEachURLUp(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shop", 3, inventory.GroupChange{})
	search := "shop"
	statements := vcdtest.RecordStatements(w.DB)
	lists, err := w.Service.Inventory.SelectionsOfGroups(t.Context(), w.Actor, []vcd.ID{g.ID}, vcd.SelectionFilter{Search: &search},
		vcd.Page{Number: 1, Size: 10, Total: true})
	vcdtest.Must(t, err)
	if list := lists[g.ID]; list.Total != 3 || len(list.Items) != 3 {
		t.Errorf("%d URLs found, %d listed, want 3", list.Total, len(list.Items))
	}
	searches := 0
	for _, text := range statements.Take() {
		if !strings.Contains(text, "lower_address LIKE") {
			continue
		}
		searches++
		plan := vcdtest.Value[string](w.World, "EXPLAIN (FORMAT JSON) "+text)
		if !strings.Contains(plan, `"Parent Relationship": "SubPlan"`) || strings.Contains(plan, `s.url_id = u.id`) {
			t.Errorf("%s\n%s", text, plan)
		}
	}
	if searches != 2 {
		t.Errorf("%d statements search, want the page and its count", searches)
	}
}
