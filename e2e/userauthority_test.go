package e2e

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"afterimage/internal/openid/openidtest"
)

// member is a user of a subaccount of their own, signed in in one browser, as two processes on the same database see it.
type member struct {
	owner     *service // of the account above
	near, far *service // with a token of the subaccount
	provider  *openidtest.Provider
	id, name  string
	account   string
	cookie    string
	spare     string // a group

	sockets map[*service]*socket
	streams map[*service]*bufio.Scanner
}

// userLosses are the columns of the second table in docs/access.md: what is done to a user.
var userLosses = map[string]func(m *member){
	"Role lowered": func(m *member) {
		query[any](m.near, `mutation ($id: ID!) { changeRole(userId: $id, role: VIEWER) { user { id } } }`, vars{"id": m.id})
	},
	"Signed out by an owner": func(m *member) {
		query[any](m.near, `mutation ($id: ID!) { signOutUser(userId: $id) { endedCount } }`, vars{"id": m.id})
	},
	"Signed in again": func(m *member) {
		former := m.cookie
		m.signIn(map[string]any{"page": "signin"})
		m.cookie = former
	},
	"User removed": func(m *member) {
		query[any](m.near, `mutation ($id: ID!) { removeUser(id: $id) { removedUserId } }`, vars{"id": m.id})
	},
	"Account paused":    func(m *member) { m.operate("pause") },
	"Account cancelled": func(m *member) { m.operate("cancel") },
	"Subaccount deleted": func(m *member) {
		m.near.must200(http.MethodDelete, "/groups/"+m.spare, nil)
		for _, u := range must[page[struct{ ID string }]](m.near, http.MethodGet, "/urls", nil).Data {
			m.near.must200(http.MethodDelete, "/urls/"+u.ID, nil)
		}
		m.owner.must200(http.MethodDelete, "/subaccounts/"+m.account, nil)
	},
}

// userUses are its rows: what the browser then tries, at one of the processes.
var userUses = map[string]func(m *member, at *service) string{
	"Open WebSocket of the session":    (*member).useSocket,
	"Open event stream of the session": (*member).useStream,
	"Request with the session":         (*member).useSession,
}

// TestUsersWhoLostTheRight holds two processes on one database against the table of users in docs/access.md.
func TestUsersWhoLostTheRight(t *testing.T) {
	t.Parallel()
	host := pages(t, http.NotFoundHandler())
	var provider *openidtest.Provider
	s, _ := servePeople(t, func(address string) []string {
		provider = openidtest.Start(t, address+"/people/oidc")
		return []string{"--allow-hosts", host, "--captures=1", "--oidc-issuer", provider.Issuer,
			"--oidc-client-id", openidtest.ClientID, "--oidc-client-secret", openidtest.ClientSecret}
	})
	far := s.second()

	table := accessTable(t, "Of a user", len(userLosses))
	n := 0
	for name, lose := range userLosses {
		m := s.member(far, provider, n, "http://"+host+"/")
		n++
		m.connect()
		lose(m)
		for _, use := range socketsFirst(userUses) {
			try := userUses[use]
			want, known := table[use][name]
			if !known {
				t.Errorf("the table says nothing of %q after %q", use, name)
			}
			for at, where := range map[string]*service{"this": m.near, "the other": m.far} {
				if got := try(m, where); got != want {
					t.Errorf("%s, %s, at %s process: %q, want %q", use, name, at, got, want)
				}
			}
		}
	}
	if len(table) != len(userUses) {
		t.Errorf("the table has %d rows, the test %d", len(table), len(userUses))
	}
}

// member opens a subaccount with an owner and an editor, who joins by the provider.
func (s *service) member(far *service, provider *openidtest.Provider, n int, url string) *member {
	s.t.Helper()
	near := s.subaccount(n)
	away := *far
	away.token = near.token
	m := &member{owner: s, near: near, far: &away, provider: provider, name: fmt.Sprintf("user%d@example.com", n),
		sockets: map[*service]*socket{}, streams: map[*service]*bufio.Scanner{}}
	m.account = query[struct{ Account struct{ ID string } }](near, readsAccount, nil).Account.ID
	m.spare = near.desktop(url)
	_, secret, _ := strings.Cut(near.invitation(m.name, "EDITOR"), "#")
	m.signIn(map[string]any{"page": "join", "link": secret, "name": "Grace"})
	m.id = query[struct {
		Users struct{ Nodes []struct{ ID string } }
	}](near, "{ users { nodes { id } } }", nil).Users.Nodes[0].ID
	return m
}

