package inventory_test

import (
	"context"
	"slices"
	"testing"

	"afterimage/db"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

func TestSelections(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("sel", 4, inventory.GroupChange{})
	w.AsSystem("UPDATE urls SET type = 'page', category = 'news', html_title = '100% _real_' WHERE id = $1", string(urls[1].ID))
	off := []inventory.SelectionChange{
		{URLID: string(urls[3].ID), Desktop: vcd.Some(false), Mobile: vcd.Some(false), CSS: vcd.Some("x"), Threshold: vcd.Some(2.5)},
		{URLID: string(urls[3].ID), CSS: vcd.Null[string](), JS: vcd.Some("later fields win")},
	}
	n, err := w.Service.Inventory.AddURLs(t.Context(), w.Actor, g.ID, off)
	must(t, err)
	if n != 0 {
		t.Errorf("%d URLs added that were there", n)
	}
	text := func(s string) *string { return &s }
	for name, c := range map[string]struct {
		filter vcd.SelectionFilter
		want   []int
	}{
		"newest first":      {vcd.SelectionFilter{}, []int{3, 2, 1, 0}},
		"selected first":    {vcd.SelectionFilter{Sort: vcd.Sort{By: vcd.SelectionSelected}}, []int{2, 1, 0, 3}},
		"type":              {vcd.SelectionFilter{Type: text("page")}, []int{1}},
		"category":          {vcd.SelectionFilter{Category: text("news")}, []int{1}},
		"other category":    {vcd.SelectionFilter{Category: text("blog")}, nil},
		"search address":    {vcd.SelectionFilter{Search: text("TEST/2")}, []int{2}},
		"search literally":  {vcd.SelectionFilter{Search: text("100% _r")}, []int{1}},
		"no wildcards":      {vcd.SelectionFilter{Search: text("s%l")}, nil},
		"exact":             {vcd.SelectionFilter{Address: text("sel.test/0")}, []int{0}},
		"exact with slash":  {vcd.SelectionFilter{Address: text("sel.test/0/")}, []int{0}},
		"exact not partial": {vcd.SelectionFilter{Address: text("sel.test")}, nil},
		"ids":               {vcd.SelectionFilter{URLIDs: &[]vcd.ID{urls[0].ID, urls[2].ID}}, []int{2, 0}},
	} {
		c.filter.GroupID = g.ID
		l, err := w.Service.Inventory.Selections(t.Context(), w.Actor, c.filter, vcd.Page{Size: 15, Number: 1, Total: true})
		must(t, err)
		var got []int
		for _, sel := range l.Items {
			i := slices.IndexFunc(urls, func(u *vcd.URL) bool { return u.ID == sel.URLID })
			got = append(got, i)
			if sel.URL == nil || sel.URL.Address != urls[i].Address || !slices.Equal(sel.URL.GroupIDs, []vcd.ID{g.ID}) {
				t.Errorf("%s: URL %+v", name, sel.URL)
			}
			if i == 3 && (sel.Desktop || sel.CSS != nil || *sel.JS != "later fields win" || *sel.Threshold != 2.5) {
				t.Errorf("%s: settings %+v", name, sel)
			}
		}
		if !slices.Equal(got, c.want) || l.Total != len(c.want) {
			t.Errorf("%s: got %v of %d, want %v", name, got, l.Total, c.want)
		}
	}
	figures, err := w.Service.Inventory.SelectAll(t.Context(), w.Actor, g.ID, vcd.Mobile, false)
	must(t, err)
	if figures != (vcd.SelectionFigures{SelectedURLs: 3, SelectedChecks: 3}) {
		t.Errorf("figures %+v", figures)
	}
	removed, err := w.Service.Inventory.RemoveURLs(t.Context(), w.Actor, g.ID, []string{string(urls[0].ID), string(w.Account.ID)})
	must(t, err)
	if removed != 1 {
		t.Errorf("%d removed", removed)
	}
	must(t, w.DB.Read(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
		selected, err := tx.SelectedOf(ctx, []vcd.ID{g.ID}, nil, 10)
		if len(selected) != 2 || selected[0].URLID != urls[1].ID || !selected[0].Desktop {
			t.Errorf("selected: %+v", selected)
		}
		if err != nil {
			return err
		}
		if selected, err = tx.SelectedOf(ctx, []vcd.ID{g.ID}, nil, 1); len(selected) != 1 {
			t.Errorf("%d selections in spite of the limit", len(selected))
		}
		return err
	}))
}
