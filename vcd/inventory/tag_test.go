package inventory_test

import (
	"fmt"
	"slices"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// tag gives tags to URLs and returns those that were changed.
func (w *world) tag(urls []*vcd.URL, change inventory.TagChange) []vcd.ID {
	w.T.Helper()
	changed, err := w.Service.Inventory.TagURLs(w.T.Context(), w.Actor, idTexts(urls), change)
	must(w.T, err)
	return changed
}

func idTexts(urls []*vcd.URL) []string {
	texts := make([]string, len(urls))
	for i, u := range urls {
		texts[i] = string(u.ID)
	}
	return texts
}

// tags are the account's tags with the number of their URLs.
func (w *world) tags() string {
	w.T.Helper()
	list, err := w.Service.Inventory.Tags(w.T.Context(), w.Actor)
	must(w.T, err)
	text := ""
	for _, tag := range list {
		text += fmt.Sprint(tag.Name, " ", tag.URLs, ";")
	}
	return text
}

func TestTags(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("t", 4, inventory.GroupChange{})
	s := w.Service.Inventory
	w.tag(urls[:2], inventory.TagChange{Add: []string{"Blog", " smoke  test "}})
	if changed := w.tag(urls[:3], inventory.TagChange{Add: []string{"BLOG"}}); !slices.Equal(changed, []vcd.ID{urls[2].ID}) {
		t.Errorf("changed: %v", changed)
	}
	u, err := s.URL(t.Context(), w.Actor, urls[0].ID)
	must(t, err)
	if !slices.Equal(u.Tags, []string{"Blog", "smoke test"}) {
		t.Errorf("tags %q", u.Tags)
	}
	if got := w.tags(); got != "Blog 3;smoke test 2;" {
		t.Error(got)
	}
	for want, tags := range map[int][]string{3: {"blog"}, 2: {"Smoke test"}, 0: {"unknown", "\x00"}} {
		page := vcd.Page{Size: 9, Total: true}
		all, err := s.URLs(t.Context(), w.Actor, vcd.URLFilter{Tags: &tags}, page)
		must(t, err)
		inGroup, err := s.Selections(t.Context(), w.Actor, vcd.SelectionFilter{GroupID: g.ID, Tags: &tags}, page)
		must(t, err)
		if all.Total != want || inGroup.Total != want || len(inGroup.Items) != want {
			t.Errorf("%q: %d URLs, %d of the group", tags, all.Total, inGroup.Total)
		}
	}
	_, err = s.RenameTag(t.Context(), w.Actor, "BLOG", "smoke TEST")
	vcdtest.WantField(t, err, "newName", "unique")
	if name, err := s.RenameTag(t.Context(), w.Actor, "BLOG", " blog "); err != nil || name != "blog" {
		t.Errorf("renamed to %q: %v", name, err)
	}
	must(t, s.DeleteURL(t.Context(), w.Actor, urls[2].ID))
	if got := w.tags(); got != "blog 2;smoke test 2;" {
		t.Error(got)
	}
	if changed := w.tag(urls[:2], inventory.TagChange{Remove: []string{"Blog", "unknown"}, Add: []string{"x"}}); len(changed) != 2 {
		t.Errorf("changed: %v", changed)
	}
	must(t, s.DeleteTag(t.Context(), w.Actor, "SMOKE test"))
	wantCode(t, s.DeleteTag(t.Context(), w.Actor, "smoke test"), vcd.CodeNotFound)
	_, err = s.RenameTag(t.Context(), w.Actor, "smoke test", "y")
	wantCode(t, err, vcd.CodeNotFound)
	if got := w.tags(); got != "blog 0;x 2;" {
		t.Error(got)
	}
}

func TestTagsHaveLimits(t *testing.T) {
	w := newWorld(t)
	_, urls := w.Group("t", 1, inventory.GroupChange{})
	s, id := w.Service.Inventory, string(urls[0].ID)
	names := make([]string, vcd.MaxTags)
	for i := range names {
		names[i] = fmt.Sprint("tag ", i)
	}
	for part := range slices.Chunk(names, vcd.MaxTagsOfURL) {
		w.tag(urls, inventory.TagChange{Add: part})
		w.tag(urls, inventory.TagChange{Remove: part[1:]})
		w.tag(urls, inventory.TagChange{Remove: part[:1]})
	}
	_, err := s.TagURLs(t.Context(), w.Actor, []string{id}, inventory.TagChange{Add: []string{"one more"}})
	vcdtest.WantField(t, err, "add", "max")
	w.tag(urls, inventory.TagChange{Add: names[:vcd.MaxTagsOfURL]})
	_, err = s.TagURLs(t.Context(), w.Actor, []string{id}, inventory.TagChange{Add: names[20:21]})
	vcdtest.WantField(t, err, "add", "max")
	_, err = s.TagURLs(t.Context(), w.Actor, []string{id}, inventory.TagChange{Add: names[:21]})
	vcdtest.WantField(t, err, "add", "max")
	_, err = s.TagURLs(t.Context(), w.Actor, []string{id, string(w.Account.ID)}, inventory.TagChange{Add: names[:1]})
	vcdtest.WantField(t, err, "ids.1", "exists")
	_, err = s.TagURLs(t.Context(), w.Actor, []string{"x"}, inventory.TagChange{})
	vcdtest.WantField(t, err, "ids.0", "uuid")
}
