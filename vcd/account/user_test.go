package account_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
)

// wantReason ends the test unless the error has the reason, which programs read.
func wantReason(t *testing.T, err error, reason string) {
	t.Helper()
	var refused *vcd.Error
	if !errors.As(err, &refused) || refused.Reason != reason {
		t.Fatalf("got error %v, want the reason %s", err, reason)
	}
}

// wantRule ends the test unless the field breaks the rule.
func wantRule(t *testing.T, err error, path, rule string) {
	t.Helper()
	var refused *vcd.Error
	if !errors.As(err, &refused) || len(refused.Fields) != 1 || refused.Fields[0].Path != path || refused.Fields[0].Rule != rule {
		t.Fatalf("got error %v, want the rule %s of %s", err, rule, path)
	}
}

// user is the actor of a session.
func (w *world) user(s *account.NewSession) vcd.Actor {
	w.T.Helper()
	bearer, err := w.Service.Accounts.IdentifySession(w.T.Context(), s.Plain)
	must(w.T, err)
	return bearer.Actor()
}

// joining is what somebody sends who accepts an invitation.
func joining(name string) account.Joining {
	return account.Joining{Name: name, UserAgent: "A browser",
		Passkey: &account.NewPasskey{CredentialID: []byte("1"), Credential: []byte(`{"a":1}`), Name: "key"}}
}

func TestAnInvitationMakesAUserOnce(t *testing.T) {
	w := newWorld(t)
	i, err := w.Service.Accounts.Invite(t.Context(), w.Actor, "grace@example.com", vcd.RoleReviewer)
	must(t, err)
	link := vcdtest.LinkOf(t, w.Service, w.DB, i)
	join := joining("Grace")
	_, err = w.Service.Accounts.AcceptInvitation(t.Context(), link, account.Joining{Name: "Grace"})
	vcdtest.WantField(t, err, "passkey", "required")
	session, err := w.Service.Accounts.AcceptInvitation(t.Context(), link, join)
	must(t, err)
	who := w.user(session)
	if who.Kind() != vcd.ActorUser || who.Name != "Grace" || who.Permissions != vcd.RoleReviewer.Permissions() {
		t.Errorf("the session stands for %+v", who)
	}
	_, err = w.Service.Accounts.AcceptInvitation(t.Context(), link, join)
	wantReason(t, err, "INVITATION_USED")
	list, err := w.Service.Accounts.Users(t.Context(), who, vcd.UserFilter{Search: vcdtest.Pointer("GRACE")}, vcd.Page{Size: 10})
	must(t, err)
	if len(list.Items) != 1 || list.Items[0].ID != who.User || list.Items[0].LastSeenAt == nil {
		t.Errorf("the users are %+v", list.Items)
	}
	about := vcd.AuditFilter{SubjectIDs: &[]vcd.ID{who.User}}
	entries, err := w.Service.Accounts.AuditEntries(t.Context(), w.Actor, about, vcd.Page{Size: 10})
	must(t, err)
	if len(entries.Items) != 1 || entries.Items[0].Action != "acceptInvitation" || entries.Items[0].Actor.ID != who.User {
		t.Errorf("the audit list says %+v", entries.Items)
	}
}

func TestOnlyTheNewestLinkWorks(t *testing.T) {
	w := newWorld(t)
	accounts := w.Service.Accounts
	i, err := accounts.Invite(t.Context(), w.Actor, "grace@example.com", vcd.RoleViewer)
	must(t, err)
	first := vcdtest.LinkOf(t, w.Service, w.DB, i)
	w.Clock.Advance(6 * 24 * time.Hour)
	_, err = accounts.ResendInvitation(t.Context(), w.Actor, i.ID)
	must(t, err)
	second := vcdtest.LinkOf(t, w.Service, w.DB, i)
	_, _, err = accounts.Invitation(t.Context(), first)
	wantReason(t, err, "INVITATION_UNKNOWN")
	w.Clock.Advance(6 * 24 * time.Hour)
	_, _, err = accounts.Invitation(t.Context(), second)
	must(t, err)
	w.Clock.Advance(24 * time.Hour)
	_, _, err = accounts.Invitation(t.Context(), second)
	wantReason(t, err, "INVITATION_EXPIRED")
	_, err = accounts.AcceptInvitation(t.Context(), second, joining("Grace"))
	wantReason(t, err, "INVITATION_EXPIRED")
	again, err := accounts.Invite(t.Context(), w.Actor, "Grace@example.com", vcd.RoleViewer)
	must(t, err)
	third := vcdtest.LinkOf(t, w.Service, w.DB, again)
	_, err = accounts.RevokeInvitation(t.Context(), w.Actor, again.ID)
	must(t, err)
	_, err = accounts.AcceptInvitation(t.Context(), third, joining("Grace"))
	wantReason(t, err, "INVITATION_REVOKED")
	_, err = accounts.ResendInvitation(t.Context(), w.Actor, again.ID)
	wantReason(t, err, "INVITATION_REVOKED")
}

