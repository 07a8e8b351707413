package inventory_test

import (
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/pageset"
)

func TestSuggestPages(t *testing.T) {
	w := newWorld(t)
	manual, _ := w.Group("shop", 0, inventory.GroupChange{})
	auto, _ := w.Group("shop, monitored", 0, inventory.GroupChange{})
	site := w.Website("shop.test", manual, auto)
	addresses := []string{"shop.test", "shop.test/checkout", "shop.test/blog/a", "shop.test/blog/b"}
	_, err := w.Service.Inventory.AddAddresses(t.Context(), w.Actor, manual.ID, addresses, false)
	must(t, err)
	// Neither a host that only begins alike nor an address that only mentions the domain is below it.
	other, _ := w.Group("other", 0, inventory.GroupChange{})
	_, err = w.Service.Inventory.AddAddresses(t.Context(), w.Actor, other.ID,
		[]string{"shop.test.example.com/kasse", "example.com/cart?from=shop.test"}, false)
	must(t, err)
	bySite, domain := inventory.SuggestFor{Website: &site.ID}, "https://Shop.test/"
	for _, of := range []inventory.SuggestFor{bySite, {Domain: &domain}} {
		found, err := w.Service.Inventory.SuggestPages(t.Context(), w.Actor, of, 3)
		must(t, err)
		if len(found) != 3 || found[0].Reason != pageset.Front || found[1].URL.Address != "shop.test/checkout" || found[2].Others != 1 {
			t.Errorf("%+v: %+v", of, found)
		}
	}
	for _, count := range []int{-1, 0, inventory.MaxSuggested + 1} {
		_, err := w.Service.Inventory.SuggestPages(t.Context(), w.Actor, bySite, count)
		wantCode(t, err, vcd.CodeInvalid)
	}
	_, err = w.Service.Inventory.SuggestPages(t.Context(), vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}, bySite, 3)
	wantCode(t, err, vcd.CodeNotFound)
	bad := "shop.test/?p=1"
	for _, of := range []inventory.SuggestFor{{}, {Website: &site.ID, Domain: &domain}, {Domain: &bad}, {Domain: new(string)}} {
		_, err := w.Service.Inventory.SuggestPages(t.Context(), w.Actor, of, 3)
		wantCode(t, err, vcd.CodeInvalid)
	}
}
