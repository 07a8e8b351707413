package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// tenant is a subaccount whose rights are about to change, as two processes on the same database see it.
type tenant struct {
	owner     *service
	id, token string // of the subaccount and its token
	tokenID   string
	near, far *service // with its token
	group     string
	spare     string // another group of the same page
	shown     comparison
	page      string // address of the public page
	pictures  []string

	sockets map[*service]*socket
	streams map[*service]*bufio.Scanner
	cookies map[*service]string
}

// losses are the columns of the table in docs/access.md: what is done to a tenant.
var losses = map[string]func(v *tenant){
	"Token revoked": func(v *tenant) {
		query[any](v.owner, `mutation ($id: ID!, $sub: ID!) { revokeToken(id: $id, subaccountId: $sub) { token { id } } }`,
			vars{"id": v.tokenID, "sub": v.id})
	},
	"Token expired": func(v *tenant) {
		query[any](v.owner, `mutation ($id: ID!, $in: UpdateTokenInput!) { updateToken(id: $id, input: $in) { token { id } } }`,
			vars{"id": v.tokenID, "in": vars{"subaccountId": v.id,
				"expiresAt": time.Now().Add(5 * time.Second).UTC().Format(time.RFC3339Nano)}})
		waitFor(v.owner.t, "the end of the token",
			func() bool { return v.near.status("/api/v2/account") == http.StatusUnauthorized })
	},
	"Account paused":    func(v *tenant) { v.operate("pause") },
	"Account cancelled": func(v *tenant) { v.operate("cancel") },
	"Subaccount deleted": func(v *tenant) {
		for _, group := range []string{v.group, v.spare} {
			v.near.must200(http.MethodDelete, "/groups/"+group, nil)
		}
		for _, u := range must[page[struct{ ID string }]](v.near, http.MethodGet, "/urls", nil).Data {
			v.near.must200(http.MethodDelete, "/urls/"+u.ID, nil)
		}
		v.owner.must200(http.MethodDelete, "/subaccounts/"+v.id, nil)
	},
	"Group or URL deleted": func(v *tenant) { v.near.must200(http.MethodDelete, "/groups/"+v.group, nil) },
	"Public link renewed": func(v *tenant) {
		query[any](v.near, `mutation ($id: ID!) { renewPublicLink(id: $id) { comparison { id } } }`, vars{"id": v.shown.ID})
	},
}

// uses are its rows: what a tenant then tries, at one of the processes.
var uses = map[string]func(v *tenant, at *service) string{
	"Open WebSocket":         (*tenant).useSocket,
	"Open event stream":      (*tenant).useStream,
	"Session cookie":         (*tenant).useCookie,
	"Request with the token": (*tenant).useToken,
	"Link of a picture": func(v *tenant, at *service) string {
		return at.opens(v.shown.Screenshot1Link, v.shown.Screenshot2Link, v.shown.Link)
	},
	"Public page":              func(v *tenant, at *service) string { return at.opens(v.page) },
	"Picture on a public page": func(v *tenant, at *service) string { return at.opens(v.pictures...) },
}

type vars = map[string]any

// socketsFirst are the names of uses, those of open connections first: nobody answers their pings meanwhile.
func socketsFirst[U any](uses map[string]U) []string {
	open, others := []string{}, []string{}
	for use := range uses {
		if strings.HasPrefix(use, "Open") {
			open = append(open, use)
		} else {
			others = append(others, use)
		}
	}
	return append(open, others...)
}

// TestWhoLostTheRight holds two processes on one database against the table of docs/access.md.
func TestWhoLostTheRight(t *testing.T) {
	t.Parallel()
	release := &site{}
	host := pages(t, release)
	s := lodge(t)
	far := s.second()

	table := accessTable(t, "", len(losses))
	tenants := map[string]*tenant{}
	for name := range losses {
		tenants[name] = s.tenant(far, len(tenants), "http://"+host+"/colour")
	}
	for _, v := range tenants {
		v.near.await(v.near.take(v.group, "pre"))
	}
	release.after.Store(true)
	for _, v := range tenants {
		v.compare()
	}
	for name, lose := range losses {
		v := tenants[name]
		v.connect() // only now: nobody answers the pings of a connection that waits for its turn
		lose(v)
		for _, use := range socketsFirst(uses) {
			try := uses[use]
			want, known := table[use][name]
			if !known {
				t.Errorf("the table says nothing of %q after %q", use, name)
			}
			for at, where := range map[string]*service{"this": v.near, "the other": v.far} {
				if got := try(v, where); got != want {
					t.Errorf("%s, %s, at %s process: %q, want %q", use, name, at, got, want)
				}
			}
		}
	}
	if len(table) != len(uses) {
		t.Errorf("the table has %d rows, the test %d", len(table), len(uses))
	}
}

// second starts another process on the service's data, without workers.
func (s *service) second() *service {
	s.t.Helper()
	far := *s
	far.open("second server", nil, "--no-work")
	return &far
}

