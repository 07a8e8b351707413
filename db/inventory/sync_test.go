package inventory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// sync sends URLs and does the whole synchronisation.
func (w *world) sync(domain string, deleteMissing bool, urls map[string]any) *vcd.URLImport {
	w.T.Helper()
	w.Clock.Advance(time.Second)
	id := vcd.RandomIDs{}.NewID()
	w.Collect(domain, id, urls)
	_, err := w.Service.Inventory.StartSync(w.T.Context(), w.Actor,
		inventory.SyncStart{Collection: string(id), DeleteMissing: deleteMissing, Domain: &domain})
	must(w.T, err)
	must(w.T, w.Service.Inventory.RunSync(w.Working(id), w.Actor, id))
	i, err := w.Service.Inventory.URLImport(w.T.Context(), w.Actor, id)
	must(w.T, err)
	if i.State != vcd.ImportDone || i.FinishedAt == nil {
		w.T.Fatalf("the synchronisation is %+v", i)
	}
	return i
}

// placesIn tells the addresses of a group with their devices.
func (w *world) placesIn(group vcd.ID) []string {
	w.T.Helper()
	list, err := w.Service.Inventory.Selections(w.T.Context(), w.Actor, vcd.SelectionFilter{GroupID: group}, vcd.Page{Size: 100})
	must(w.T, err)
	var got []string
	for _, sel := range list.Items {
		got = append(got, fmt.Sprint(sel.URL.Address, " ", sel.Devices()))
	}
	slices.Sort(got)
	return got
}

func (w *world) urlAt(address string) *vcd.URL {
	w.T.Helper()
	u, err := w.Service.Inventory.CreateURL(w.T.Context(), w.Actor, inventory.URLChange{URL: vcd.Some(address)})
	must(w.T, err)
	return u
}