// signIn goes through the provider, and keeps the cookie of the session.
func (m *member) signIn(question map[string]any) {
	m.owner.t.Helper()
	begun, mark := m.post("provider", question, m.cookie)
	back := m.provider.SignIn(m.owner.t, begun, m.name)
	_, m.cookie = m.post("return", map[string]any{"page": "oidc", "attempt": back.Get("state"), "code": back.Get("code"),
		"issuer": back.Get("iss")}, m.cookie+"; "+mark)
}

// post asks like the pages of people, and returns where to go on to and the cookie that was set.
func (m *member) post(what string, question map[string]any, cookie string) (next, set string) {
	t := m.owner.t
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.near.url+"/people/"+what,
		strings.NewReader(string(raw(t, question))))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = m.header(m.near)
	r.Header.Set("Cookie", cookie)
	a, err := finish(http.DefaultClient.Do(r))
	if err != nil || a.status != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", what, a.status, a.body, err)
	}
	set, _, _ = strings.Cut(a.header.Get("Set-Cookie"), ";")
	return decode[struct{ Next string }](t, a.body).Next, set
}

// header is what a page of a process sends.
func (m *member) header(at *service) http.Header {
	return http.Header{"Cookie": {m.cookie}, "Origin": {at.url}, "X-Afterimage-Client": {"test"}, "Content-Type": {"application/json"}}
}

// connect opens what stays open, at both processes.
func (m *member) connect() {
	t := m.owner.t
	t.Helper()
	for _, at := range []*service{m.near, m.far} {
		header := m.header(at)
		header.Del("Content-Type")
		dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: 10 * time.Second}
		conn, response, err := dialer.Dial("ws"+strings.TrimPrefix(at.url, "http")+"/graphql", header)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		k := &socket{t: t, conn: conn}
		t.Cleanup(k.close)
		k.send(frame{Type: "connection_init"})
		if f := k.read(); f.Type != "connection_ack" {
			t.Fatalf("connection answered %s %s", f.Type, f.Payload)
		}
		m.sockets[at] = k
		m.streams[at] = at.streamBy(m.header(at), "subscription { events { number } }")
		if got := m.useSession(at); got != "works" {
			t.Fatalf("before anything has changed the session %s", got)
		}
	}
}

func (m *member) operate(command string) { (&tenant{owner: m.owner, near: m.near}).operate(command) }

// lost reports whether the connections of the session have to end: it is over, or it has other permissions than before.
func (m *member) lost() bool {
	return m.useSession(m.near) != "works" && m.useSession(m.near) != "reads, runs nothing"
}

func (m *member) useSocket(at *service) string {
	k, lost := m.sockets[at], m.lost()
	read, closed := k.ask("read", readsAccount, nil)
	for lost && closed == 0 { // what is asked within half a second may still be answered
		read, closed = k.ask("read", readsAccount, nil)
	}
	if closed != 0 {
		return fmt.Sprintf("closed with %d", closed)
	}
	run, _ := k.ask("run", runsSpare, vars{"g": []string{m.spare}})
	return may(read, run)
}

func (m *member) useStream(at *service) string {
	last := -1
	if !m.lost() {
		last = m.near.lastEvent()
		m.near.must200(http.MethodPut, "/account", vars{"company": fmt.Sprint("company ", last)})
	}
	return follows(m.owner.t, m.streams[at], last)
}

func (m *member) useSession(at *service) string {
	ask := func(document string, variables vars) string {
		r, err := http.NewRequestWithContext(at.t.Context(), http.MethodPost, at.url+"/graphql",
			strings.NewReader(string(raw(at.t, vars{"query": document, "variables": variables}))))
		if err != nil {
			at.t.Fatal(err)
		}
		r.Header = m.header(at)
		a, err := finish(http.DefaultClient.Do(r))
		if err != nil {
			at.t.Fatal(err)
		}
		return codeOf(at.t, a.body)
	}
	read := ask(readsAccount, nil)
	if read == "UNAUTHENTICATED" || read == "FORBIDDEN" {
		return "signed out"
	}
	return may(read, ask(runsSpare, vars{"g": []string{m.spare}}))
}
