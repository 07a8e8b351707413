package inventory_test

import (
	"slices"
	"strings"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// edit changes what a filter matches.
func (w *world) edit(g *vcd.Group, f vcd.SelectionFilter, edit inventory.URLEdit) *inventory.EditedURLs {
	w.T.Helper()
	edited, err := w.Service.Inventory.EditURLs(w.T.Context(), w.Actor, g.ID, f, edit, 10)
	must(w.T, err)
	return edited
}

func (w *world) inGroup(g *vcd.Group, f vcd.SelectionFilter) []*vcd.Selection {
	w.T.Helper()
	f.GroupID = g.ID
	list, err := w.Service.Inventory.Selections(w.T.Context(), w.Actor, f, vcd.Page{Size: 20, Number: 1})
	must(w.T, err)
	return list.Items
}

func TestManyURLsAreEditedByAFilter(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("edit", 5, inventory.GroupChange{})
	other, _ := w.Group("other", 1, inventory.GroupChange{})
	_, err := w.Service.Inventory.AddURLs(t.Context(), w.Actor, other.ID, []inventory.SelectionChange{{URLID: string(urls[4].ID)}})
	must(t, err)
	sel := []inventory.SelectionChange{{URLID: string(urls[0].ID), Desktop: vcd.Some(false), CSS: vcd.Some("a {}")}}
	_, err = w.Service.Inventory.ChangeURLs(t.Context(), w.Actor, g.ID, sel)
	must(t, err)

	off := w.edit(g, vcd.SelectionFilter{ExceptURLIDs: &[]vcd.ID{urls[1].ID}}, inventory.URLEdit{Desktop: vcd.Some(false)})
	if off.Matched != 4 || len(off.Changed) != 3 || slices.Contains(off.Changed, urls[0].ID) || off.Removed != nil {
		t.Errorf("switched: %+v", off)
	}
	back := w.edit(g, vcd.SelectionFilter{URLIDs: &off.Changed}, inventory.URLEdit{Desktop: vcd.Some(true)})
	if back.Matched != 3 || len(back.Changed) != 3 {
		t.Errorf("switched back: %+v", back)
	}
	search := "/1"
	tagged := w.edit(g, vcd.SelectionFilter{Search: &search}, inventory.URLEdit{Tags: inventory.TagChange{Add: []string{"one"}}})
	if !slices.Equal(tagged.Changed, []vcd.ID{urls[1].ID}) {
		t.Errorf("tagged: %+v", tagged)
	}
	removed := w.edit(g, vcd.SelectionFilter{URLIDs: &[]vcd.ID{urls[0].ID}}, inventory.URLEdit{Remove: inventory.RemoveFromGroup})
	if len(removed.Removed) != 1 || removed.Removed[0].Desktop || !removed.Removed[0].Mobile || *removed.Removed[0].CSS != "a {}" {
		t.Errorf("removed: %+v", removed.Removed)
	}
	deleted := w.edit(g, vcd.SelectionFilter{}, inventory.URLEdit{Remove: inventory.RemoveEntirely})
	if deleted.Matched != 4 || len(deleted.Changed) != 4 || len(w.inGroup(g, vcd.SelectionFilter{})) != 0 {
		t.Errorf("deleted: %+v", deleted)
	}
	if left := w.inGroup(other, vcd.SelectionFilter{}); len(left) != 1 {
		t.Errorf("%d URLs are left in the other group", len(left))
	}
	gone := vcdtest.Value[int](w.World, "SELECT count(*) FROM events WHERE account_id = $1 AND kind = 'url_deleted'", string(w.Account.ID))
	if gone != 4 {
		t.Errorf("%d events tell of deleted URLs", gone)
	}
}

func TestAnEditChangesNothingThatWasNotMeant(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("edit", 3, inventory.GroupChange{})
	s := w.Service.Inventory
	off := inventory.URLEdit{Mobile: vcd.Some(false)}
	_, err := s.EditURLs(t.Context(), w.Actor, g.ID, vcd.SelectionFilter{}, off, 2)
	vcdtest.WantField(t, err, "filter", "max")
	if sel := w.inGroup(g, vcd.SelectionFilter{})[0]; !sel.Mobile {
		t.Error("more URLs than the limit were changed")
	}
	_, err = s.EditURLs(t.Context(), w.Actor, g.ID, vcd.SelectionFilter{}, off, 10_001)
	vcdtest.WantField(t, err, "limit", "between")
	_, err = s.EditURLs(t.Context(), w.Actor, g.ID, vcd.SelectionFilter{}, inventory.URLEdit{}, 10)
	vcdtest.WantField(t, err, "edit", "required")
	both := inventory.URLEdit{Desktop: vcd.Some(true), Remove: inventory.RemoveFromGroup}
	_, err = s.EditURLs(t.Context(), w.Actor, g.ID, vcd.SelectionFilter{}, both, 10)
	vcdtest.WantField(t, err, "edit.remove", "prohibited")
	code := strings.Repeat("x", 60_000)
	for _, u := range urls {
		own := []inventory.SelectionChange{{URLID: string(u.ID), CSS: vcd.Some(code), JS: vcd.Some(code)}}
		_, err := s.ChangeURLs(t.Context(), w.Actor, g.ID, own)
		must(t, err)
	}
	e := w.edit(g, vcd.SelectionFilter{}, inventory.URLEdit{Remove: inventory.RemoveFromGroup})
	if e.Removed != nil || len(e.Changed) != 3 {
		t.Errorf("%d settings are returned that no request can hold", len(e.Removed))
	}
}

func TestURLsOfAGroupAreSorted(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("sort", 3, inventory.GroupChange{})
	w.AsSystem(`UPDATE urls SET html_title = CASE id WHEN $1 THEN 'b' WHEN $2 THEN 'C' ELSE 'a' END,
		last_crawled_at = CASE id WHEN $1 THEN now() END`, string(urls[0].ID), string(urls[1].ID))
	w.tag(urls[1:2], inventory.TagChange{Add: []string{"Zoo", "b"}})
	w.tag(urls[2:], inventory.TagChange{Add: []string{"C"}})
	for by, want := range map[string][]int{
		vcd.SelectionAddress: {0, 1, 2}, vcd.SelectionTitle: {2, 0, 1}, vcd.SelectionLastCrawled: {1, 2, 0},
		vcd.SelectionTag: {1, 2, 0}, vcd.SelectionLastChanged: {0, 1, 2}, "": {0, 1, 2},
	} {
		var got []int
		for _, sel := range w.inGroup(g, vcd.SelectionFilter{Sort: vcd.Sort{By: by, Ascending: true}}) {
			got = append(got, slices.IndexFunc(urls, func(u *vcd.URL) bool { return u.ID == sel.URLID }))
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %q: %v, want %v", by, got, want)
		}
	}
}
