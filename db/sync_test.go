package db_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/db"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// pages are what a site sends of one type and category.
func pages(urls ...map[string]any) map[string]any {
	list := make([]any, len(urls))
	for i, u := range urls {
		list[i] = u
	}
	return map[string]any{"types%%Pages": list}
}

func sitePage(url, title string, renamed ...string) map[string]any {
	p := map[string]any{"url": url, "html_title": title}
	if len(renamed) > 0 {
		p["new_url"] = renamed[0]
	}
	return p
}

func (w *world) collect(domain string, collection vcd.ID, urls map[string]any) *vcd.URLImport {
	w.t.Helper()
	i, err := w.service.Inventory.CollectURLs(w.t.Context(), w.actor, inventory.SyncInput{Domain: domain,
		Collection: string(collection), URLs: urls})
	must(w.t, err)
	return i
}

// sync sends URLs and does the whole synchronisation.
func (w *world) sync(domain string, deleteMissing bool, urls map[string]any) *vcd.URLImport {
	w.t.Helper()
	w.clock.advance(time.Second)
	id := vcd.RandomIDs{}.NewID()
	w.collect(domain, id, urls)
	_, err := w.service.Inventory.StartSync(w.t.Context(), w.actor, string(id), deleteMissing, &domain)
	must(w.t, err)
	must(w.t, w.service.Inventory.RunSync(w.working(id), w.actor, id))
	i, err := w.service.Inventory.URLImport(w.t.Context(), w.actor, id)
	must(w.t, err)
	if i.State != vcd.ImportDone || i.FinishedAt == nil {
		w.t.Fatalf("the synchronisation is %+v", i)
	}
	return i
}

// placesIn tells the addresses of a group with their devices.
func (w *world) placesIn(group vcd.ID) []string {
	w.t.Helper()
	list, err := w.service.Inventory.Selections(w.t.Context(), w.actor, vcd.SelectionFilter{GroupID: group}, vcd.Page{Size: 100})
	must(w.t, err)
	var got []string
	for _, sel := range list.Items {
		got = append(got, fmt.Sprint(sel.URL.Address, " ", sel.Devices()))
	}
	slices.Sort(got)
	return got
}

func (w *world) urlAt(address string) *vcd.URL {
	w.t.Helper()
	u, err := w.service.Inventory.CreateURL(w.t.Context(), w.actor, inventory.URLChange{URL: vcd.Some(address)})
	must(w.t, err)
	return u
}

func TestASynchronisationAssignsItsURLs(t *testing.T) {
	w := newWorld(t)
	site, manual, auto := w.pair("shop.test")
	_, err := w.service.Inventory.UpdateGroup(t.Context(), w.actor, manual.ID, inventory.GroupChange{DefaultMobile: vcd.Some(false)})
	must(t, err)
	known := w.urlAt("shop.test/known")
	sels := []inventory.SelectionChange{{URLID: string(known.ID), Desktop: vcd.Some(false), Mobile: vcd.Some(true)}}
	_, err = w.service.Inventory.AddURLs(t.Context(), w.actor, manual.ID, sels)
	must(t, err)
	i := w.sync("shop.test", false, pages(sitePage("https://shop.test/known", "Known"), sitePage("shop.test/new", "New"),
		sitePage("shop.test/new", "Newer")))
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
	_, err = w.service.Inventory.SelectAll(t.Context(), w.actor, auto.ID, vcd.Mobile, false)
	must(t, err)
	w.sync("shop.test", false, pages(sitePage("shop.test/known", ""), sitePage("shop.test/new", "Newest")))
	if diff := cmp.Diff([]string{"shop.test/known [desktop]", "shop.test/new [desktop]"}, w.placesIn(auto.ID)); diff != "" {
		t.Errorf("auto group, again:\n%s", diff)
	}
	if u := w.urlAt("shop.test/known"); u.HTMLTitle != "Known" {
		t.Errorf("an empty title overwrote %q", u.HTMLTitle)
	}
	w.checkInvariants()
}

