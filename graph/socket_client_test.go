package graph_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// patience bounds every wait of a test; it is reached only when something is broken.
const patience = 5 * time.Minute

// client speaks graphql-transport-ws.
type client struct {
	t    testing.TB
	conn *websocket.Conn
}

type wire struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// dial opens a WebSocket without greeting.
func (s *site) dial(header http.Header) (*client, *http.Response, error) {
	s.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: patience}
	conn, response, err := dialer.DialContext(s.t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"/graphql", header)
	if err != nil {
		return nil, response, err
	}
	s.t.Cleanup(func() { conn.Close() })
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		s.t.Fatal(err)
	}
	return &client{s.t, conn}, response, nil
}

// connect opens a WebSocket and greets with a token.
func (s *site) connect() *client {
	s.t.Helper()
	c, _, err := s.dial(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	c.send(wire{Type: "connection_init", Payload: json.RawMessage(`{"Authorization":"Bearer ` + s.token + `"}`)})
	if m := c.next(); m.Type != "connection_ack" {
		s.t.Fatalf("got %+v, want connection_ack", m)
	}
	return c
}

func (c *client) send(m wire) {
	c.t.Helper()
	if err := c.conn.WriteJSON(m); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) subscribe(id, query string, variables vars) {
	c.t.Helper()
	c.send(wire{ID: id, Type: "subscribe", Payload: json.RawMessage(encode(c.t, query, variables))})
}

// next is the next message but pings, which it answers.
func (c *client) next() wire {
	c.t.Helper()
	for {
		var m wire
		if err := c.conn.ReadJSON(&m); err != nil {
			c.t.Fatalf("reading: %v", err)
		}
		if m.Type != "ping" {
			return m
		}
		c.send(wire{Type: "pong"})
	}
}

// closed waits for the server to close and returns the code.
func (c *client) closed() int {
	c.t.Helper()
	for {
		var m wire
		err := c.conn.ReadJSON(&m)
		var closing *websocket.CloseError
		switch {
		case errors.As(err, &closing):
			return closing.Code
		case err != nil:
			c.t.Fatalf("waiting for the end: %v", err)
		}
	}
}

// payload reads a "next" message as the answer of an operation.
func (c *client) payload(m wire) *answer {
	c.t.Helper()
	a := &answer{body: string(m.Payload)}
	if m.Type != "next" {
		c.t.Fatalf("got %s %s, want next", m.Type, m.Payload)
	}
	if err := json.Unmarshal(m.Payload, a); err != nil {
		c.t.Fatal(err)
	}
	return a
}
