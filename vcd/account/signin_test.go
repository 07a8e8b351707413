package account_test

import (
	"fmt"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/run"
)

// signIn begins another session of a user, as somebody who has their passkey.
func (w *world) signIn(email string) *account.NewSession {
	w.T.Helper()
	proven := func(_ *vcd.User, p *vcd.Passkey) ([]byte, error) { return p.Credential, nil }
	session, err := w.Service.Accounts.SignInByPasskey(w.T.Context(), []byte(email), proven, "A browser")
	must(w.T, err)
	return session
}

func TestSessionsPerUserAreLimited(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	other := w.NewUser("joan@example.com", vcd.RoleViewer)
	used := w.NewUser("grace@example.com", vcd.RoleViewer)
	idle := w.signIn("grace@example.com")
	for range vcd.MaxSessions - 2 {
		w.signIn("grace@example.com")
	}
	w.Clock.Advance(11 * time.Minute) // the use of a session is noted every ten minutes
	_, err := accounts.IdentifySession(ctx, used.Plain)
	must(t, err)
	w.Clock.Advance(time.Minute)
	newest := w.signIn("grace@example.com")
	sessions, err := accounts.Sessions(ctx, w.user(newest))
	must(t, err)
	if len(sessions) != vcd.MaxSessions || sessions[0].ID != newest.ID {
		t.Errorf("%d sessions", len(sessions))
	}
	_, err = accounts.IdentifySession(ctx, idle.Plain)
	wantCode(t, err, vcd.CodeUnauthenticated)
	for _, kept := range []*account.NewSession{used, newest, other} {
		_, err := accounts.IdentifySession(ctx, kept.Plain)
		must(t, err)
	}
}

func TestPasskeysPerUserAreLimited(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	who := w.user(w.NewUser("grace@example.com", vcd.RoleViewer))
	key := func(n int) *account.NewPasskey {
		return &account.NewPasskey{CredentialID: fmt.Appendf(nil, "key %d", n), Credential: []byte("{}"), Name: "key"}
	}
	for n := range 19 {
		must(t, accounts.AddPasskey(ctx, who, key(n)))
	}
	wantReason(t, accounts.AddPasskey(ctx, who, key(20)), "TOO_MANY_PASSKEYS")
	u, err := accounts.User(ctx, who, who.User)
	must(t, err)
	_, err = accounts.PasskeysBeside(ctx, u)
	wantReason(t, err, "TOO_MANY_PASSKEYS")
	list, err := accounts.Passkeys(ctx, who)
	must(t, err)
	must(t, accounts.DeletePasskey(ctx, who, list[0].ID))
	must(t, accounts.AddPasskey(ctx, who, key(20)))
}

// mailsTo are the kinds of mails to an address that an actor sees, newest first.
func (w *world) mailsTo(actor vcd.Actor, address string) (kinds []vcd.MailKind) {
	w.T.Helper()
	list, err := w.Service.Outbound.Mails(w.T.Context(), actor, vcd.MailFilter{}, vcd.Page{Size: 100, Total: true})
	must(w.T, err)
	if list.Total != len(list.Items) {
		w.T.Errorf("%d mails in all, of which %d are listed", list.Total, len(list.Items))
	}
	for _, m := range list.Items {
		if m.Recipient == address {
			kinds = append(kinds, m.Kind)
		}
	}
	return kinds
}

func TestUsersAreToldOfNewWaysToSignIn(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	owner := w.user(w.NewUser("owner@example.com", vcd.RoleOwner))
	grace := w.user(w.NewUser("grace@example.com", vcd.RoleEditor))
	must(t, accounts.AddPasskey(ctx, grace, &account.NewPasskey{CredentialID: []byte("second"), Credential: []byte("{}"), Name: "key"}))
	must(t, accounts.ConnectIdentity(ctx, grace, &account.Identity{Issuer: "https://login.example.com", Subject: "17"}))
	want := fmt.Sprint([]vcd.MailKind{vcd.MailProviderConnected, vcd.MailPasskeyAdded, vcd.MailInvitation})
	if got := fmt.Sprint(w.mailsTo(owner, "grace@example.com")); got != want {
		t.Errorf("the mails are %s, want %s", got, want)
	}
	// Others do not see whom the account invites, and how people sign in.
	if got := w.mailsTo(grace, "grace@example.com"); len(got) != 0 {
		t.Errorf("an editor sees %v", got)
	}
	all, err := w.Service.Outbound.Mails(ctx, owner, vcd.MailFilter{}, vcd.Page{Size: 100})
	must(t, err)
	for _, m := range all.Items {
		_, err := w.Service.Outbound.Mail(ctx, grace, m.ID)
		wantCode(t, err, vcd.CodeNotFound)
		list, err := w.Service.Outbound.MailsByIDs(ctx, grace, []vcd.ID{m.ID})
		must(t, err)
		if len(list) != 0 {
			t.Errorf("an editor reads %+v", list[0])
		}
	}
	task, err := w.Service.Outbound.BeginMail(ctx, vcd.Actor{Account: w.Account.ID}, all.Items[0].ID)
	must(t, err)
	if task == nil || task.User == nil || task.User.Email != "grace@example.com" {
		t.Errorf("the mail is about %+v", task)
	}
}