func TestInvitationsToWrongAddresses(t *testing.T) {
	w := newWorld(t)
	invite := func(email string) error {
		_, err := w.Service.Accounts.Invite(t.Context(), w.Actor, email, vcd.RoleViewer)
		return err
	}
	for _, malformed := range []string{"", "grace", "Grace <grace@example.com>", "grace@example.com\r\nBcc: x@example.com"} {
		wantRule(t, invite(malformed), "email", "email")
	}
	w.NewUser("grace@example.com", vcd.RoleViewer)
	wantRule(t, invite("GRACE@example.com"), "email", "unique")
	must(t, invite("joan@example.com"))
	wantRule(t, invite("Joan@example.com"), "email", "invited")
	other := w.NewAccount("bob@example.com", 0)
	_, err := w.Service.Accounts.Invite(t.Context(), vcd.Actor{Account: other.ID}, "grace@example.com", vcd.RoleViewer)
	wantRule(t, err, "email", "unique")
}

func TestNobodyGivesMoreThanTheyHave(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	owner := w.NewUser("owner@example.com", vcd.RoleOwner)
	editor := w.NewUser("editor@example.com", vcd.RoleEditor)
	manager := vcd.Actor{Account: w.Account.ID, Token: vcd.RandomIDs{}.NewID(),
		Permissions: vcd.PermissionsOfScopes([]vcd.Scope{vcd.ScopeManage})} // may not run or review
	_, err := accounts.Invite(ctx, manager, "x@example.com", vcd.RoleReviewer)
	wantRule(t, err, "role", "exceeded")
	_, err = accounts.Invite(ctx, manager, "x@example.com", vcd.RoleViewer)
	must(t, err)
	_, err = accounts.ChangeRole(ctx, manager, editor.User, vcd.RoleViewer)
	wantReason(t, err, "HIGHER_ROLE")
	_, err = accounts.RemoveUser(ctx, manager, owner.User)
	wantReason(t, err, "HIGHER_ROLE")
	_, err = accounts.ChangeRole(ctx, w.user(owner), owner.User, vcd.RoleViewer)
	wantReason(t, err, "OWN_ROLE")
	_, err = accounts.ChangeRole(ctx, w.Actor, editor.User, "admin")
	wantRule(t, err, "role", "in")
}

func TestTheLastOwnerStays(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	first, second := w.NewUser("a@example.com", vcd.RoleOwner), w.NewUser("b@example.com", vcd.RoleOwner)
	_, err := accounts.ChangeRole(ctx, w.user(first), second.User, vcd.RoleEditor)
	must(t, err)
	for _, actor := range []vcd.Actor{w.Actor, w.user(first)} {
		_, err = accounts.RemoveUser(ctx, actor, first.User)
		wantReason(t, err, "LAST_OWNER")
	}
	_, err = accounts.ChangeRole(ctx, w.Actor, first.User, vcd.RoleViewer)
	wantReason(t, err, "LAST_OWNER")
	// Two owners who remove each other at once: one of them stays.
	_, err = accounts.ChangeRole(ctx, w.Actor, second.User, vcd.RoleOwner)
	must(t, err)
	done := make(chan error, 2)
	for _, id := range []vcd.ID{first.User, second.User} {
		go func() {
			_, err := accounts.RemoveUser(ctx, w.Actor, id)
			done <- err
		}()
	}
	if one, other := <-done, <-done; (one == nil) == (other == nil) {
		t.Errorf("both were treated alike: %v, %v", one, other)
	}
}

