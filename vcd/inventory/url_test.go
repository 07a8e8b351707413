package inventory_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

func TestAddressesThatCanNeverBeReachedAreRefused(t *testing.T) {
	w := newWorld(t)
	w.Service = w.Service.With(func(c *app.Config) {
		c.MayReach = func(host string, port uint16) bool { return host != "nowhere" && port != 25 }
	})
	u, err := w.Service.Inventory.CreateURL(t.Context(), w.Actor, inventory.URLChange{URL: vcd.Some("page.test/0")})
	must(t, err)
	for _, address := range []string{"nowhere", "http://nowhere/a", "page.test:25"} {
		in := inventory.URLChange{URL: vcd.Some(address)}
		_, err := w.Service.Inventory.CreateURL(t.Context(), w.Actor, in)
		vcdtest.WantField(t, err, "url", "public")
		_, err = w.Service.Inventory.UpdateURL(t.Context(), w.Actor, u.ID, in)
		vcdtest.WantField(t, err, "url", "public")
	}
	added, err := w.Service.Inventory.ImportURLs(t.Context(), w.Actor, []string{"nowhere/a", "page.test/1"}, false)
	if err != nil || added != 1 {
		t.Errorf("%d imported, %v", added, err)
	}
}

func TestURLs(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("page", 2, inventory.GroupChange{})
	again, err := w.Service.Inventory.CreateURL(t.Context(), w.Actor, inventory.URLChange{URL: vcd.Some("https://PAGE.test/0#top")})
	must(t, err)
	if again.ID != urls[0].ID || !slices.Equal(again.GroupIDs, []vcd.ID{g.ID}) {
		t.Errorf("the same address made %+v", again)
	}
	_, err = w.Service.Inventory.UpdateURL(t.Context(), w.Actor, urls[1].ID, inventory.URLChange{URL: vcd.Some("page.test/0")})
	wantCode(t, err, vcd.CodeInvalid)
	_, err = w.Service.Inventory.UpdateURL(t.Context(), w.Actor, urls[1].ID, inventory.URLChange{URL: vcd.Some("http://page.test/neu"),
		HTMLTitle: vcd.Some("Neu")})
	must(t, err)
	search := "NEU"
	l, err := w.Service.Inventory.URLs(t.Context(), w.Actor, vcd.URLFilter{GroupIDs: &[]vcd.ID{g.ID}, Search: &search},
		vcd.Page{Size: 15, Total: true})
	must(t, err)
	if len(l.Items) != 1 || l.Total != 1 || l.Items[0].Scheme != "http" || l.Items[0].HTMLTitle != "Neu" {
		t.Errorf("found %+v", l.Items)
	}
	must(t, w.Service.Inventory.DeleteURL(t.Context(), w.Actor, urls[0].ID))
	fresh, err := w.Service.Inventory.CreateURL(t.Context(), w.Actor, inventory.URLChange{URL: vcd.Some("page.test/0")})
	must(t, err)
	if fresh.ID == urls[0].ID {
		t.Error("a deleted URL came back")
	}
	history, err := w.Service.Inventory.URLsByIDs(t.Context(), w.Actor, []vcd.ID{urls[0].ID})
	must(t, err)
	if len(history) != 1 {
		t.Error("a deleted URL is lost for history")
	}
	must(t, w.DB.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
		stale := vcd.Crawl{URLID: fresh.ID, Address: "page.test/elsewhere", At: w.Clock.Now(), OK: true, Scheme: "http", HTMLTitle: "stale"}
		if err := tx.RecordCrawl(ctx, stale); err != nil {
			return err
		}
		return tx.RecordCrawl(ctx, vcd.Crawl{URLID: fresh.ID, Address: fresh.Address, At: w.Clock.Now(), OK: true, Scheme: "https",
			HTMLTitle: "a\x00b\xff", StatusCode: 404})
	}))
	crawled, err := w.Service.Inventory.URL(t.Context(), w.Actor, fresh.ID)
	must(t, err)
	if crawled.HTMLTitle != "a\uFFFDb\uFFFD" || *crawled.StatusCode != 404 || crawled.Scheme != "https" ||
		!crawled.LastCrawledAt.Equal(w.Clock.Now()) {
		t.Errorf("crawled: %+v", crawled)
	}
	long := "page.test/" + strings.Repeat("é", 2000) // 12,000 bytes when escaped, more than an index entry holds
	_, err = w.Service.Inventory.CreateURL(t.Context(), w.Actor, inventory.URLChange{URL: vcd.Some(long)})
	must(t, err)
}

func TestNobodySearchesForWhatNoTextHolds(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("g", 1, inventory.GroupChange{})
	for what, search := range map[string]string{"NUL": "a\x00b", "no UTF-8": "\xff", "too long": strings.Repeat("a", 2049)} {
		_, urls := w.Service.Inventory.URLs(t.Context(), w.Actor, vcd.URLFilter{Search: &search}, vcd.Page{Size: 15})
		_, selections := w.Service.Inventory.Selections(t.Context(), w.Actor, vcd.SelectionFilter{GroupID: g.ID, Search: &search},
			vcd.Page{Size: 15})
		_, ofGroups := w.Service.Inventory.SelectionsOfGroups(t.Context(), w.Actor, []vcd.ID{g.ID}, vcd.SelectionFilter{Search: &search},
			vcd.Page{Size: 15})
		_, accounts := w.Service.Accounts.Subaccounts(t.Context(), w.Actor, vcd.SubaccountFilter{Search: &search}, vcd.Page{Size: 15})
		for _, err := range []error{urls, selections, ofGroups, accounts} {
			if vcd.CodeOf(err) != vcd.CodeInvalid {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}