func TestWhoMaySignOthersOut(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	owner, viewer := w.NewUser("owner@example.com", vcd.RoleOwner), w.NewUser("viewer@example.com", vcd.RoleViewer)
	manager := vcd.Actor{Account: w.Account.ID, Token: vcd.RandomIDs{}.NewID(),
		Permissions: vcd.PermissionsOfScopes([]vcd.Scope{vcd.ScopeManage})} // may not run or review
	_, err := accounts.SignOutUser(ctx, manager, owner.User)
	wantReason(t, err, "HIGHER_ROLE")
	for _, c := range []struct {
		actor vcd.Actor
		user  vcd.ID
	}{{manager, viewer.User}, {w.user(owner), owner.User}} {
		n, err := accounts.SignOutUser(ctx, c.actor, c.user)
		must(t, err)
		if n != 1 {
			t.Errorf("%d sessions ended", n)
		}
	}
}

// TestIdentitiesBelongToOneUser tries what the provider alone cannot decide.
func TestIdentitiesBelongToOneUser(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	identity := &account.Identity{Issuer: "https://login.example.com", Subject: "17", Email: "grace@example.com"}
	grace, joan := w.NewUser("grace@example.com", vcd.RoleViewer), w.NewUser("joan@example.com", vcd.RoleViewer)
	_, err := accounts.SignInByIdentity(ctx, identity, "A browser")
	wantReason(t, err, "IDENTITY_UNKNOWN")
	must(t, accounts.ConnectIdentity(ctx, w.user(grace), identity))
	wantCode(t, accounts.ConnectIdentity(ctx, w.user(joan), identity), vcd.CodeConflict)
	session, err := accounts.SignInByIdentity(ctx, identity, "A browser")
	must(t, err)
	if session.User != grace.User || session.Method != vcd.SignInOIDC {
		t.Errorf("the session is %+v", session.Session)
	}
	_, err = accounts.SignInByIdentity(ctx, &account.Identity{Issuer: "https://other.example.com", Subject: "17"}, "A browser")
	wantReason(t, err, "IDENTITY_UNKNOWN")
	_, err = accounts.RemoveUser(ctx, w.Actor, grace.User)
	must(t, err)
	_, err = accounts.SignInByIdentity(ctx, identity, "A browser")
	wantReason(t, err, "IDENTITY_UNKNOWN")
	must(t, accounts.ConnectIdentity(ctx, w.user(joan), identity)) // which is free again
}

// TestExpiredSignInsAreRemoved: sessions are kept for as long as audit entries, which tell who did what.
func TestExpiredSignInsAreRemoved(t *testing.T) {
	w := newWorld(t)
	session := w.NewUser("grace@example.com", vcd.RoleViewer)
	_, err := w.Service.Accounts.KeepAttempt(t.Context(), "test", "kept")
	must(t, err)
	left := func(sessions, attempts int) {
		t.Helper()
		must(t, w.Service.Runs.RemoveOld(t.Context(), run.Retention{}))
		for table, want := range map[string]int{"sessions": sessions, "sign_in_attempts": attempts} {
			if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM "+table); n != want {
				t.Errorf("%d %s are left, want %d", n, table, want)
			}
		}
	}
	w.Clock.Advance(10 * time.Minute)
	left(1, 1)
	w.Clock.Advance(2 * time.Minute)
	left(1, 0)
	w.Clock.Advance(vcd.SessionLength + vcd.AuditRetention - 13*time.Minute)
	left(1, 0)
	w.Clock.Advance(2 * time.Minute)
	left(0, 0)
	_, err = w.Service.Accounts.IdentifySession(t.Context(), session.Plain)
	wantCode(t, err, vcd.CodeUnauthenticated)
}
