package account_test

import (
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
)

// TestAnAccountWithoutAnAddress is the first account of an installation whose operator named no address: its groups mail nobody,
// and it can be given one later.
func TestAnAccountWithoutAnAddress(t *testing.T) {
	w := newWorld(t)
	a, _, err := w.Service.Accounts.CreateAccount(t.Context(), account.Input{NameFirst: "Owner", NoEmail: true})
	must(t, err)
	group := func(name string) *vcd.Group {
		g, err := w.Service.Inventory.CreateGroup(t.Context(), vcd.Actor{Account: a.ID}, inventory.GroupChange{Name: vcd.Some(name)})
		must(t, err)
		return g
	}
	if g := group("first"); a.Email != "" || g.AlertEmails == nil || len(g.AlertEmails) != 0 {
		t.Errorf("the address %q, and alerts to %v", a.Email, g.AlertEmails)
	}
	_, err = w.DB.AccountCalled(t.Context(), "")
	wantCode(t, err, vcd.CodeNotFound)
	found, err := w.DB.AccountCalled(t.Context(), string(a.ID))
	must(t, err)
	if found.ID != a.ID {
		t.Errorf("found %s", found.ID)
	}
	for _, email := range []string{"", "owner", "ADA@example.com"} { // the last is another account's
		_, err = w.Service.Accounts.SetEmail(t.Context(), a.ID, email)
		wantCode(t, err, vcd.CodeInvalid)
	}
	for _, test := range []struct{ email, alerts string }{{"owner@localhost", ""}, {"owner@example.com", "owner@example.com"}} {
		changed, err := w.Service.Accounts.SetEmail(t.Context(), a.ID, test.email)
		must(t, err)
		if found, err := w.DB.AccountCalled(t.Context(), test.email); err != nil || found.ID != a.ID || changed.Email != test.email {
			t.Errorf("%s: %+v, %v", test.email, found, err)
		}
		alerts := group(test.email).AlertEmails
		if test.alerts == "" && len(alerts) != 0 || test.alerts != "" && (len(alerts) != 1 || alerts[0] != test.alerts) {
			t.Errorf("%s: alerts to %v, want %q", test.email, alerts, test.alerts)
		}
	}
}
