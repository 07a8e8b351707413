package inventory_test

import (
	"slices"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// gather uploads URLs without a collection.
func (w *world) gather(actor vcd.Actor, domain string, managedBy *string, addresses ...string) (*vcd.URLImport, error) {
	w.T.Helper()
	var urls []map[string]any
	for _, address := range addresses {
		urls = append(urls, vcdtest.SitePage(address, ""))
	}
	return w.Service.Inventory.CollectURLs(w.T.Context(), actor,
		inventory.SyncInput{Domain: domain, ManagedBy: managedBy, URLs: vcdtest.Pages(urls...)})
}

// managed makes a website that a tool manages.
func (w *world) managed(domain, tool string) *vcd.Website {
	w.T.Helper()
	manual, _ := w.Group("manual of "+tool, 0, inventory.GroupChange{})
	auto, _ := w.Group("auto of "+tool, 0, inventory.GroupChange{Monitoring: vcd.Some(true)})
	site, err := w.Service.Inventory.CreateWebsite(w.T.Context(), w.Actor, inventory.WebsiteChange{
		Domain: vcd.Some(domain), ManagedBy: vcd.Some(tool),
		ManualGroupID: vcd.Some(string(manual.ID)), AutoGroupID: vcd.Some(string(auto.ID)),
	})
	must(w.T, err)
	return site
}

// TestUploadsWithoutACollectionGather: clients that choose no id upload in several calls and start once.
func TestUploadsWithoutACollectionGather(t *testing.T) {
	w := newWorld(t)
	_, manual, _ := w.Pair("shop.test")
	fleet := "fleet"
	site := w.managed("shop.test", fleet)
	own, err := w.gather(w.Actor, "shop.test", nil, "shop.test/a")
	must(t, err)
	again, err := w.gather(w.Actor, "https://Shop.test/", nil, "shop.test/a", "shop.test/?p=3")
	must(t, err)
	theirs, err := w.gather(w.Actor, "shop.test", &fleet, "shop.test/fleet")
	must(t, err)
	if again.ID != own.ID || again.Found != 2 || theirs.ID == own.ID {
		t.Errorf("gathered %+v, then %+v; managed %+v", own, again, theirs)
	}
	start := func(actor vcd.Actor, in inventory.SyncStart) (*vcd.URLImport, error) {
		return w.Service.Inventory.StartSync(t.Context(), actor, in)
	}
	other, shop := "other.test", "shop.test"
	_, err = start(w.Actor, inventory.SyncStart{Domain: &other})
	vcdtest.WantField(t, err, "collectionUuid", "gathered")
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	_, err = start(stranger, inventory.SyncStart{})
	vcdtest.WantField(t, err, "collectionUuid", "gathered")
	_, err = w.gather(stranger, "shop.test", nil, "shop.test/a")
	vcdtest.WantField(t, err, "domain", "exists")

	started, err := start(w.Actor, inventory.SyncStart{Domain: &shop})
	must(t, err)
	if jobs := w.Jobs("import"); started.ID != own.ID || !slices.Equal(jobs, []vcd.ID{own.ID}) {
		t.Errorf("started %+v, jobs %v", started, jobs)
	}
	must(t, w.Service.Inventory.RunSync(w.Working(own.ID), w.Actor, own.ID))
	if got := w.placesIn(manual.ID); len(got) != 2 || !slices.Contains(got, "shop.test?p=3 [desktop mobile]") {
		t.Errorf("the group has %q", got)
	}
	if got := w.placesIn(*site.ManualGroupID); len(got) != 0 {
		t.Errorf("the group of the tool has %q", got)
	}
	_, err = start(w.Actor, inventory.SyncStart{})
	vcdtest.WantField(t, err, "collectionUuid", "gathered")

	_, err = start(w.Actor, inventory.SyncStart{ManagedBy: &fleet})
	must(t, err)
	must(t, w.Service.Inventory.RunSync(w.Working(theirs.ID), w.Actor, theirs.ID))
	if got := w.placesIn(*site.ManualGroupID); !slices.Equal(got, []string{"shop.test/fleet [desktop mobile]"}) {
		t.Errorf("the group of the tool has %q", got)
	}
	next, err := w.gather(w.Actor, "shop.test", nil, "shop.test/b")
	must(t, err)
	if next.ID == own.ID || next.Found != 1 {
		t.Errorf("after the start: %+v", next)
	}
	w.CheckInvariants()
}

func TestAllThatWasGatheredIsStarted(t *testing.T) {
	w := newWorld(t)
	w.Pair("a.test")
	w.Pair("b.test")
	var gathered []vcd.ID
	for _, domain := range []string{"a.test", "b.test"} {
		i, err := w.gather(w.Actor, domain, nil, domain+"/x")
		must(t, err)
		gathered = append(gathered, i.ID)
	}
	chosen := vcd.RandomIDs{}.NewID()
	w.Collect("a.test", chosen, vcdtest.Pages(vcdtest.SitePage("a.test/chosen", "")))
	_, err := w.Service.Inventory.StartSync(t.Context(), w.Actor, inventory.SyncStart{DeleteMissing: true})
	must(t, err)
	list, err := w.Service.Inventory.URLImports(t.Context(), w.Actor, vcd.URLImportFilter{States: &[]vcd.ImportState{vcd.ImportStarted}},
		vcd.Page{Size: 15})
	must(t, err)
	var started []vcd.ID
	for _, i := range list.Items {
		started = append(started, i.ID)
		if !i.DeleteMissing {
			t.Errorf("%s does not delete what is missing", i.Domain)
		}
	}
	slices.Sort(started)
	slices.Sort(gathered)
	if !slices.Equal(started, gathered) {
		t.Errorf("started %v, want %v", started, gathered)
	}
}

// A collection that a site chose belongs to the website that it was begun for, also among those of one domain.
func TestACollectionIsOfOneManager(t *testing.T) {
	w := newWorld(t)
	w.Pair("a.test")
	fleet := "fleet"
	w.managed("a.test", fleet)
	id := vcd.RandomIDs{}.NewID()
	w.Collect("a.test", id, vcdtest.Pages(vcdtest.SitePage("a.test/1", "")))
	_, err := w.Service.Inventory.CollectURLs(t.Context(), w.Actor, inventory.SyncInput{
		Domain: "a.test", ManagedBy: &fleet, Collection: string(id), URLs: vcdtest.Pages(vcdtest.SitePage("a.test/2", "")),
	})
	vcdtest.WantField(t, err, "collectionUuid", "unique")
	nobody := "nobody"
	_, err = w.gather(w.Actor, "a.test", &nobody, "a.test/1")
	vcdtest.WantField(t, err, "domain", "exists")
}
