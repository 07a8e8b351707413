package graph_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// header is what a page of the server sends for a user who is signed in.
func (w *world) header(s *account.NewSession) http.Header {
	return http.Header{"Cookie": {"afterimage_session=user." + s.Plain}, "Origin": {w.url}, "X-Afterimage-Client": {"test"},
		"Content-Type": {"application/json"}}
}

// by asks as a user who is signed in.
func (w *world) by(s *account.NewSession, document string, variables vars) *answer {
	w.t.Helper()
	r := w.request(encode(w.t, document, variables))
	r.Header = w.header(s)
	return w.do(r)
}

// socketOf opens a WebSocket as a user who is signed in.
func (w *world) socketOf(s *account.NewSession) *client {
	w.t.Helper()
	header := w.header(s)
	header.Del("Content-Type")
	c, _, err := w.dial(header)
	w.check(err)
	c.send(wire{Type: "connection_init", Payload: json.RawMessage(`{}`)})
	if m := c.next(); m.Type != "connection_ack" {
		w.t.Fatalf("got %+v, want connection_ack", m)
	}
	return c
}

func (w *world) user(email string, role vcd.Role) *account.NewSession {
	w.t.Helper()
	return vcdtest.Join(w.t, w.use, w.store, w.actor, email, role)
}

func TestAUserMayDoWhatTheRoleSays(t *testing.T) {
	w := newWorld(t)
	probes := map[vcd.Permission]string{
		vcd.PermissionRead:   `{ users { totalCount } sessions { current } viewer { user { role } } }`,
		vcd.PermissionRun:    `mutation { cancelBatch(id: "x") { batch { id } } }`,
		vcd.PermissionReview: `mutation { undoReview(id: "x") { changedCount } }`,
		vcd.PermissionEdit:   `mutation { createGroup(input: {name: "a"}) { group { id } } }`,
		vcd.PermissionOwn:    `{ tokens { totalCount } }`,
	}
	for _, role := range vcd.Roles() {
		session := w.user(string(role)+"@example.com", role)
		for permission, document := range probes {
			a := w.by(session, document, nil)
			if allowed := role.Permissions().Includes(vcd.PermissionsOf(permission)); (a.code() == "FORBIDDEN") == allowed {
				t.Errorf("%s, %s: %d %s", role, permission, a.status, a.body)
			}
		}
	}
}

func TestTheCookieOfAUserIsNoToken(t *testing.T) {
	w := newWorld(t)
	session := w.user("grace@example.com", vcd.RoleOwner)
	if code := w.as(session.Plain).post("{ account { id } }", nil).code(); code != "UNAUTHENTICATED" {
		t.Errorf("as a token the secret of a session answers %q", code)
	}
	r := w.request(encode(t, "{ account { id } }", nil))
	r.Header = w.header(session)
	r.Header.Del("X-Afterimage-Client")
	if a := w.do(r); a.code() != "FORBIDDEN" {
		t.Errorf("a request that another page can make: %d %s", a.status, a.body)
	}
}

func TestConnectionsOfAUserEndWithTheRight(t *testing.T) {
	w := newWorld(t)
	w.user("owner@example.com", vcd.RoleOwner)
	for name, lose := range map[string]string{
		"another role": `mutation ($id: ID!) { changeRole(userId: $id, role: VIEWER) { user { role } } }`,
		"signed out":   `mutation ($id: ID!) { signOutUser(userId: $id) { endedCount } }`,
		"removed":      `mutation ($id: ID!) { removeUser(id: $id) { removedUserId } }`,
	} {
		session := w.user("grace@example.com", vcd.RoleEditor)
		c := w.socketOf(session)
		w.must(lose, vars{"id": session.User})
		if code := c.closed(); code != 4403 {
			t.Errorf("%s: closed with %d, want 4403", name, code)
		}
		code := w.by(session, "{ account { id } }", nil).code()
		if want := map[bool]string{true: "", false: "UNAUTHENTICATED"}[name == "another role"]; code != want {
			t.Errorf("%s: a request answers %q, want %q", name, code, want)
		}
		if name != "removed" {
			w.must(`mutation ($id: ID!) { removeUser(id: $id) { removedUserId } }`, vars{"id": session.User})
		}
	}
}

func TestAUserSignsOutOnTheServerToo(t *testing.T) {
	w := newWorld(t)
	session := w.user("grace@example.com", vcd.RoleViewer)
	other := w.user("joan@example.com", vcd.RoleViewer)
	const signOut = `mutation ($id: ID) { signOut(sessionId: $id) { sessionId } }`
	if code := w.by(session, signOut, vars{"id": other.ID}).code(); code != "NOT_FOUND" {
		t.Errorf("the session of another user answers %q", code)
	}
	w.by(session, `mutation { signOut { sessionId } }`, nil)
	if code := w.by(session, "{ account { id } }", nil).code(); code != "UNAUTHENTICATED" {
		t.Errorf("after signing out a request answers %q", code)
	}
	if code := w.by(other, "{ account { id } }", nil).code(); code != "" {
		t.Errorf("another user was signed out, too: %q", code)
	}
}

func TestInvitationsAreFiltered(t *testing.T) {
	w := newWorld(t)
	for email, role := range map[string]string{"grace@example.com": "VIEWER", "alan@example.com": "OWNER"} {
		w.must(`mutation ($e: String!, $r: UserRole!) { inviteUser(input: {email: $e, role: $r}) { invitation { id } } }`,
			vars{"e": email, "r": role})
	}
	const list = `query ($f: InvitationFilter) { invitations(filter: $f) { totalCount nodes { email } } }`
	for name, c := range map[string]struct {
		filter vars
		want   string
	}{
		"by role":    {vars{"roles": []string{"OWNER"}}, "map[nodes:[map[email:alan@example.com]] totalCount:1]"},
		"by address": {vars{"search": "GRACE@"}, "map[nodes:[map[email:grace@example.com]] totalCount:1]"},
		"by both":    {vars{"search": "grace", "roles": []string{"OWNER"}}, "map[nodes:[] totalCount:0]"},
	} {
		want(t, name, w.must(list, vars{"f": c.filter}).at(t, "invitations"), c.want)
	}
}