// accessTable reads one table of the documentation, by the head of its first column: what is said by row and column.
func accessTable(t *testing.T, head string, wide int) map[string]map[string]string {
	t.Helper()
	table := map[string]map[string]string{}
	var columns []string
	for line := range strings.Lines(read(t, "../docs/access.md")) {
		if strings.HasPrefix(line, "|---") {
			continue
		}
		if !strings.HasPrefix(line, "|") {
			if columns != nil {
				break
			}
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if columns == nil {
			if cells[0] == head {
				columns = cells
			}
			continue
		}
		table[cells[0]] = map[string]string{}
		for i, cell := range cells[1:] {
			table[cells[0]][columns[i+1]] = cell
		}
	}
	if len(columns) != wide+1 {
		t.Fatalf("the columns are %q", columns)
	}
	return table
}

// tenant opens a subaccount with two groups of one page.
func (s *service) tenant(far *service, n int, url string) *tenant {
	s.t.Helper()
	near := s.subaccount(n)
	away := *far
	away.token = near.token
	v := &tenant{owner: s, token: near.token, near: near, far: &away, sockets: map[*service]*socket{},
		streams: map[*service]*bufio.Scanner{}, cookies: map[*service]string{}}
	who := query[struct {
		Viewer  struct{ TokenID string }
		Account struct{ ID string }
	}](near, "{ viewer { tokenId } account { id } }", nil)
	v.tokenID, v.id = who.Viewer.TokenID, who.Account.ID
	v.group, v.spare = near.desktop(url), near.desktop(url)
	return v
}

// compare captures the page's second release and remembers the links to what is shown of it.
func (v *tenant) compare() {
	v.owner.t.Helper()
	batch := v.near.take(v.group, "post")
	v.near.await(batch)
	found := must[page[struct {
		comparison
		PublicLink string `json:"public_link"`
	}]](v.near, http.MethodGet, "/comparisons?batches="+batch, nil).Data
	if len(found) != 1 {
		v.owner.t.Fatalf("%d comparisons", len(found))
	}
	v.shown, v.page = found[0].comparison, found[0].PublicLink
	_, body := get(v.owner.t, http.DefaultClient, v.page, nil)
	for _, match := range regexp.MustCompile(`src="(/images/[^"]+)"`).FindAllStringSubmatch(body, -1) {
		v.pictures = append(v.pictures, match[1])
	}
	if len(v.pictures) < 3 {
		v.owner.t.Fatalf("the public page shows %q", v.pictures)
	}
}

// connect opens what stays open, at both processes.
func (v *tenant) connect() {
	v.owner.t.Helper()
	for _, at := range []*service{v.near, v.far} {
		k := at.subscribe("subscription { events { number } }", nil)
		v.sockets[at] = k
		v.streams[at] = at.stream("subscription { events { number } }")
		v.cookies[at] = at.signIn(v.token)
		if got := v.useSocket(at); got != "works" {
			v.owner.t.Fatalf("before anything has changed the socket %s", got)
		}
	}
}

// operate runs one of the operator's commands on the subaccount, as a process of its own.
func (v *tenant) operate(command string) {
	v.owner.t.Helper()
	email := must[data[struct{ Email string }]](v.near, http.MethodGet, "/account", nil).Data.Email
	v.owner.operator("account", command, email)
}

const (
	readsAccount = "{ account { id } }"
	runsSpare    = `mutation ($g: [ID!]!) { takeScreenshots(input: {groupIds: $g, scType: PRE}) { batchId } }`
)

// may tells what the codes of a read and of a run mean.
func may(read, run string) string {
	switch {
	case read == "" && run == "":
		return "works"
	case read == "" && run == "CONFLICT":
		return "reads, runs nothing"
	case read == "" && run == "FORBIDDEN":
		return "reads only"
	}
	return fmt.Sprintf("reads %q, runs %q", read, run)
}

func (v *tenant) useSocket(at *service) string {
	k := v.sockets[at]
	// What is asked within the half second for which an answer about the token serves may still be answered:
	// TestNoOperationOutlivesItsTokenByASecond has the bound. Here the end counts.
	lost := v.near.status("/api/v2/account") != http.StatusOK
	read, closed := k.ask("read", readsAccount, nil)
	for lost && closed == 0 {
		read, closed = k.ask("read", readsAccount, nil)
	}
	if closed != 0 {
		return fmt.Sprintf("closed with %d", closed)
	}
	run, _ := k.ask("run", runsSpare, vars{"g": []string{v.spare}})
	return may(read, run)
}

// ask runs an operation beside the socket's subscription and returns the code of its error, or that of the connection's end.
func (k *socket) ask(id, document string, variables vars) (code string, closed int) {
	k.t.Helper()
	// reading tells
	_ = k.conn.WriteJSON(frame{ID: id, Type: "subscribe", Payload: raw(k.t, vars{"query": document, "variables": variables})})
	_ = k.conn.SetReadDeadline(time.Now().Add(patience))
	for {
		var f frame
		err := k.conn.ReadJSON(&f)
		var end *websocket.CloseError
		switch {
		case errors.As(err, &end):
			return "", end.Code
		case err != nil:
			k.t.Fatalf("read from the socket: %v", err)
		case f.Type == "ping":
			_ = k.conn.WriteJSON(frame{Type: "pong"}) // a connection that was closed meanwhile still has something to say
		case f.ID == id && f.Type == "next":
			code = codeOf(k.t, f.Payload)
		case f.ID == id && f.Type == "complete":
			return code, 0
		}
	}
}

func codeOf(t *testing.T, body json.RawMessage) string {
	t.Helper()
	a := decode[struct {
		Errors []struct{ Extensions struct{ Code string } }
	}](t, body)
	if len(a.Errors) == 0 {
		return ""
	}
	return a.Errors[0].Extensions.Code
}

// stream follows by server-sent events.
func (s *service) stream(document string) *bufio.Scanner {
	s.t.Helper()
	return s.streamBy(http.Header{"Authorization": {"Bearer " + s.token}, "Content-Type": {"application/json"}}, document)
}

// streamBy is stream for somebody who sends other headers.
func (s *service) streamBy(header http.Header, document string) *bufio.Scanner {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/graphql",
		strings.NewReader(string(raw(s.t, vars{"query": document}))))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header = header
	r.Header.Set("Accept", "text/event-stream")
	response, err := http.DefaultClient.Do(r)
	if err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatalf("follow: %v, %v", response, err)
	}
	s.t.Cleanup(func() { _ = response.Body.Close() })
	return bufio.NewScanner(response.Body)
}