func TestARenamedURLKeepsItsID(t *testing.T) {
	w := newWorld(t)
	w.pair("shop.test")
	w.sync("shop.test", true, pages(sitePage("shop.test/a", ""), sitePage("shop.test/b", ""), sitePage("shop.test/c", "")))
	a, b, c := w.urlAt("shop.test/a"), w.urlAt("shop.test/b"), w.urlAt("shop.test/c")
	// a takes the place that b leaves; d was never known under its old address; c wants one that is taken
	i := w.sync("shop.test", true, pages(
		sitePage("shop.test/a", "", "shop.test/b"), sitePage("shop.test/b", "", "shop.test/e"), sitePage("shop.test/gone", "",
			"shop.test/d"), sitePage("shop.test/c", "", "shop.test/e")))
	if i.Renamed != 2 || i.Added != 1 || i.Removed != 1 {
		t.Errorf("%+v", i)
	}
	if got := w.urlAt("shop.test/b"); got.ID != a.ID {
		t.Error("a is not b now")
	}
	if got := w.urlAt("shop.test/e"); got.ID != b.ID {
		t.Error("b is not e now")
	}
	_, err := w.service.Inventory.URL(t.Context(), w.actor, c.ID)
	wantCode(t, err, vcd.CodeNotFound) // its place was taken by b, so it is missing
	w.checkInvariants()
}

