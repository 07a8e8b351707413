package graph_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/graph"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
)

const goodToken = "goodgoodgoodgoodgoodgoodgoodgoodgoodgood"

func (s *site) service() *app.Service { return s.config.Service }

// doorkeeper is a store that knows tokens and nothing else. It is enough for everything that happens before resolvers.
type doorkeeper struct {
	vcdtest.NoStore
	mu      sync.Mutex
	revoked bool
	away    bool
	stuck   bool
	expires *time.Time    // when the token does
	asked   int           // how often it was asked for
	heard   chan struct{} // receives when it is asked for, unless nil
}

var errNothing = errors.New("the doorkeeper keeps nothing")

func (d *doorkeeper) AccountByToken(context.Context, []byte, time.Time) (*vcd.Bearer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	if d.heard != nil {
		d.heard <- struct{}{}
	}
	switch {
	case d.away:
		return nil, vcd.Unavailable(errors.New("the database is down"))
	case d.revoked:
		return nil, vcd.Unauthenticated()
	}
	account := &vcd.Account{ID: "0190a1b2-0000-7000-8000-000000000001", Status: vcd.AccountActive, InvitationAccepted: true}
	return &vcd.Bearer{Account: account, Token: "0190a1b2-0000-7000-8000-000000000002", Scopes: vcd.Scopes(), ExpiresAt: d.expires}, nil
}

func (d *doorkeeper) revoke() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.revoked = true
}

func (d *doorkeeper) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.away = true
}

// The rooms of the doorkeeper. Others than these are not asked.
type (
	noAccounts   struct{ account.Store }
	keptAccounts struct {
		*doorkeeper
		noAccounts
		handing[account.Tx]
	}
	noInventory   struct{ inventory.Store }
	keptInventory struct {
		noInventory
		handing[inventory.Tx]
	}
	noOutbound   struct{ outbound.Store }
	keptOutbound struct {
		noOutbound
		handing[outbound.Tx]
	}
)

func (d *doorkeeper) ForAccounts() account.Store {
	return keptAccounts{doorkeeper: d, handing: handing[account.Tx]{d, accountHands{}}}
}

func (d *doorkeeper) ForInventory() inventory.Store {
	return keptInventory{handing: handing[inventory.Tx]{d, nil}}
}

func (d *doorkeeper) ForOutbound() outbound.Store {
	return keptOutbound{handing: handing[outbound.Tx]{d, outboundHands{}}}
}

// handing hands out the same transaction each time.
type handing[Tx any] struct {
	keeper *doorkeeper
	tx     Tx
}

// Read answers nothing, or never when the doorkeeper is stuck.
func (h handing[Tx]) Read(ctx context.Context, _ vcd.Actor, do func(context.Context, Tx) error) error {
	h.keeper.mu.Lock()
	stuck := h.keeper.stuck
	h.keeper.mu.Unlock()
	if stuck {
		<-ctx.Done()
		return ctx.Err()
	}
	return do(ctx, h.tx)
}

func (handing[Tx]) InTx(context.Context, vcd.Actor, func(context.Context, Tx) error) error {
	panic("the doorkeeper has no transactions")
}

// The doorkeeper's transactions: they know of no events, and the account is a fault.
type (
	accountHands  struct{ account.Tx }
	outboundHands struct{ outbound.Tx }
)

func (accountHands) Account(context.Context) (*vcd.Account, error) { return nil, errNothing }

func (outboundHands) Account(context.Context) (*vcd.Account, error) { return nil, errNothing }

func (outboundHands) EventsAfter(context.Context, int64, *vcd.ID, int) ([]*vcd.Event, error) {
	return nil, nil
}

func (outboundHands) LastEvent(context.Context) (int64, error) { return 0, errNothing }

// quiet is a feed in which nothing happens.
type quiet struct{}

func (quiet) Watch(vcd.ID) (<-chan struct{}, func()) { return make(chan struct{}), func() {} }

func (quiet) WatchAuthority(vcd.ID) (<-chan struct{}, func()) { return make(chan struct{}), func() {} }

// site is a running server.
type site struct {
	t      testing.TB
	url    string
	graph  *graph.Server
	keeper *doorkeeper // nil with a real database
	clock  *vcdtest.Clock
	token  string
	log    *syncBuffer
	config graph.Config
}

