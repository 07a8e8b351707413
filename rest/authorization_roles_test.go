package rest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// ownersFields need the permission of owners; other fields of the scope manage are open to editors, too. Told here apart from the
// schema, like the matrix of scopes.
var ownersFields = []string{
	"invitations", "inviteUser", "resendInvitation", "revokeInvitation", "changeRole", "removeUser", "signOutUser", "tokens",
	"auditEntries", "updateAccount", "updateRetention", "updateBrand", "reactivateAccount", "rotateWebhookSecret", "createSubaccount",
	"updateSubaccount",
	"deleteSubaccount", "createToken", "updateToken", "revokeToken",
}

// rolesOf are who may ask for a field of GraphQL.
func rolesOf(field string) []vcd.Role {
	switch {
	case slices.Contains(ownersFields, field):
		return []vcd.Role{vcd.RoleOwner}
	case scopeOf(field) == vcd.ScopeManage, scopeOf(field) == vcd.ScopeRun:
		return []vcd.Role{vcd.RoleOwner, vcd.RoleEditor}
	case scopeOf(field) == vcd.ScopeReview:
		return []vcd.Role{vcd.RoleOwner, vcd.RoleEditor, vcd.RoleReviewer}
	}
	return vcd.Roles()
}

// roleUser is a user with a role, who signs in again when a row has signed them out.
type roleUser struct {
	*cast
	email   string
	session *account.NewSession
}

func (c *cast) userOf(role vcd.Role) *roleUser {
	c.t.Helper()
	email := string(role) + "@roles.example.com"
	return &roleUser{c, email, vcdtest.Join(c.t, c.use, c.store, c.owner.actor, email, role)}
}

func (m *roleUser) send(p probe) recorded {
	m.t.Helper()
	header := http.Header{"Cookie": {"__Host-afterimage_session=user." + m.session.Plain}, "Origin": {worldURL},
		"X-Afterimage-Client": {"test"}}
	return m.askBy(header, p.method, p.target, p.body, p.accept)
}

// again begins another session if the last one has ended.
func (m *roleUser) again() {
	m.t.Helper()
	if _, err := m.use.Accounts.IdentifySession(m.t.Context(), m.session.Plain); err == nil {
		return
	}
	proven := func(_ *vcd.User, p *vcd.Passkey) ([]byte, error) { return p.Credential, nil }
	var err error
	m.session, err = m.use.Accounts.SignInByPasskey(m.t.Context(), []byte(m.email), proven, "")
	m.check(err)
}

// TestAuthorizationByRoles asks every row of the authorization matrix by a user of each role. REST takes tokens only: there, a
// session is nothing.
func TestAuthorizationByRoles(t *testing.T) {
	c := newCast(t)
	graphql, rest := graphqlProbes(t, c.schema), restProbes()
	for _, role := range vcd.Roles() {
		m := c.userOf(role)
		before := c.fingerprint(c.owner)
		for _, p := range rest {
			if answer := m.send(p.fill(c.of(c.owner), c.of(c.owner))); p.outcome(answer) != "unauthenticated" {
				t.Errorf("%s by the session of a user: %d %s", p, answer.status, answer.body)
			}
		}
		m.wantByRole(t, role, graphql, true)
		if c.fingerprint(c.owner) != before {
			t.Errorf("a user with the role %s changed what they may not", role)
		}
		m.wantByRole(t, role, graphql, false)
	}
}

// wantByRole asks what the role refuses or allows, with ids that nothing has: nothing is taken away from the rows that follow.
func (m *roleUser) wantByRole(t *testing.T, role vcd.Role, probes []probe, refused bool) {
	t.Helper()
	for _, p := range probes {
		_, field, _ := strings.Cut(p.name, ".")
		if slices.Contains(rolesOf(field), role) == refused {
			continue
		}
		m.again()
		answer := m.send(p.fill(m.of(m.owner), m.nothing))
		if got := p.outcome(answer); (got == "forbidden") != refused || got == "unauthenticated" {
			t.Errorf("%s by a user with the role %s: %s, refused should be %t: %d %s", p, role, got, refused, answer.status, answer.body)
		}
	}
}
