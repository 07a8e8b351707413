package inventory_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

func TestAddAddresses(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("paste", 2, inventory.GroupChange{})
	off := inventory.SelectionChange{Desktop: vcd.Some(false)}
	_, err := w.Service.Inventory.UpdateSelection(t.Context(), w.Actor, g.ID, urls[0].ID, off)
	must(t, err)
	lines := []string{
		urls[0].Address, "https://paste.test/new", "", "no address", "paste.test/new#top", "ftp://paste.test/", "PASTE.test/new/",
	}
	refused := []inventory.RefusedAddress{
		{Index: 2, Rule: "required", Message: "The address field is required."},
		{Index: 3, Rule: "url", Message: "The address field must be a valid URL."},
		{Index: 5, Rule: "url", Message: "The address field must be a valid URL."},
	}
	for _, c := range []struct {
		dryRun bool
		count  int
	}{{true, 0}, {false, 2}, {false, 0}} {
		got, err := w.Service.Inventory.AddAddresses(t.Context(), w.Actor, g.ID, lines, c.dryRun)
		must(t, err)
		want := &inventory.AddedAddresses{ValidCount: 3, Count: c.count, Refused: refused}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("dryRun %t: %s", c.dryRun, diff)
		}
	}
	list, err := w.Service.Inventory.Selections(t.Context(), w.Actor, vcd.SelectionFilter{GroupID: g.ID}, vcd.Page{Size: 15, Number: 1})
	must(t, err)
	if len(list.Items) != 4 {
		t.Errorf("%d URLs in the group, want 4", len(list.Items))
	}
	for _, sel := range list.Items {
		if sel.Desktop != (sel.URLID != urls[0].ID) || !sel.Mobile {
			t.Errorf("%s: desktop %t, mobile %t", sel.URL.Address, sel.Desktop, sel.Mobile)
		}
	}
}

// TestAddAddressesLimits pastes as much as is allowed, of which every other line is no address.
func TestAddAddressesLimits(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("paste", 0, inventory.GroupChange{})
	lines := make([]string, 10_000)
	for i := range lines {
		lines[i] = fmt.Sprintf("big.test/%d", i)
		if i%2 == 1 {
			lines[i] = "://"
		}
	}
	got, err := w.Service.Inventory.AddAddresses(t.Context(), w.Actor, g.ID, lines, false)
	must(t, err)
	if got.Count != 5_000 || got.ValidCount != 5_000 || len(got.Refused) != 5_000 || got.Refused[4_999].Index != 9_999 {
		t.Errorf("added %d of %d, refused %d", got.Count, got.ValidCount, len(got.Refused))
	}
	for name, bad := range map[string][]string{"none": nil, "too many": append(lines, "big.test")} {
		if _, err := w.Service.Inventory.AddAddresses(t.Context(), w.Actor, g.ID, bad, false); vcd.CodeOf(err) != vcd.CodeInvalid {
			t.Errorf("%s: %v, want an invalid input", name, err)
		}
	}
}
