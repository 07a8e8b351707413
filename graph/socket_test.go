package graph_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"afterimage/graph"
)

// standing is a subscription in which nothing happens.
const standing = "subscription { events(after: 0) { number } }"

func greeting(payload string) wire {
	return wire{Type: "connection_init", Payload: json.RawMessage(payload)}
}

func TestQueriesOverAWebSocket(t *testing.T) {
	c := newSite(t).connect()
	c.subscribe("1", "query ($x: Boolean!) { __typename @include(if: $x) }", vars{"x": true})
	m := c.next()
	if a := c.payload(m); m.ID != "1" || a.text(t, "__typename") != "Query" {
		t.Errorf("got %s %s", m.ID, m.Payload)
	}
	if m := c.next(); m.Type != "complete" || m.ID != "1" {
		t.Errorf("got %+v, want complete", m)
	}
	c.subscribe("1", "{ __typename }", nil) // a name is free again after its operation
	c.payload(c.next())
}

func TestAnErrorEndsItsOperationOnly(t *testing.T) {
	c := newSite(t).connect()
	c.subscribe("wrong", "{ nothing }", nil)
	if m := c.next(); m.Type != "error" || m.ID != "wrong" || !strings.Contains(string(m.Payload), "GRAPHQL_VALIDATION_FAILED") {
		t.Errorf("got %s %s", m.Type, m.Payload)
	}
	c.subscribe("fault", "subscription { events { number } }", nil)
	if a := c.payload(c.next()); a.code() != "INTERNAL" {
		t.Errorf("got %s", a.body)
	}
	if m := c.next(); m.Type != "complete" || m.ID != "fault" {
		t.Errorf("got %+v, want complete", m)
	}
	c.pings("still here")
}

// pings makes sure that nothing but a pong is on its way.
func (c *client) pings(text string) {
	c.t.Helper()
	payload := fmt.Sprintf(`{"text":%q}`, text)
	c.send(wire{Type: "ping", Payload: json.RawMessage(payload)})
	if m := c.next(); m.Type != "pong" || string(m.Payload) != payload {
		c.t.Errorf("got %s %s, want the pong", m.Type, m.Payload)
	}
}

func TestANameIsFreeOnceItsOperationIsCompleted(t *testing.T) {
	c := newSite(t).connect()
	for range 50 {
		c.subscribe("s", standing, nil)
		c.send(wire{ID: "s", Type: "complete"})
	}
	c.pings("nothing but this is said")
	c.send(wire{ID: "s", Type: "complete"}) // once more does no harm
	c.send(wire{ID: "unknown", Type: "complete"})
	c.subscribe("s", "{ __typename }", nil)
	if m := c.next(); m.ID != "s" || m.Type != "next" {
		t.Errorf("got %+v", m)
	}
}

