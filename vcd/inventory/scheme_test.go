package inventory_test

import (
	"context"
	"testing"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// scheme is how the account's URL of an address is reached, and whether a client said so.
func (w *world) scheme(address string) string {
	w.T.Helper()
	return vcdtest.Value[string](w.World, `SELECT CASE WHEN scheme_given THEN 'given ' ELSE '' END || scheme FROM urls
		WHERE address = $1 AND deleted_at IS NULL`, address)
}

// found records that a capture found a scheme to work.
func (w *world) found(id vcd.ID, address, scheme string) {
	w.T.Helper()
	must(w.T, w.DB.InTx(w.T.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
		return tx.RecordCrawl(ctx, vcd.Crawl{URLID: id, Address: address, At: w.Clock.Now(), OK: true, Scheme: scheme, StatusCode: 200})
	}))
}

// An explicit scheme counts for URLs that exist, however it is given. The last one counts; none says nothing new.
func TestAnExplicitSchemeCountsForURLsThatExist(t *testing.T) {
	w := newWorld(t)
	create := func(text string) *vcd.URL {
		u, err := w.Service.Inventory.CreateURL(t.Context(), w.Actor, inventory.URLChange{URL: vcd.Some(text)})
		must(t, err)
		return u
	}
	group, _ := w.Group("g", 0, inventory.GroupChange{})
	u := create("page.test/a")
	w.found(u.ID, "page.test/a", "https")
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"created again with http", func() { create("http://page.test/a") }, "given http"},
		{"created again without a scheme", func() { create("page.test/a") }, "given http"},
		{"created again with https", func() { create("https://page.test/a") }, "given https"},
		{"added to a group with http", func() {
			_, err := w.Service.Inventory.AddAddresses(t.Context(), w.Actor, group.ID, []string{"http://page.test/a"}, false)
			must(t, err)
		}, "given http"},
		{"changed, with the address as it is read", func() {
			_, err := w.Service.Inventory.UpdateURL(t.Context(), w.Actor, u.ID, inventory.URLChange{URL: vcd.Some("page.test/a"),
				HTMLTitle: vcd.Some("A")})
			must(t, err)
		}, "given http"},
		{"changed to https", func() {
			_, err := w.Service.Inventory.UpdateURL(t.Context(), w.Actor, u.ID, inventory.URLChange{URL: vcd.Some("https://page.test/a")})
			must(t, err)
		}, "given https"},
		{"listed in a sitemap with http", func() {
			_, err := w.Service.Inventory.ImportURLs(t.Context(), w.Actor, []string{"http://page.test/a"}, false)
			must(t, err)
		}, "given https"},
		{"listed in a sitemap that was asked for by http", func() {
			_, err := w.Service.Inventory.ImportURLs(t.Context(), w.Actor, []string{"http://page.test/a"}, true)
			must(t, err)
		}, "given http"},
	} {
		if step.do(); w.scheme("page.test/a") != step.want {
			t.Errorf("%s: %q, want %q", step.what, w.scheme("page.test/a"), step.want)
		}
	}
	if again := create("http://page.test/a"); again.ID != u.ID || again.Href() != "http://page.test/a" {
		t.Errorf("got %+v", again)
	}
}

// Imported pages keep the scheme by which their site lists them. Only one that a client asked for lets passwords travel by http.
func TestImportedPagesKeepTheirScheme(t *testing.T) {
	w := newWorld(t)
	for domain, want := range map[string]bool{"http://plain.test": true, "plain2.test": false, "https://plain3.test": false} {
		i, err := w.Service.Inventory.AddFromSitemap(t.Context(), w.Actor, domain)
		must(t, err)
		read, err := w.Service.Inventory.URLImport(t.Context(), w.Actor, i.ID)
		must(t, err)
		if read.OverHTTP != want {
			t.Errorf("%s: %v", domain, read.OverHTTP)
		}
	}
	added, err := w.Service.Inventory.ImportURLs(t.Context(), w.Actor, []string{"http://plain.test/a", "https://plain.test/b"}, true)
	if err != nil || added != 2 {
		t.Errorf("%d added (%v)", added, err)
	}
	_, err = w.Service.Inventory.ImportURLs(t.Context(), w.Actor, []string{"http://plain2.test/a", "plain2.test/b"}, false)
	must(t, err)
	for address, want := range map[string]string{"plain.test/a": "given http", "plain.test/b": "https", "plain2.test/a": "http",
		"plain2.test/b": ""} {
		if got := w.scheme(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// What a site's plug-in says counts, unless https is known to work: a site behind a proxy often believes that it has no TLS.
func TestASynchronisationGivesHTTPWhereNothingElseIsKnown(t *testing.T) {
	w := newWorld(t)
	w.Pair("plugin.test")
	var known []*vcd.URL
	for _, address := range []string{"plugin.test/secure", "plugin.test/plain", "https://plugin.test/wanted", "plugin.test/unknown"} {
		u, err := w.Service.Inventory.CreateURL(t.Context(), w.Actor, inventory.URLChange{URL: vcd.Some(address)})
		must(t, err)
		known = append(known, u)
	}
	w.found(known[0].ID, "plugin.test/secure", "https")
	w.found(known[1].ID, "plugin.test/plain", "http")
	collection := vcd.RandomIDs{}.NewID()
	w.Collect("plugin.test", collection, vcdtest.Pages(
		vcdtest.SitePage("http://plugin.test/secure", ""), vcdtest.SitePage("http://plugin.test/plain", ""),
		vcdtest.SitePage("http://plugin.test/wanted", ""), vcdtest.SitePage("http://plugin.test/unknown", "", "http://plugin.test/renamed"),
		vcdtest.SitePage("http://plugin.test/new", ""), vcdtest.SitePage("https://plugin.test/new2", "")))
	i, err := w.Service.Inventory.StartSync(t.Context(), w.Actor, inventory.SyncStart{Collection: string(collection)})
	must(t, err)
	must(t, w.Service.Inventory.RunSync(w.Working(i.ID), w.Actor, i.ID))
	for address, want := range map[string]string{
		"plugin.test/secure": "https", "plugin.test/plain": "given http", "plugin.test/wanted": "given https",
		"plugin.test/renamed": "given http", "plugin.test/new": "given http", "plugin.test/new2": "https",
	} {
		if got := w.scheme(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
