package inventory_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

func TestAWebsiteComesBackAsItWasStored(t *testing.T) {
	w := newWorld(t)
	made, manual, auto := w.Pair("HTTPS://Example.COM:8080/Shop//")
	if made.Domain != "example.com:8080/Shop" || *made.ManualGroupID != manual.ID || *made.AutoGroupID != auto.ID ||
		made.AutoUpdate != nil {
		t.Errorf("made %+v", made)
	}
	stored := func() *vcd.Website {
		got, err := w.Service.Inventory.Website(t.Context(), w.Actor, made.ID)
		must(t, err)
		return got
	}
	if diff := cmp.Diff(made, stored(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("stored and read differ:\n%s", diff)
	}
	w.Clock.Advance(time.Second)
	changed, err := w.Service.Inventory.UpdateWebsite(t.Context(), w.Actor, made.ID, inventory.WebsiteChange{
		Domain: vcd.Some("b.test"),
		SyncURLTypes: vcd.Some([]vcd.SyncURLType{{URLTypeSlug: "types", URLTypeName: "Post types", PostTypeSlug: "pages",
			PostTypeName: `"P' ? $1`}}),
		AutoUpdate: vcd.Some(inventory.AutoUpdateChange{
			Enabled: vcd.Some(true), From: vcd.Some("9:05"), Emails: vcd.Some([]string{"a@example.com"}),
			Days: [7]vcd.Optional[bool]{6: vcd.Some(false)},
		}),
		Allowances: vcd.Some(map[string]any{"manual_checks_start": "1", "only_frontpage": int64(0), "x": true}),
	})
	must(t, err)
	want := vcd.AutoUpdateSettings{
		Enabled: true, From: "09:05", To: "23:59", Days: vcd.Weekdays{true, true, true, true, true, true, false},
		Emails: []string{"a@example.com"},
	}
	if diff := cmp.Diff(&want, changed.AutoUpdate); diff != "" {
		t.Errorf("automatic updates:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]bool{"manual_checks_start": true, "only_frontpage": false, "x": true}, changed.Allowances); diff != "" {
		t.Errorf("allowances:\n%s", diff)
	}
	if diff := cmp.Diff(changed, stored(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("changed and read differ:\n%s", diff)
	}
	cleared, err := w.Service.Inventory.UpdateWebsite(t.Context(), w.Actor, made.ID, inventory.WebsiteChange{
		AutoUpdate: vcd.Null[inventory.AutoUpdateChange](), SyncURLTypes: vcd.Null[[]vcd.SyncURLType](),
		Allowances: vcd.Null[map[string]any](),
	})
	must(t, err)
	if got := stored(); cleared.AutoUpdate != nil || got.AutoUpdate != nil || len(got.SyncURLTypes) != 0 || len(got.Allowances) != 0 {
		t.Errorf("cleared %+v", got)
	}
}

func TestADomainIsAWebsiteOncePerManager(t *testing.T) {
	w := newWorld(t)
	own, _, _ := w.Pair("a.test")
	create := func(actor vcd.Actor, managedBy string) (*vcd.Website, error) {
		in := inventory.WebsiteChange{Domain: vcd.Some("a.test"), ManagedBy: vcd.Some(managedBy)}
		for i, group := range []*vcd.Optional[string]{&in.ManualGroupID, &in.AutoGroupID} {
			g, err := w.Service.Inventory.CreateGroup(t.Context(), actor,
				inventory.GroupChange{Name: vcd.Some("g"), Monitoring: vcd.Some(i > 0)})
			must(t, err)
			*group = vcd.Some(string(g.ID))
		}
		return w.Service.Inventory.CreateWebsite(t.Context(), actor, in)
	}
	managed, err := create(w.Actor, " fleet ")
	must(t, err)
	if managed.ManagedBy == nil || *managed.ManagedBy != "fleet" {
		t.Errorf("managed by %v", managed.ManagedBy)
	}
	_, err = create(w.Actor, "fleet")
	vcdtest.WantField(t, err, "domain", "unique")
	_, err = create(w.Actor, "  ")
	vcdtest.WantField(t, err, "domain", "unique")
	_, err = create(w.Actor, "a\u200bb")
	vcdtest.WantField(t, err, "managedBy", "printable")
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	if _, err = create(stranger, "fleet"); err != nil {
		t.Errorf("another account's site: %v", err)
	}
	found := func(actor vcd.Actor, f vcd.WebsiteFilter) (ids []vcd.ID) {
		list, err := w.Service.Inventory.Websites(t.Context(), actor, f, vcd.Page{Size: 15})
		must(t, err)
		for _, site := range list.Items {
			ids = append(ids, site.ID)
		}
		return ids
	}
	fleet := "fleet"
	for name, c := range map[string]struct {
		filter vcd.WebsiteFilter
		want   []vcd.ID
	}{
		"all":       {vcd.WebsiteFilter{}, []vcd.ID{managed.ID, own.ID}},
		"managed":   {vcd.WebsiteFilter{ManagedBy: &fleet}, []vcd.ID{managed.ID}},
		"unmanaged": {vcd.WebsiteFilter{Unmanaged: true}, []vcd.ID{own.ID}},
		"neither":   {vcd.WebsiteFilter{ManagedBy: &fleet, Unmanaged: true}, nil},
	} {
		if diff := cmp.Diff(c.want, found(w.Actor, c.filter)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if _, err := w.Service.Inventory.UnmanagedWebsite(t.Context(), w.Actor, own.ID); err != nil {
		t.Errorf("the plug-in's own site: %v", err)
	}
	for name, actor := range map[string]vcd.Actor{"the plug-in": w.Actor, "a stranger": stranger} {
		if _, err := w.Service.Inventory.UnmanagedWebsite(t.Context(), actor, managed.ID); vcd.CodeOf(err) != vcd.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestADomainAndAGroupBelongToOneWebsite(t *testing.T) {
	w := newWorld(t)
	site, manual, auto := w.Pair("a.test")
	other, _, _ := w.Pair("b.test")
	free, _ := w.Group("free", 0, inventory.GroupChange{})
	free2, _ := w.Group("free2", 0, inventory.GroupChange{})
	create := func(domain string, manual, auto vcd.ID) error {
		_, err := w.Service.Inventory.CreateWebsite(t.Context(), w.Actor, inventory.WebsiteChange{
			Domain: vcd.Some(domain), ManualGroupID: vcd.Some(string(manual)), AutoGroupID: vcd.Some(string(auto)),
		})
		return err
	}
	vcdtest.WantField(t, create("http://A.test/", free.ID, free2.ID), "domain", "unique")
	vcdtest.WantField(t, create("c.test", manual.ID, free.ID), "manualDetectionGroupId", "unique")
	vcdtest.WantField(t, create("c.test", free.ID, auto.ID), "autoDetectionGroupId", "unique")
	vcdtest.WantField(t, create("c.test", free.ID, free.ID), "autoDetectionGroupId", "different")
	vcdtest.WantField(t, create("c.test", free.ID, w.Account.ID), "autoDetectionGroupId", "exists")
	vcdtest.WantField(t, create("c.test?q=1", free.ID, free2.ID), "domain", "domain")
	vcdtest.WantField(t, create("no host", free.ID, free2.ID), "domain", "url")
	_, err := w.Service.Inventory.UpdateWebsite(t.Context(), w.Actor, other.ID, inventory.WebsiteChange{Domain: vcd.Some("a.test")})
	vcdtest.WantField(t, err, "domain", "unique")
	_, err = w.Service.Inventory.UpdateWebsite(t.Context(), w.Actor, site.ID, inventory.WebsiteChange{
		ManualGroupID: vcd.Some(string(auto.ID)), AutoGroupID: vcd.Some(string(manual.ID)), // swapped
	})
	must(t, err)
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	for name, err := range map[string]error{
		"read": func() error { _, err := w.Service.Inventory.Website(t.Context(), stranger, site.ID); return err }(),
		"change": func() error {
			_, err := w.Service.Inventory.UpdateWebsite(t.Context(), stranger, site.ID, inventory.WebsiteChange{})
			return err
		}(),
		"delete": func() error { _, err := w.Service.Inventory.DeleteWebsite(t.Context(), stranger, site.ID); return err }(),
	} {
		if vcd.CodeOf(err) != vcd.CodeNotFound {
			t.Errorf("%s by a stranger: %v", name, err)
		}
	}
	list, err := w.Service.Inventory.Websites(t.Context(), stranger, vcd.WebsiteFilter{IDs: &[]vcd.ID{site.ID}},
		vcd.Page{Size: 15, Total: true})
	if err != nil || len(list.Items) != 0 || list.Total != 0 {
		t.Errorf("a stranger lists %d websites, %v", len(list.Items), err)
	}
	for _, spelling := range []string{"a.test", "https://A.TEST/", "nowhere.test", "no host"} {
		list, err := w.Service.Inventory.Websites(t.Context(), w.Actor, vcd.WebsiteFilter{Domain: &spelling}, vcd.Page{Size: 15})
		if found := len(list.Items) == 1; err != nil || found != (spelling != "nowhere.test" && spelling != "no host") {
			t.Errorf("%s: %d websites, %v", spelling, len(list.Items), err)
		}
	}
}

func TestTheRegionIsMirroredToTheSibling(t *testing.T) {
	w := newWorld(t)
	_, manual, auto := w.Pair("a.test")
	region := func(id vcd.ID) vcd.Region {
		g, err := w.Service.Inventory.Group(t.Context(), w.Actor, id)
		must(t, err)
		return g.ScreenshotRegion
	}
	_, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, manual.ID,
		inventory.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionUS), Name: vcd.Some("m")})
	must(t, err)
	if region(auto.ID) != vcd.RegionUS {
		t.Error("a change of the manual group is not mirrored")
	}
	g, err := w.Service.Inventory.Group(t.Context(), w.Actor, auto.ID)
	must(t, err)
	if g.Name == "m" {
		t.Error("more than the region was mirrored")
	}
	// Concurrent changes lock the rows in the same order and end with the same region.
	var both sync.WaitGroup
	for i := range 10 {
		both.Go(func() {
			id, to := manual.ID, vcd.RegionEU
			if i%2 == 0 {
				id, to = auto.ID, vcd.RegionUS
			}
			if _, err := w.Service.Inventory.UpdateGroup(context.WithoutCancel(t.Context()), w.Actor, id,
				inventory.GroupChange{ScreenshotRegion: vcd.Some(to)}); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if a, b := region(manual.ID), region(auto.ID); a != b {
		t.Errorf("regions %s and %s", a, b)
	}
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, auto.ID))
	_, err = w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, manual.ID,
		inventory.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionAuto)})
	must(t, err)
	w.CheckInvariants()
}

func TestThingsKnowTheirWebsite(t *testing.T) {
	w := newWorld(t)
	manual, urls := w.Group("shop", 2, inventory.GroupChange{})
	auto, _ := w.Group("watch", 0, inventory.GroupChange{})
	plain, others := w.Group("plain", 1, inventory.GroupChange{})
	site := w.Website("shop.test", manual, auto)
	taken := w.Take(vcd.QueuePre, manual, plain)
	apart := w.Take(vcd.QueuePre, plain)
	url := func(id vcd.ID) *vcd.ID {
		u, err := w.Service.Inventory.URL(t.Context(), w.Actor, id)
		must(t, err)
		return u.WebsiteID
	}
	if got := url(urls[0].ID); got == nil || *got != site.ID || url(others[0].ID) != nil {
		t.Errorf("the URL belongs to %v", got)
	}
	list, err := w.Service.Inventory.URLs(t.Context(), w.Actor, vcd.URLFilter{WebsiteIDs: &[]vcd.ID{site.ID}},
		vcd.Page{Size: 15, Total: true})
	if err != nil || list.Total != 2 {
		t.Errorf("%d URLs, %v", list.Total, err)
	}
	b, err := w.Service.Runs.Batch(t.Context(), w.Actor, taken.Batches[0].ID)
	if err != nil || !slices.Equal(b.Domains, []string{"shop.test"}) || !slices.Equal(b.GroupNames, []string{"plain", "shop"}) {
		t.Errorf("%v, %v, %v", b.Domains, b.GroupNames, err)
	}
	batches, err := w.Service.Runs.Batches(t.Context(), w.Actor, vcd.BatchFilter{WebsiteIDs: &[]vcd.ID{site.ID}},
		vcd.Page{Size: 15, Total: true})
	if err != nil || batches.Total != 1 || batches.Items[0].ID == apart.Batches[0].ID {
		t.Errorf("%d batches, %v", batches.Total, err)
	}
	comparisons, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{WebsiteIDs: &[]vcd.ID{site.ID}},
		vcd.Page{Size: 15}, true)
	if err != nil || len(comparisons.Items) != 0 {
		t.Errorf("%d comparisons, %v", len(comparisons.Items), err)
	}
	g, err := w.Service.Inventory.Group(t.Context(), w.Actor, manual.ID)
	if err != nil || g.WebsiteID == nil || *g.WebsiteID != site.ID {
		t.Errorf("the group belongs to %v, %v", g.WebsiteID, err)
	}
	_, err = w.Service.Inventory.DeleteWebsite(t.Context(), w.Actor, site.ID)
	must(t, err)
	if _, err := w.Service.Inventory.Group(t.Context(), w.Actor, manual.ID); err != nil || url(urls[0].ID) != nil {
		t.Errorf("after the website was deleted: %v", err)
	}
	w.CheckInvariants()
}