func TestWhatIsMissingIsRemovedWhenAsked(t *testing.T) {
	w := newWorld(t)
	_, manual, auto := w.pair("shop.test")
	byHand := w.urlAt("shop.test/by-hand")
	_, err := w.service.Inventory.AddURLs(t.Context(), w.actor, manual.ID, []inventory.SelectionChange{{URLID: string(byHand.ID)}})
	must(t, err)
	w.sync("shop.test", false, pages(sitePage("shop.test/a", ""), sitePage("shop.test/b", ""), sitePage("shop.test/c", "")))
	elsewhere, _ := w.group("elsewhere", 0, inventory.GroupChange{})
	b := w.urlAt("shop.test/b")
	_, err = w.service.Inventory.AddURLs(t.Context(), w.actor, elsewhere.ID, []inventory.SelectionChange{{URLID: string(b.ID)}})
	must(t, err)
	c := w.urlAt("shop.test/c")
	if i := w.sync("shop.test", false, pages(sitePage("shop.test/a", ""))); i.Removed != 0 || len(w.placesIn(auto.ID)) != 3 {
		t.Errorf("removed without being asked: %+v", i)
	}
	if i := w.sync("shop.test", true, pages(sitePage("shop.test/a", ""))); i.Removed != 2 {
		t.Errorf("%+v", i)
	}
	if got := w.placesIn(manual.ID); !slices.Equal(got, []string{"shop.test/a [desktop mobile]", "shop.test/by-hand [desktop mobile]"}) {
		t.Errorf("manual group: %v", got)
	}
	if got := w.placesIn(elsewhere.ID); len(got) != 1 {
		t.Error("a URL was taken out of a group that is none of the website's")
	}
	if got, err := w.service.Inventory.URL(t.Context(), w.actor, b.ID); err != nil || got.WebsiteID != nil {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = w.service.Inventory.URL(t.Context(), w.actor, c.ID)
	wantCode(t, err, vcd.CodeNotFound)
	w.checkInvariants()
}

func TestCollectionsAreRefusedWhereTheyDoNotFit(t *testing.T) {
	w := newWorld(t)
	w.pair("a.test")
	w.pair("b.test")
	id := vcd.RandomIDs{}.NewID()
	w.collect("a.test", id, pages(sitePage("a.test/1", "")))
	if i := w.collect("https://A.test/", id, pages(sitePage("a.test/1", ""), sitePage("a.test/2", ""))); i.Found != 2 {
		t.Errorf("%d URLs after a repetition", i.Found)
	}
	try := func(domain string, id vcd.ID, urls map[string]any) error {
		_, err := w.service.Inventory.CollectURLs(t.Context(), w.actor, inventory.SyncInput{Domain: domain,
			Collection: string(id), URLs: urls})
		return err
	}
	fresh := vcd.RandomIDs{}.NewID()
	good := pages(sitePage("a.test/1", ""))
	wantField(t, try("b.test", id, pages(sitePage("b.test/1", ""))), "collectionUuid", "unique")
	wantField(t, try("c.test", fresh, good), "domain", "exists")
	wantField(t, try("a.test", "x", good), "collectionUuid", "uuid")
	wantField(t, try("a.test", fresh, nil), "urls", "required")
	wantField(t, try("a.test", fresh, map[string]any{"pages": []any{sitePage("a.test", "")}}), "urls", "key")
	wantField(t, try("a.test", fresh, map[string]any{"a%%b": []any{"a.test"}}), "urls", "item")
	wantField(t, try("a.test", fresh, pages(sitePage("not a url", ""))), "urls", "item")
	wantField(t, try("a.test", fresh, pages(sitePage("a.test", "\x00"))), "urls", "item")
	wantField(t, try("a.test", fresh, pages(sitePage("a.test", "", "mailto:x"))), "urls", "item")
	form := map[string]any{"a%%b": map[string]any{"0": sitePage("a.test/x", ""), "1": sitePage("a.test/y", "")}}
	must(t, try("a.test", fresh, form))
	start := func(id vcd.ID, domain *string) error {
		_, err := w.service.Inventory.StartSync(t.Context(), w.actor, string(id), false, domain)
		return err
	}
	other := "b.test"
	wantField(t, start(vcd.RandomIDs{}.NewID(), nil), "collectionUuid", "exists")
	wantField(t, start(id, &other), "domain", "same")
	must(t, start(id, nil))
	must(t, start(id, nil))
	if jobs := w.jobs("import"); !slices.Equal(jobs, []vcd.ID{id}) {
		t.Errorf("started twice: %v", jobs)
	}
	wantField(t, try("a.test", id, good), "collectionUuid", "started")
	stranger := vcd.Actor{Account: w.newAccount("bob@example.com", 0).ID}
	_, err := w.service.Inventory.StartSync(t.Context(), stranger, string(id), false, nil)
	wantField(t, err, "collectionUuid", "exists")
}

// Ten thousand URLs take as few statements as ten, and a few seconds.
func TestALargeSynchronisationTakesFewStatements(t *testing.T) {
	w := newWorld(t)
	_, _, auto := w.pair("large.test")
	var many []map[string]any
	for i := range 10_000 {
		many = append(many, sitePage(fmt.Sprintf("large.test/%d", i), "A title"))
	}
	statements := db.RecordStatements(w.db)
	begun := time.Now()
	i := w.sync("large.test", true, pages(many...))
	took := time.Since(begun)
	texts := statements.Take()
	if i.Added != 10_000 || len(texts) > 60 {
		t.Errorf("%d URLs in %d statements", i.Added, len(texts))
	}
	t.Logf("10,000 URLs in %v", took)
	for _, n := range []string{"group_urls", "urls"} {
		if got := value[int](w, "SELECT count(*) FROM "+n); got < 10_000 {
			t.Errorf("%s has %d rows", n, got)
		}
	}
	if g, err := w.service.Inventory.Group(t.Context(), w.actor, auto.ID); err != nil || g.SelectedChecks != 20_000 {
		t.Errorf("%d checks, %v", g.SelectedChecks, err)
	}
	w.collect("large.test", vcd.RandomIDs{}.NewID(), pages(sitePage("large.test/"+strings.Repeat("ä", 100), "")))
}

func TestASitemapOfADomainIsReadOnceAtATime(t *testing.T) {
	w := newWorld(t)
	first, err := w.service.Inventory.AddFromSitemap(t.Context(), w.actor, "https://Shop.test/")
	must(t, err)
	again, err := w.service.Inventory.AddFromSitemap(t.Context(), w.actor, "shop.test")
	must(t, err)
	if again.ID != first.ID || first.State != vcd.ImportStarted || len(w.jobs("import")) != 1 {
		t.Errorf("%+v and %+v", first, again)
	}
	added, err := w.service.Inventory.ImportURLs(t.Context(), w.actor, []string{"https://shop.test/a", "http://shop.test/b",
		"https://shop.test/a", "::"})
	if err != nil || added != 2 {
		t.Errorf("%d added, %v", added, err)
	}
	if added, err = w.service.Inventory.ImportURLs(t.Context(), w.actor, []string{"https://shop.test/a",
		"https://shop.test/c"}); err != nil || added != 1 {
		t.Errorf("%d added, %v", added, err)
	}
	must(t, w.service.Inventory.FinishImport(w.working(first.ID), w.actor, first.ID, 4, 3, []string{"a problem \x00"}))
	done, err := w.service.Inventory.URLImport(t.Context(), w.actor, first.ID)
	if err != nil || done.State != vcd.ImportDone || done.Found != 4 || done.Added != 3 || len(done.Problems) != 1 ||
		len(w.jobs("import")) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	must(t, w.service.Inventory.FailImport(w.working(first.ID), w.actor, first.ID, "late")) // it has ended: nothing happens
	next, err := w.service.Inventory.AddFromSitemap(t.Context(), w.actor, "shop.test")
	if err != nil || next.ID == first.ID {
		t.Errorf("%+v, %v", next, err)
	}
	_, err = w.service.Inventory.AddFromSitemap(t.Context(), w.actor, "")
	wantField(t, err, "domain", "required")
	list, err := w.service.Inventory.URLImports(t.Context(), w.actor, vcd.URLImportFilter{States: &[]vcd.ImportState{vcd.ImportDone}},
		vcd.Page{Size: 15, Total: true})
	if err != nil || list.Total != 1 {
		t.Errorf("%d done, %v", list.Total, err)
	}
	w.checkInvariants()
}