// useStream waits for the end of the stream, or for an event that comes after what has changed.
func (v *tenant) useStream(at *service) string {
	last := -1
	if v.near.status("/api/v2/account") == http.StatusOK {
		last = v.near.lastEvent()
		v.near.must200(http.MethodPut, "/account", vars{"company": fmt.Sprint("company ", last)})
	}
	return follows(at.t, v.streams[at], last)
}

// follows waits for the end of a stream, or for an event that comes after a number.
func follows(t *testing.T, lines *bufio.Scanner, last int) string {
	t.Helper()
	for lines.Scan() {
		text, isData := strings.CutPrefix(lines.Text(), "data: ")
		if !isData || !strings.HasPrefix(text, "{") {
			continue
		}
		event := decode[struct {
			Data struct{ Events struct{ Number int } }
		}](t, []byte(text))
		if last >= 0 && event.Data.Events.Number > last {
			return "continues"
		}
	}
	return "ends"
}

// useCookie tries a page for signed-in users, and the interface as that page does.
func (v *tenant) useCookie(at *service) string {
	t := at.t
	header := http.Header{"Cookie": {"afterimage_session=" + v.cookies[at]}, "X-Afterimage-Client": {"test"},
		"Content-Type": {"application/json"}}
	landed, _ := get(t, http.DefaultClient, at.url+"/graphiql/", header)
	ask := func(document string, variables vars) string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at.url+"/graphql",
			strings.NewReader(string(raw(t, vars{"query": document, "variables": variables}))))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header.Clone()
		a, err := finish(http.DefaultClient.Do(r))
		if err != nil {
			t.Fatal(err)
		}
		return codeOf(t, a.body)
	}
	read := ask(readsAccount, nil)
	if landed.Request.URL.Path == "/signin/" && (read == "UNAUTHENTICATED" || read == "FORBIDDEN") {
		return "signed out"
	}
	return may(read, ask(runsSpare, vars{"g": []string{v.spare}}))
}

func (v *tenant) useToken(at *service) string {
	for _, path := range []string{"/api/v2/account", "/graphql?query=%7B__typename%7D"} {
		if status := at.status(path); status != http.StatusOK {
			return fmt.Sprint(status)
		}
	}
	a, err := at.raw(http.MethodPost, "/graphql", vars{"query": runsSpare, "variables": vars{"g": []string{v.spare}}})
	if err != nil {
		at.t.Fatal(err)
	}
	return may("", codeOf(at.t, a.body))
}

// status is that of a request with the token.
func (s *service) status(path string) int {
	s.t.Helper()
	a, err := s.raw(http.MethodGet, path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return a.status
}

// opens reports whether addresses open without a token, at this process whoever they name, and that caches may not keep them for long.
func (s *service) opens(addresses ...string) string {
	s.t.Helper()
	said := map[string]bool{}
	for _, address := range addresses {
		path := address[strings.Index(address, "/images/")+1:]
		if at := strings.Index(address, "/c/"); at >= 0 {
			path = address[at+1:]
		}
		response, _ := get(s.t, http.DefaultClient, s.url+"/"+strings.TrimPrefix(path, "/"), nil)
		kept := response.Header.Get("Cache-Control")
		if strings.Contains(kept, "public") || strings.Contains(kept, "immutable") {
			s.t.Errorf("%s may be kept: %s", path, kept)
		}
		word := fmt.Sprint(response.StatusCode)
		if response.StatusCode == http.StatusOK {
			word = "opens"
		}
		said[word] = true
	}
	var words []string
	for word := range said {
		words = append(words, word)
	}
	return strings.Join(words, " and ")
}