// newSite runs a server on a doorkeeper.
func newSite(t testing.TB, change ...func(*graph.Config)) *site {
	t.Helper()
	keeper := &doorkeeper{}
	c := vcdtest.NewClock()
	service := app.New(app.Config{
		Store:  keeper,
		Config: vcd.Config{Feed: quiet{}, Clock: c, IDs: vcd.RandomIDs{}, Sealer: vcdtest.OpenBox{}},
	})
	s := serve(t, service, change...)
	s.keeper, s.clock, s.token = keeper, c, goodToken
	return s
}

func serve(t testing.TB, service *app.Service, change ...func(*graph.Config)) *site {
	t.Helper()
	s := &site{t: t, log: &syncBuffer{}}
	server := httptest.NewUnstartedServer(nil)
	s.url = "http://" + server.Listener.Addr().String()
	config := graph.Config{
		Service: service, BaseURL: s.url, Origins: []string{"https://app.example.com"},
		Logger: slog.New(slog.NewTextHandler(s.log, nil)),
	}
	for _, c := range change {
		c(&config)
	}
	s.config = config
	var err error
	if s.graph, err = graph.New(config); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/graphql", s.graph)
	mux.Handle(graph.SDLPath, s.graph.SDL())
	mux.Handle("/session", s.graph.Session())
	mux.Handle(graph.UploadPrefix, s.graph.Uploads())
	mux.Handle("/graphiql/", s.graph.SignedIn(text("explorer"), text("sign in")))
	server.Config.Handler = mux
	server.Start()
	t.Cleanup(func() {
		s.graph.Close()
		server.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return s
}

func text(content string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, content) })
}

// syncBuffer is a log that several goroutines write.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// answer is a response as a client reads it.
type answer struct {
	status int
	header http.Header
	body   string
	Data   map[string]any `json:"data"`
	Errors []answerError  `json:"errors"`
}

type answerError struct {
	Message    string `json:"message"`
	Path       []any  `json:"path"`
	Extensions struct {
		Code      string `json:"code"`
		Resource  string `json:"resource"`
		ID        string `json:"id"`
		RequestID string `json:"requestId"`
		Fields    []struct{ Path, Rule, Message, Template string }
	} `json:"extensions"`
}

// code is the code of the first error.
func (a *answer) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	return a.Errors[0].Extensions.Code
}

// at walks into the data: names for objects, numbers for lists.
func (a *answer) at(t testing.TB, path ...any) any {
	t.Helper()
	var value any = a.Data
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, ok := value.(map[string]any)
			if !ok {
				t.Fatalf("no object at %v in %s", path, a.body)
			}
			value = object[step]
		case int:
			list, ok := value.([]any)
			if !ok || step >= len(list) {
				t.Fatalf("no list at %v in %s", path, a.body)
			}
			value = list[step]
		}
	}
	return value
}

func (a *answer) text(t testing.TB, path ...any) string {
	t.Helper()
	s, ok := a.at(t, path...).(string)
	if !ok {
		t.Fatalf("no text at %v in %s", path, a.body)
	}
	return s
}

// do sends a request and reads the whole answer.
func (s *site) do(r *http.Request) *answer {
	s.t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := &answer{status: response.StatusCode, header: response.Header, body: string(body)}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/") {
		if err := json.Unmarshal(body, a); err != nil {
			s.t.Fatalf("the answer is no JSON: %v: %s", err, body)
		}
	}
	return a
}

// request makes a POST request with the site's token.
func (s *site) request(body string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/graphql", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	return r
}

type vars map[string]any

func encode(t testing.TB, query string, variables vars) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// post runs an operation.
func (s *site) post(query string, variables vars) *answer {
	s.t.Helper()
	return s.do(s.request(encode(s.t, query, variables)))
}

// must runs an operation that has to succeed.
func (s *site) must(query string, variables vars) *answer {
	s.t.Helper()
	a := s.post(query, variables)
	if a.status != http.StatusOK || len(a.Errors) > 0 {
		s.t.Fatalf("status %d: %s", a.status, a.body)
	}
	return a
}