func TestARemovedUserLosesEverything(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	w.NewUser("owner@example.com", vcd.RoleOwner)
	session := w.NewUser("grace@example.com", vcd.RoleOwner)
	invitation, err := accounts.Invite(ctx, w.user(session), "friend@example.com", vcd.RoleOwner)
	must(t, err)
	link := vcdtest.LinkOf(t, w.Service, w.DB, invitation)
	_, err = accounts.RemoveUser(ctx, w.Actor, session.User)
	must(t, err)
	_, err = accounts.IdentifySession(ctx, session.Plain)
	wantCode(t, err, vcd.CodeUnauthenticated)
	_, _, err = accounts.Invitation(ctx, link)
	wantReason(t, err, "INVITATION_REVOKED")
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM passkeys WHERE user_id = $1", string(session.User)); n != 0 {
		t.Errorf("%d passkeys are left", n)
	}
	_, err = accounts.RemoveUser(ctx, w.Actor, session.User)
	wantCode(t, err, vcd.CodeNotFound)
	w.NewUser("grace@example.com", vcd.RoleViewer) // may come again
	broken, err := w.DB.CheckInvariants(ctx)
	must(t, err)
	if len(broken) > 0 {
		t.Errorf("broken invariants: %v", broken)
	}
}

func TestARevokedTokenLeavesNoInvitationBehind(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	token, err := accounts.CreateToken(ctx, w.Actor, nil, account.TokenChange{Name: vcd.Some("stolen")})
	must(t, err)
	thief, _, err := accounts.Authenticate(ctx, token.Plain)
	must(t, err)
	i, err := accounts.Invite(ctx, thief, "thief@example.com", vcd.RoleOwner)
	must(t, err)
	link := vcdtest.LinkOf(t, w.Service, w.DB, i)
	_, err = accounts.RevokeToken(ctx, w.Actor, nil, token.ID)
	must(t, err)
	_, err = accounts.AcceptInvitation(ctx, link, joining("Thief"))
	wantReason(t, err, "INVITATION_REVOKED")
}

func TestSessionsEnd(t *testing.T) {
	w := newWorld(t)
	accounts, ctx := w.Service.Accounts, t.Context()
	session := w.NewUser("grace@example.com", vcd.RoleViewer)
	who := w.user(session)
	live := func(plain string) bool {
		_, err := accounts.IdentifySession(ctx, plain)
		if err != nil {
			wantCode(t, err, vcd.CodeUnauthenticated)
		}
		return err == nil
	}
	for range 29 { // used each day, it lasts a month
		w.Clock.Advance(vcd.SessionIdle - time.Minute)
		if !live(session.Plain) {
			t.Fatalf("the session ended after %s", w.Clock.Now().Sub(session.CreatedAt))
		}
	}
	w.Clock.Advance(vcd.SessionIdle - time.Minute)
	w.Clock.Advance(time.Hour)
	if live(session.Plain) {
		t.Error("the session outlived its longest time")
	}
	idle := w.NewUser("joan@example.com", vcd.RoleViewer)
	w.Clock.Advance(vcd.SessionIdle)
	if live(idle.Plain) {
		t.Error("a session that was not used goes on")
	}
	left := w.NewUser("mary@example.com", vcd.RoleViewer)
	stranger := w.user(left)
	_, err := accounts.SignOut(ctx, who, &left.ID)
	wantCode(t, err, vcd.CodeNotFound)
	id, err := accounts.SignOut(ctx, stranger, nil)
	must(t, err)
	if id != left.ID || live(left.Plain) {
		t.Error("signing out left the session as it was")
	}
	_, err = accounts.SignOut(ctx, w.Actor, nil)
	wantCode(t, err, vcd.CodeConflict)
}

func TestInvitationsAreLimited(t *testing.T) {
	w := newWorld(t)
	use := w.Service.With(func(c *app.Config) { c.Frequencies.Invitations = 2 })
	invite := func(email string) error {
		_, err := use.Accounts.Invite(t.Context(), w.Actor, email, vcd.RoleViewer)
		return err
	}
	must(t, invite("a@example.com"))
	wantRule(t, invite("a@example.com"), "email", "invited") // counts, too
	wantCode(t, invite("b@example.com"), vcd.CodeRateLimited)
	w.Clock.Advance(30 * time.Minute)
	must(t, invite("b@example.com"))
}

func TestRolesAreSetsOfPermissions(t *testing.T) {
	t.Parallel()
	want := map[vcd.Role][]vcd.Permission{
		"owner":    {vcd.PermissionRead, vcd.PermissionRun, vcd.PermissionReview, vcd.PermissionEdit, vcd.PermissionOwn},
		"editor":   {vcd.PermissionRead, vcd.PermissionRun, vcd.PermissionReview, vcd.PermissionEdit},
		"reviewer": {vcd.PermissionRead, vcd.PermissionReview}, "viewer": {vcd.PermissionRead}, "admin": {},
	}
	for role, permissions := range want {
		if got := role.Permissions().List(); !slices.Equal(got, permissions) {
			t.Errorf("%s: %v, want %v", role, got, permissions)
		}
	}
}
