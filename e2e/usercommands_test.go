package e2e

import (
	"strings"
	"testing"
)

// refuse runs a command on users that has to fail with a message.
func (s *service) refuse(message string, args ...string) {
	s.t.Helper()
	p := start(s.t, "user", append(append([]string{"user"}, args...), s.at()...)...)
	p.allowed = []string{""} // it ends with a sentence, which is not in JSON
	if code := p.exitCode(); code == 0 {
		s.t.Errorf("user %v succeeded", args)
	}
	if !strings.Contains(p.text(), message) {
		s.t.Errorf("user %v: %s\nwant %q", args, p.text(), message)
	}
}

// TestCommandsOnUsers runs all of them beside a running service, with good and bad input.
func TestCommandsOnUsers(t *testing.T) {
	t.Parallel()
	s := lodge(t)
	link := s.user("create", s.email, "ada@example.com", "--name", "Ada", "--role", "owner",
		"--public-url", "https://a.example.com/")
	if !strings.HasPrefix(link, "https://a.example.com/people/passkey#") || len(link) != len("https://a.example.com/people/passkey#")+40 {
		t.Errorf("the link is %q", link)
	}
	s.user("create", s.email, "joan@example.com", "--name", "Joan", "--role", "owner")
	if got := s.user("role", "JOAN@example.com", "viewer"); got != "joan@example.com now has the role viewer." {
		t.Errorf("changing a role prints %q", got)
	}
	if list := s.user("list", s.email); !strings.Contains(list, "joan@example.com") || !strings.Contains(list, "viewer") {
		t.Errorf("the list is\n%s", list)
	}
	for _, c := range []struct {
		message string
		args    []string
	}{
		{"missing flags: --role", []string{"create", s.email, "a@example.com", "--name", "A"}},
		{"missing flags: --name", []string{"create", s.email, "a@example.com", "--role", "viewer"}},
		{"--role must be one of", []string{"create", s.email, "a@example.com", "--name", "A", "--role", "admin"}},
		{"email field must be a valid", []string{"create", s.email, "A <a@example.com>", "--name", "A", "--role", "viewer"}},
		{"email has already been taken", []string{"create", s.email, "Ada@example.com", "--name", "A", "--role", "viewer"}},
		{"name field is required", []string{"create", s.email, "a@example.com", "--name", " ", "--role", "viewer"}},
		{"nobody@localhost", []string{"create", "nobody@localhost", "a@example.com", "--name", "A", "--role", "viewer"}},
		{"nobody@localhost", []string{"list", "nobody@localhost"}},
		{"no user with the email address a@example.com", []string{"link", "a@example.com"}},
		{"no user with the email address a@example.com", []string{"role", "a@example.com", "owner"}},
		{"must be one of", []string{"role", "joan@example.com", "admin"}},
		{"The last owner cannot be removed or given another role", []string{"role", "ada@example.com", "viewer"}},
		{"The last owner cannot be removed or given another role", []string{"remove", "ada@example.com"}},
		{"no user with the email address a@example.com", []string{"remove", "a@example.com"}},
	} {
		s.refuse(c.message, c.args...)
	}
	if got := s.user("remove", "joan@example.com"); got != "joan@example.com is no longer a user." {
		t.Errorf("removing prints %q", got)
	}
	s.refuse("no user with the email address joan@example.com", "link", "joan@example.com")
	type entries struct {
		AuditEntries struct{ Nodes []struct{ Action string } }
	}
	var actions []string
	for _, e := range query[entries](s, `{ auditEntries(filter: {actorKind: SYSTEM}) { nodes { action } } }`, nil).AuditEntries.Nodes {
		actions = append(actions, e.Action)
	}
	const want = "removeUser changeRole makeSignInLink createUser makeSignInLink createUser"
	if got := strings.Join(actions, " "); !strings.HasPrefix(got, want) {
		t.Errorf("the audit list has %s", got)
	}
}