func TestTheProtocolIsKept(t *testing.T) {
	token := `{"Authorization":"Bearer ` + goodToken + `"}`
	subscribe := wire{ID: "1", Type: "subscribe", Payload: json.RawMessage(`{"query":"` + standing + `"}`)}
	for name, c := range map[string]struct {
		send []any
		code int
	}{
		"bad token":              {[]any{greeting(`{"Authorization":"Bearer x"}`)}, 4403},
		"other scheme":           {[]any{greeting(`{"Authorization":"Basic ` + goodToken + `"}`)}, 4403},
		"no token":               {[]any{greeting(`{}`)}, 4403},
		"no payload":             {[]any{wire{Type: "connection_init"}}, 4403},
		"payload is no object":   {[]any{greeting(`5`)}, 4400},
		"subscribe before init":  {[]any{subscribe}, 4401},
		"second init":            {[]any{greeting(token), greeting(token)}, 4429},
		"name taken":             {[]any{greeting(token), subscribe, subscribe}, 4409},
		"no name":                {[]any{greeting(token), wire{Type: "subscribe", Payload: json.RawMessage(`{}`)}}, 4400},
		"no operation":           {[]any{greeting(token), wire{ID: "1", Type: "subscribe"}}, 4400},
		"operation is no object": {[]any{greeting(token), wire{ID: "1", Type: "subscribe", Payload: json.RawMessage(`[]`)}}, 4400},
		"unknown type":           {[]any{greeting(token), wire{Type: "start"}}, 4400},
		"server's type":          {[]any{greeting(token), wire{ID: "1", Type: "next"}}, 4400},
		"no JSON":                {[]any{"{"}, 4400},
		"no JSON after init":     {[]any{greeting(token), "hello"}, 4400},
		"a list":                 {[]any{greeting(token), "[]"}, 4400},
		"bytes":                  {[]any{greeting(token), []byte(`{"type":"ping"}`)}, 4400},
		"5 MB":                   {[]any{greeting(token), `{"type":"ping","payload":"` + strings.Repeat("x", 5<<20) + `"}`}, 1009},
		"5 MB before init":       {[]any{`{"type":"connection_init","payload":"` + strings.Repeat("x", 5<<20) + `"}`}, 1009},
		"a name of a million": {[]any{greeting(token), wire{ID: strings.Repeat("x", 100_000), Type: "subscribe",
			Payload: json.RawMessage(`{}`)}}, 4400},
		"init after a bad manner": {[]any{wire{Type: "ping"}, greeting(`{"token":"x"}`)}, 4403},
	} {
		t.Run(name, func(t *testing.T) {
			ws, _, err := newSite(t).dial(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range c.send {
				ws.sendAny(m)
			}
			if code := ws.closed(); code != c.code {
				t.Errorf("closed with %d, want %d", code, c.code)
			}
		})
	}
}

// sendAny sends a message, or a text or bytes as they are. The server may have closed already.
func (c *client) sendAny(m any) {
	switch m := m.(type) {
	case string:
		_ = c.conn.WriteMessage(websocket.TextMessage, []byte(m))
	case []byte:
		_ = c.conn.WriteMessage(websocket.BinaryMessage, m)
	default:
		_ = c.conn.WriteJSON(m)
	}
}

func TestTheTokenMayComeInSeveralWays(t *testing.T) {
	s := newSite(t)
	for name, c := range map[string]struct {
		header  http.Header
		payload string
	}{
		"Authorization in the greeting": {nil, `{"Authorization":"Bearer ` + goodToken + `"}`},
		"in lower case":                 {nil, `{"authorization":"bearer ` + goodToken + `"}`},
		"token in the greeting":         {nil, `{"token":"` + goodToken + `"}`},
		"header":                        {http.Header{"Authorization": {"Bearer " + goodToken}}, `{}`},
		"header, with an origin": {http.Header{"Authorization": {"Bearer " + goodToken},
			"Origin": {"https://app.example.com"}}, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			ws, response, err := s.dial(c.header)
			if err != nil {
				t.Fatal(err)
			}
			if response.Header.Get("X-Request-Id") == "" {
				t.Error("the handshake has no request id")
			}
			ws.send(wire{Type: "ping"}) // allowed before the greeting
			if m := ws.next(); m.Type != "pong" {
				t.Errorf("got %+v", m)
			}
			ws.send(greeting(c.payload))
			if m := ws.next(); m.Type != "connection_ack" {
				t.Errorf("got %+v", m)
			}
		})
	}
}

