package account_test

import (
	"slices"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// tokenBy makes a token as somebody.
func (w *world) tokenBy(actor vcd.Actor, subaccount *vcd.ID, name string, scopes ...vcd.Scope) account.NewToken {
	w.T.Helper()
	in := account.TokenChange{Name: vcd.Some(name)}
	if scopes != nil {
		in.Scopes = vcd.Some(scopes)
	}
	token, err := w.Service.Accounts.CreateToken(w.T.Context(), actor, subaccount, in)
	must(w.T, err)
	return token
}

// scopesOf are the scopes of a token that works; nil for one that does not.
func (w *world) scopesOf(token account.NewToken) []vcd.Scope {
	w.T.Helper()
	bearer, err := w.Service.Accounts.Identify(w.T.Context(), token.Plain)
	if err != nil {
		wantCode(w.T, err, vcd.CodeUnauthenticated)
		return nil
	}
	return bearer.Scopes
}

func TestTokensLoseWhatTheirUserMayNoLongerGive(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	w.NewUser("owner@example.com", vcd.RoleOwner)
	grace := w.user(w.NewUser("grace@example.com", vcd.RoleOwner))
	sub, first, err := accounts.CreateSubaccount(ctx, grace, vcdtest.Subaccount("sub@example.com", 100))
	must(t, err)
	full := w.tokenBy(grace, nil, "everything")
	runs := w.tokenBy(grace, nil, "runs", vcd.ScopeRun)
	below := w.tokenBy(grace, &sub.ID, "of the subaccount")
	byToken, _, err := accounts.Authenticate(ctx, full.Plain)
	must(t, err)
	replaced := w.tokenBy(byToken, nil, "made by the token")
	operators := w.tokenBy(w.Actor, nil, "by the operator")
	invitation, err := accounts.Invite(ctx, byToken, "friend@example.com", vcd.RoleOwner)
	must(t, err)
	link := vcdtest.LinkOf(t, w.Service, w.DB, invitation)

	check := func(when string, want map[string][]vcd.Scope) {
		t.Helper()
		for name, token := range map[string]account.NewToken{"full": full, "runs": runs, "below": below, "replaced": replaced,
			"first": first} {
			if got := w.scopesOf(token); !slices.Equal(got, want[name]) {
				t.Errorf("%s, %s: %v, want %v", when, name, got, want[name])
			}
		}
		if got := w.scopesOf(operators); !slices.Equal(got, vcd.Scopes()) {
			t.Errorf("%s, the operator's token has %v", when, got)
		}
	}
	all, editors := vcd.Scopes(), []vcd.Scope{vcd.ScopeRead, vcd.ScopeRun, vcd.ScopeReview}
	viewers, runner := []vcd.Scope{vcd.ScopeRead}, []vcd.Scope{vcd.ScopeRead, vcd.ScopeRun}
	check("before", map[string][]vcd.Scope{"full": all, "runs": runner, "below": all, "replaced": all, "first": all})
	_, err = accounts.ChangeRole(ctx, w.Actor, grace.User, vcd.RoleEditor)
	must(t, err)
	check("an editor", map[string][]vcd.Scope{"full": editors, "runs": runner, "below": editors, "replaced": editors,
		"first": editors})
	_, err = accounts.AcceptInvitation(ctx, link, joining("Friend"))
	wantReason(t, err, "INVITATION_REVOKED")
	_, err = accounts.GiveRole(ctx, "GRACE@example.com", vcd.RoleViewer)
	must(t, err)
	check("a viewer", map[string][]vcd.Scope{"full": viewers, "runs": viewers, "below": viewers, "replaced": viewers,
		"first": viewers})
	_, err = accounts.GiveRole(ctx, "grace@example.com", vcd.RoleOwner)
	must(t, err)
	check("an owner again", map[string][]vcd.Scope{"full": viewers, "runs": viewers, "below": viewers, "replaced": viewers,
		"first": viewers})
	_, err = accounts.Expel(ctx, "grace@example.com")
	must(t, err)
	check("removed", nil)
	_, err = accounts.Expel(ctx, "grace@example.com")
	wantCode(t, err, vcd.CodeNotFound)
}

// TestTokensOfOthersStay: a user of another account with tokens there is none of ours.
func TestTokensOfOthersStay(t *testing.T) {
	w := newWorld(t)
	w.NewUser("owner@example.com", vcd.RoleOwner)
	grace := w.user(w.NewUser("grace@example.com", vcd.RoleOwner))
	joan := w.user(w.NewUser("joan@example.com", vcd.RoleOwner))
	theirs := w.tokenBy(joan, nil, "joan's")
	other := w.NewAccount("bob@example.com", 0)
	bobs := w.tokenBy(vcd.Actor{Account: other.ID, User: grace.User, Permissions: vcd.AllPermissions()}, nil, "of the same id elsewhere")
	_, err := w.Service.Accounts.RemoveUser(t.Context(), w.Actor, grace.User)
	must(t, err)
	for _, token := range []account.NewToken{theirs, bobs} {
		if got := w.scopesOf(token); !slices.Equal(got, vcd.Scopes()) {
			t.Errorf("%s has %v", token.Name, got)
		}
	}
}

func TestRolesGiveScopes(t *testing.T) {
	t.Parallel()
	for role, want := range map[vcd.Role][]vcd.Scope{
		vcd.RoleOwner: vcd.Scopes(), vcd.RoleEditor: {vcd.ScopeRead, vcd.ScopeRun, vcd.ScopeReview},
		vcd.RoleReviewer: {vcd.ScopeRead, vcd.ScopeReview}, vcd.RoleViewer: {vcd.ScopeRead}, "admin": nil,
	} {
		if got := role.Scopes(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", role, got, want)
		}
	}
}
