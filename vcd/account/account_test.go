package account_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/vcd"
	"afterimage/vcd/account"
)

func TestAccountsAndTokens(t *testing.T) {
	w := newWorld(t)
	_, _, err := w.Service.Accounts.CreateAccount(t.Context(), account.Input{NameFirst: "C", NameLast: "D", Email: "ADA@example.com"})
	wantCode(t, err, vcd.CodeInvalid)
	found, err := w.DB.AccountCalled(t.Context(), "Ada@Example.com")
	must(t, err)
	if found.ID != w.Account.ID {
		t.Errorf("found %s", found.ID)
	}
	_, err = w.DB.AccountCalled(t.Context(), "nobody@example.com")
	wantCode(t, err, vcd.CodeNotFound)
	if some, err := w.DB.HasAccounts(t.Context()); err != nil || !some {
		t.Errorf("any account: %t, %v", some, err)
	}
	expires := w.Clock.Now().Add(time.Hour)
	token, err := w.Service.Accounts.CreateToken(t.Context(), w.Actor, nil, account.TokenChange{Name: vcd.Some("ci"),
		ExpiresAt: vcd.Some(expires)})
	must(t, err)
	actor, owner, err := w.Service.Accounts.Authenticate(t.Context(), token.Plain)
	must(t, err)
	if actor.Account != w.Account.ID || actor.Token != token.ID {
		t.Errorf("actor %+v", actor)
	}
	if diff := cmp.Diff(w.FreshAccount(), owner); diff != "" {
		t.Errorf("the account by token differs:\n%s", diff)
	}
	w.Clock.Advance(time.Hour)
	_, _, err = w.Service.Accounts.Authenticate(t.Context(), token.Plain)
	wantCode(t, err, vcd.CodeUnauthenticated)
	forever, err := w.Service.Accounts.CreateToken(t.Context(), w.Actor, nil, account.TokenChange{Name: vcd.Some("old")})
	must(t, err)
	w.AsSystem("UPDATE tokens SET revoked_at = now() WHERE id = $1", string(forever.ID))
	_, _, err = w.Service.Accounts.Authenticate(t.Context(), forever.Plain)
	wantCode(t, err, vcd.CodeUnauthenticated)
}