func TestHandshakesThatAreRefused(t *testing.T) {
	s := newSite(t)
	b := newBrowser(s)
	b.signIn()
	var cookie string
	for _, c := range b.http.Jar.Cookies(s.request("").URL) {
		cookie = c.String()
	}
	for name, c := range map[string]struct {
		header http.Header
		status int
	}{
		"another origin":                {http.Header{"Origin": {"https://evil.example.com"}}, http.StatusForbidden},
		"another origin, with token":    {http.Header{"Origin": {"null"}, "Authorization": {"Bearer " + goodToken}}, http.StatusForbidden},
		"bad token":                     {http.Header{"Authorization": {"Bearer x"}}, http.StatusUnauthorized},
		"session without an origin":     {http.Header{"Cookie": {cookie}}, http.StatusForbidden},
		"session with another origin":   {http.Header{"Cookie": {cookie}, "Origin": {"https://evil.example.com"}}, http.StatusForbidden},
		"session with the right origin": {http.Header{"Cookie": {cookie}, "Origin": {s.url}}, http.StatusSwitchingProtocols},
	} {
		t.Run(name, func(t *testing.T) {
			_, response, err := s.dial(c.header)
			if response == nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != c.status {
				t.Errorf("status %d, want %d", response.StatusCode, c.status)
			}
		})
	}
	for _, offered := range [][]string{nil, {"graphql-ws"}} {
		dialer := websocket.Dialer{Subprotocols: offered}
		_, response, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"/graphql", nil)
		if err == nil || response == nil || response.StatusCode != http.StatusBadRequest {
			t.Errorf("subprotocols %v: %v", offered, response)
		}
	}
}

func TestADatabaseThatIsAwayRefusesNoToken(t *testing.T) {
	s := newSite(t)
	s.keeper.leave()
	c, _, err := s.dial(nil)
	if err != nil {
		t.Fatal(err)
	}
	c.send(greeting(`{"token":"` + goodToken + `"}`))
	if code := c.closed(); code != websocket.CloseTryAgainLater {
		t.Errorf("closed with %d, want 1013", code)
	}
}

func TestAPanicEndsItsOperationOnly(t *testing.T) {
	s := newSite(t)
	c := s.connect()
	c.subscribe("1", `mutation { createGroup(input: {name: "x"}) { group { id } } }`, nil)
	if a := c.payload(c.next()); a.code() != "INTERNAL" || strings.Contains(a.body, "doorkeeper") {
		t.Errorf("got %s", a.body)
	}
	if m := c.next(); m.Type != "complete" {
		t.Errorf("got %+v", m)
	}
	c.pings("still here")
	if !strings.Contains(s.log.String(), "the doorkeeper has no transactions") {
		t.Errorf("the log does not tell the cause: %s", s.log)
	}
}

func TestAClientMustGreetInTime(t *testing.T) {
	c, _, err := newSite(t, func(c *graph.Config) { c.Timing.Init = 50 * time.Millisecond }).dial(nil)
	if err != nil {
		t.Fatal(err)
	}
	if code := c.closed(); code != 4408 {
		t.Errorf("closed with %d, want 4408", code)
	}
}

func TestAClientThatDoesNotAnswerPingsIsLeft(t *testing.T) {
	c := newSite(t, func(c *graph.Config) { c.Timing.Ping = 50 * time.Millisecond }).connect()
	pings := 0
	for {
		var m wire
		if err := c.conn.ReadJSON(&m); err != nil {
			break // the deadline of the connection would take much longer
		}
		if m.Type == "ping" {
			pings++
		}
	}
	if pings == 0 || pings > 5 {
		t.Errorf("%d pings", pings)
	}
}

func TestAClientThatAnswersPingsStays(t *testing.T) {
	c := newSite(t, func(c *graph.Config) { c.Timing.Ping = time.Second }).connect()
	for range 3 {
		var m wire
		if err := c.conn.ReadJSON(&m); err != nil || m.Type != "ping" {
			t.Fatalf("got %+v, %v", m, err)
		}
		c.send(wire{Type: "pong"})
	}
	c.pings("still here")
}

func TestOneSocketCarriesSoManyOperations(t *testing.T) {
	c := newSite(t, func(c *graph.Config) { c.Limits.StreamsPerSocket = 3 }).connect()
	for i := range 3 {
		c.subscribe(fmt.Sprint(i), standing, nil)
	}
	c.subscribe("more", standing, nil)
	if m := c.next(); m.Type != "error" || m.ID != "more" || !strings.Contains(string(m.Payload), "TOO_MANY_STREAMS") {
		t.Errorf("got %+v %s", m, m.Payload)
	}
	c.pings("the others stay")
}