func TestASynchronisationAssignsItsURLs(t *testing.T) {
	w := newWorld(t)
	site, manual, auto := w.Pair("shop.test")
	_, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, manual.ID, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
	must(t, err)
	known := w.urlAt("shop.test/known")
	sels := []inventory.SelectionChange{{URLID: string(known.ID), Desktop: vcd.Some(false), Mobile: vcd.Some(true)}}
	_, err = w.Service.Inventory.AddURLs(t.Context(), w.Actor, manual.ID, sels)
	must(t, err)
	i := w.sync(
		"shop.test",
		false,
		vcdtest.Pages(vcdtest.SitePage("https://shop.test/known", "Known"), vcdtest.SitePage("shop.test/new", "New"),
			vcdtest.SitePage("shop.test/new", "Newer")),
	)
	if i.Found != 2 || i.Added != 1 || i.Renamed != 0 || i.Removed != 0 {
		t.Errorf("%+v", i)
	}
	if diff := cmp.Diff([]string{"shop.test/known [mobile]", "shop.test/new [desktop]"}, w.placesIn(manual.ID)); diff != "" {
		t.Errorf("manual group:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"shop.test/known [desktop mobile]", "shop.test/new [desktop mobile]"}, w.placesIn(auto.ID)); diff != "" {
		t.Errorf("auto group:\n%s", diff)
	}
	u := w.urlAt("shop.test/new")
	if u.HTMLTitle != "Newer" || *u.Type != "types" || *u.Category != "Pages" || u.WebsiteID == nil || *u.WebsiteID != site.ID {
		t.Errorf("%+v", u)
	}
	// again, after somebody changed the devices: they stay
	_, err = w.Service.Inventory.SelectAll(t.Context(), w.Actor, auto.ID, vcd.Mobile, false)
	must(t, err)
	w.sync("shop.test", false, vcdtest.Pages(vcdtest.SitePage("shop.test/known", ""), vcdtest.SitePage("shop.test/new", "Newest")))
	if diff := cmp.Diff([]string{"shop.test/known [desktop]", "shop.test/new [desktop]"}, w.placesIn(auto.ID)); diff != "" {
		t.Errorf("auto group, again:\n%s", diff)
	}
	if u := w.urlAt("shop.test/known"); u.HTMLTitle != "Known" {
		t.Errorf("an empty title overwrote %q", u.HTMLTitle)
	}
	w.CheckInvariants()
}

func TestARenamedURLKeepsItsID(t *testing.T) {
	w := newWorld(t)
	w.Pair("shop.test")
	w.sync(
		"shop.test",
		true,
		vcdtest.Pages(vcdtest.SitePage("shop.test/a", ""), vcdtest.SitePage("shop.test/b", ""), vcdtest.SitePage("shop.test/c", "")),
	)
	a, b, c := w.urlAt("shop.test/a"), w.urlAt("shop.test/b"), w.urlAt("shop.test/c")
	// a takes the place that b leaves; d was never known under its old address; c wants one that is taken
	i := w.sync("shop.test", true, vcdtest.Pages(
		vcdtest.SitePage(
			"shop.test/a",
			"",
			"shop.test/b",
		),
		vcdtest.SitePage("shop.test/b", "", "shop.test/e"),
		vcdtest.SitePage("shop.test/gone", "",
			"shop.test/d"),
		vcdtest.SitePage("shop.test/c", "", "shop.test/e"),
	))
	if i.Renamed != 2 || i.Added != 1 || i.Removed != 1 {
		t.Errorf("%+v", i)
	}
	if got := w.urlAt("shop.test/b"); got.ID != a.ID {
		t.Error("a is not b now")
	}
	if got := w.urlAt("shop.test/e"); got.ID != b.ID {
		t.Error("b is not e now")
	}
	_, err := w.Service.Inventory.URL(t.Context(), w.Actor, c.ID)
	wantCode(t, err, vcd.CodeNotFound) // its place was taken by b, so it is missing
	w.CheckInvariants()
}

func TestWhatIsMissingIsRemovedWhenAsked(t *testing.T) {
	w := newWorld(t)
	_, manual, auto := w.Pair("shop.test")
	byHand := w.urlAt("shop.test/by-hand")
	_, err := w.Service.Inventory.AddURLs(t.Context(), w.Actor, manual.ID, []inventory.SelectionChange{{URLID: string(byHand.ID)}})
	must(t, err)
	w.sync(
		"shop.test",
		false,
		vcdtest.Pages(vcdtest.SitePage("shop.test/a", ""), vcdtest.SitePage("shop.test/b", ""), vcdtest.SitePage("shop.test/c", "")),
	)
	elsewhere, _ := w.Group("elsewhere", 0, inventory.GroupChange{})
	b := w.urlAt("shop.test/b")
	_, err = w.Service.Inventory.AddURLs(t.Context(), w.Actor, elsewhere.ID, []inventory.SelectionChange{{URLID: string(b.ID)}})
	must(t, err)
	c := w.urlAt("shop.test/c")
	if i := w.sync("shop.test", false, vcdtest.Pages(vcdtest.SitePage("shop.test/a", ""))); i.Removed != 0 ||
		len(w.placesIn(auto.ID)) != 3 {
		t.Errorf("removed without being asked: %+v", i)
	}
	if i := w.sync("shop.test", true, vcdtest.Pages(vcdtest.SitePage("shop.test/a", ""))); i.Removed != 2 {
		t.Errorf("%+v", i)
	}
	if got := w.placesIn(manual.ID); !slices.Equal(got, []string{"shop.test/a [desktop mobile]", "shop.test/by-hand [desktop mobile]"}) {
		t.Errorf("manual group: %v", got)
	}
	if got := w.placesIn(elsewhere.ID); len(got) != 1 {
		t.Error("a URL was taken out of a group that is none of the website's")
	}
	if got, err := w.Service.Inventory.URL(t.Context(), w.Actor, b.ID); err != nil || got.WebsiteID != nil {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = w.Service.Inventory.URL(t.Context(), w.Actor, c.ID)
	wantCode(t, err, vcd.CodeNotFound)
	w.CheckInvariants()
}

func TestCollectionsAreRefusedWhereTheyDoNotFit(t *testing.T) {
	w := newWorld(t)
	w.Pair("a.test")
	w.Pair("b.test")
	id := vcd.RandomIDs{}.NewID()
	w.Collect("a.test", id, vcdtest.Pages(vcdtest.SitePage("a.test/1", "")))
	both := vcdtest.Pages(vcdtest.SitePage("a.test/1", ""), vcdtest.SitePage("a.test/2", ""))
	if i := w.Collect("https://A.test/", id, both); i.Found != 2 {
		t.Errorf("%d URLs after a repetition", i.Found)
	}
	try := func(domain string, id vcd.ID, urls map[string]any) error {
		_, err := w.Service.Inventory.CollectURLs(t.Context(), w.Actor, inventory.SyncInput{Domain: domain,
			Collection: string(id), URLs: urls})
		return err
	}
	fresh := vcd.RandomIDs{}.NewID()
	good := vcdtest.Pages(vcdtest.SitePage("a.test/1", ""))
	vcdtest.WantField(t, try("b.test", id, vcdtest.Pages(vcdtest.SitePage("b.test/1", ""))), "collectionUuid", "unique")
	vcdtest.WantField(t, try("c.test", fresh, good), "domain", "exists")
	vcdtest.WantField(t, try("a.test", "x", good), "collectionUuid", "uuid")
	vcdtest.WantField(t, try("a.test", fresh, nil), "urls", "required")
	vcdtest.WantField(t, try("a.test", fresh, map[string]any{"pages": []any{vcdtest.SitePage("a.test", "")}}), "urls", "key")
	vcdtest.WantField(t, try("a.test", fresh, map[string]any{"a%%b": []any{"a.test"}}), "urls", "item")
	vcdtest.WantField(t, try("a.test", fresh, vcdtest.Pages(vcdtest.SitePage("not a url", ""))), "urls", "item")
	vcdtest.WantField(t, try("a.test", fresh, vcdtest.Pages(vcdtest.SitePage("a.test", "\x00"))), "urls", "item")
	vcdtest.WantField(t, try("a.test", fresh, vcdtest.Pages(vcdtest.SitePage("a.test", "", "mailto:x"))), "urls", "item")
	form := map[string]any{"a%%b": map[string]any{"0": vcdtest.SitePage("a.test/x", ""), "1": vcdtest.SitePage("a.test/y", "")}}
	must(t, try("a.test", fresh, form))
	start := func(id vcd.ID, domain *string) error {
		_, err := w.Service.Inventory.StartSync(t.Context(), w.Actor, inventory.SyncStart{Collection: string(id), Domain: domain})
		return err
	}
	other := "b.test"
	vcdtest.WantField(t, start(vcd.RandomIDs{}.NewID(), nil), "collectionUuid", "exists")
	vcdtest.WantField(t, start(id, &other), "domain", "same")
	must(t, start(id, nil))
	must(t, start(id, nil))
	if jobs := w.Jobs("import"); !slices.Equal(jobs, []vcd.ID{id}) {
		t.Errorf("started twice: %v", jobs)
	}
	vcdtest.WantField(t, try("a.test", id, good), "collectionUuid", "started")
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	_, err := w.Service.Inventory.StartSync(t.Context(), stranger, inventory.SyncStart{Collection: string(id)})
	vcdtest.WantField(t, err, "collectionUuid", "exists")
}

// Ten thousand URLs take as few statements as ten, and a few seconds.
func TestALargeSynchronisationTakesFewStatements(t *testing.T) {
	w := newWorld(t)
	_, _, auto := w.Pair("large.test")
	var many []map[string]any
	for i := range 10_000 {
		many = append(many, vcdtest.SitePage(fmt.Sprintf("large.test/%d", i), "A title"))
	}
	statements := vcdtest.RecordStatements(w.DB)
	begun := time.Now()
	i := w.sync("large.test", true, vcdtest.Pages(many...))
	took := time.Since(begun)
	texts := statements.Take()
	if i.Added != 10_000 || len(texts) > 60 {
		t.Errorf("%d URLs in %d statements", i.Added, len(texts))
	}
	t.Logf("10,000 URLs in %v", took)
	for _, n := range []string{"group_urls", "urls"} {
		if got := vcdtest.Value[int](w.World, "SELECT count(*) FROM "+n); got < 10_000 {
			t.Errorf("%s has %d rows", n, got)
		}
	}
	if g, err := w.Service.Inventory.Group(t.Context(), w.Actor, auto.ID); err != nil || g.SelectedChecks != 20_000 {
		t.Errorf("%d checks, %v", g.SelectedChecks, err)
	}
	w.Collect("large.test", vcd.RandomIDs{}.NewID(), vcdtest.Pages(vcdtest.SitePage("large.test/"+strings.Repeat("ä", 100), "")))
}

func TestASitemapOfADomainIsReadOnceAtATime(t *testing.T) {
	w := newWorld(t)
	first, err := w.Service.Inventory.AddFromSitemap(t.Context(), w.Actor, "https://Shop.test/")
	must(t, err)
	again, err := w.Service.Inventory.AddFromSitemap(t.Context(), w.Actor, "shop.test")
	must(t, err)
	if again.ID != first.ID || first.State != vcd.ImportStarted || len(w.Jobs("import")) != 1 {
		t.Errorf("%+v and %+v", first, again)
	}
	added, err := w.Service.Inventory.ImportURLs(t.Context(), w.Actor, []string{"https://shop.test/a", "http://shop.test/b",
		"https://shop.test/a", "::"}, false)
	if err != nil || added != 2 {
		t.Errorf("%d added, %v", added, err)
	}
	if added, err = w.Service.Inventory.ImportURLs(t.Context(), w.Actor, []string{"https://shop.test/a",
		"https://shop.test/c"}, false); err != nil || added != 1 {
		t.Errorf("%d added, %v", added, err)
	}
	must(t, w.Service.Inventory.FinishImport(w.Working(first.ID), w.Actor, first.ID, 4, 3, []string{"a problem \x00"}))
	done, err := w.Service.Inventory.URLImport(t.Context(), w.Actor, first.ID)
	if err != nil || done.State != vcd.ImportDone || done.Found != 4 || done.Added != 3 || len(done.Problems) != 1 ||
		len(w.Jobs("import")) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	must(t, w.Service.Inventory.FailImport(w.Working(first.ID), w.Actor, first.ID, "late")) // it has ended: nothing happens
	next, err := w.Service.Inventory.AddFromSitemap(t.Context(), w.Actor, "shop.test")
	if err != nil || next.ID == first.ID {
		t.Errorf("%+v, %v", next, err)
	}
	_, err = w.Service.Inventory.AddFromSitemap(t.Context(), w.Actor, "")
	vcdtest.WantField(t, err, "domain", "required")
	list, err := w.Service.Inventory.URLImports(t.Context(), w.Actor, vcd.URLImportFilter{States: &[]vcd.ImportState{vcd.ImportDone}},
		vcd.Page{Size: 15, Total: true})
	if err != nil || list.Total != 1 {
		t.Errorf("%d done, %v", list.Total, err)
	}
	w.CheckInvariants()
}