func TestOneAccountFollowsSoManyStreams(t *testing.T) {
	s := newSite(t, func(c *graph.Config) { c.Limits.StreamsPerAccount = 2 })
	first, second := s.connect(), s.connect()
	first.subscribe("1", standing, nil)
	first.pings("one")
	second.subscribe("1", standing, nil)
	second.pings("two")
	second.subscribe("2", standing, nil)
	if a := second.payload(second.next()); a.code() != "TOO_MANY_STREAMS" {
		t.Errorf("got %s", a.body)
	}
	if m := second.next(); m.Type != "complete" {
		t.Errorf("got %+v", m)
	}
}

func TestARevokedTokenEndsItsStreams(t *testing.T) {
	s := newSite(t, func(c *graph.Config) { c.Timing.Recheck = 10 * time.Millisecond })
	c := s.connect()
	c.subscribe("1", standing, nil)
	c.pings("open")
	events := s.listen(standing)
	s.keeper.revoke()
	if code := c.closed(); code != 4403 {
		t.Errorf("closed with %d, want 4403", code)
	}
	events.end(t)
}

// stream is an answer by server-sent events.
type stream struct {
	response *http.Response
	lines    *bufio.Scanner
}

// listen starts an operation by server-sent events.
func (s *site) listen(query string) *stream {
	s.t.Helper()
	r := s.request(encode(s.t, query, nil))
	r.Header.Set("Accept", "text/event-stream")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { response.Body.Close() })
	if response.Header.Get("Content-Type") != "text/event-stream" {
		s.t.Fatalf("content type %q", response.Header.Get("Content-Type"))
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	return &stream{response, lines}
}

// next is the next event and its data.
func (s *stream) next(t testing.TB) (event, data string) {
	t.Helper()
	for s.lines.Scan() {
		line := s.lines.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = name
		}
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			data = text
		}
		if line == "" && event != "" {
			return event, data
		}
	}
	return "", ""
}

// end reads to the end of the stream.
func (s *stream) end(t testing.TB) {
	t.Helper()
	for {
		if event, _ := s.next(t); event == "" {
			return
		}
	}
}

func TestServerSentEventsCarryQueriesToo(t *testing.T) {
	s := newSite(t)
	events := s.listen(whoami)
	if event, data := events.next(t); event != "next" || !strings.Contains(data, `"Query"`) {
		t.Errorf("got %s %s", event, data)
	}
	if event, _ := events.next(t); event != "complete" {
		t.Errorf("got %s, want complete", event)
	}
}

func TestAStreamIsKeptAliveByPings(t *testing.T) {
	s := newSite(t, func(c *graph.Config) { c.Timing.Ping = 10 * time.Millisecond })
	events := s.listen(standing)
	for pings := 0; pings < 3; {
		if !events.lines.Scan() {
			t.Fatal("the stream ended")
		}
		if strings.HasPrefix(events.lines.Text(), ": ping") {
			pings++
		}
	}
}

func TestClosingTheServerEndsItsStreams(t *testing.T) {
	s := newSite(t)
	greeted, silent := s.connect(), func() *client { c, _, _ := s.dial(nil); return c }()
	greeted.subscribe("1", standing, nil)
	greeted.pings("open")
	events := s.listen(standing)
	silentCode := make(chan int, 1)
	go func() { silentCode <- silent.closed() }() // answers the close, so that the server need not wait for it
	s.graph.Close()
	var cut wire
	if err := greeted.conn.ReadJSON(&cut); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("got %+v, %v, want to be closed with 1001 at once", cut, err)
	}
	if code := <-silentCode; code != websocket.CloseGoingAway {
		t.Errorf("without a greeting: closed with %d, want 1001", code)
	}
	if event, data := events.next(t); event != "" {
		t.Errorf("a stream that is cut off ends with %s %s", event, data)
	}
	if _, response, err := s.dial(nil); err == nil || response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a new socket: %v", err)
	}
}
