package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/gorilla/websocket"
)

// socket is a WebSocket between gqlgen's transport and a client. It keeps the protocol where the transport is lenient:
// it closes with the protocol's codes, refuses names of operations that are in use and bounds how many run at once.
//
// To the transport operations have names of the socket's own, each used once. A client may use a name again as soon as
// it has completed the operation, when the transport may not have let go of it yet.
type socket struct {
	*websocket.Conn
	limits  Limits
	timing  Timing
	closing context.Context // ends when the server closes

	begun bool // whether connection_init was received; of the reading goroutine only

	mu      sync.Mutex
	started int               // operations so far
	own     map[string]string // the own names of the operations that run, by the client's
	clients map[string]string // the client's names of the same, by ours
	closed  bool
}

// message is the part of a message that the socket looks at.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// NextReader is the next message that the transport is to see.
func (c *socket) NextReader() (int, io.Reader, error) {
	for {
		kind, r, err := c.Conn.NextReader()
		if err != nil {
			return 0, nil, closeError(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return 0, nil, closeError(err)
		}
		if c.isClosed() {
			return 0, nil, transport.ErrWebsocketClosed
		}
		var m message
		if kind != websocket.TextMessage || json.Unmarshal(text, &m) != nil {
			return 0, nil, c.end(closeBadRequest, "Invalid message received")
		}
		pass, err := c.inspect(&m)
		if err != nil {
			return 0, nil, err
		}
		if !pass {
			continue
		}
		if text, err = json.Marshal(m); err != nil {
			return 0, nil, err
		}
		return kind, bytes.NewReader(text), nil
	}
}

// closeError tells the transport of an end in good order, which is no fault.
func closeError(err error) error {
	if websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway, websocket.CloseNoStatusReceived) {
		return transport.ErrWebsocketClosed
	}
	return err
}

// inspect checks a client's message and tells whether the transport is to see it. A message that breaks the protocol
// closes the connection.
func (c *socket) inspect(m *message) (pass bool, err error) {
	switch m.Type {
	case "connection_init":
		if c.begun {
			return false, c.end(closeTooManyInits, "Too many initialisation requests")
		}
		c.begun = true
		return true, nil
	case "ping", "pong":
		if c.begun {
			return true, nil
		}
		if m.Type == "ping" { // the transport would take it for the init
			return false, c.WriteJSON(message{Type: "pong", Payload: m.Payload})
		}
		return false, nil
	case "subscribe":
		return c.begin(m)
	case "complete":
		return c.complete(m), nil
	}
	return false, c.end(closeBadRequest, "Invalid message received")
}

// maxNameLength bounds the names that clients give to operations.
const maxNameLength = 128

// begin notes an operation that a client starts, and gives it a name of our own.
func (c *socket) begin(m *message) (pass bool, err error) {
	if !c.begun {
		return false, c.end(closeUnauthorized, "Unauthorized")
	}
	if m.ID == "" || len(m.ID) > maxNameLength || len(m.Payload) == 0 || m.Payload[0] != '{' {
		return false, c.end(closeBadRequest, "Invalid message received")
	}
	c.mu.Lock()
	_, taken := c.own[m.ID]
	full := len(c.own) >= c.limits.StreamsPerSocket
	c.started++
	own := strconv.Itoa(c.started)
	if !taken {
		c.own[m.ID], c.clients[own] = own, m.ID
	}
	c.mu.Unlock()
	m.ID = own
	switch {
	case taken:
		return false, c.end(closeSubscriberName, "Subscriber already exists")
	case full:
		return false, c.refuse(own)
	}
	return true, nil
}

// refuse answers an operation that is one too many.
func (c *socket) refuse(own string) error {
	payload, err := json.Marshal([]any{coded(codeTooMany,
		"The connection already has %d active operations: end one first.", c.limits.StreamsPerSocket)})
	if err != nil {
		return err
	}
	return c.WriteJSON(message{ID: own, Type: "error", Payload: payload})
}

// complete notes that a client is done with an operation. What the transport still has to say about it is dropped.
func (c *socket) complete(m *message) (pass bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, known := c.own[m.ID]
	c.forget(own)
	m.ID = own
	return known
}

func (c *socket) forget(own string) {
	delete(c.own, c.clients[own])
	delete(c.clients, own)
}

// WriteJSON sends a message, within a time that does not let a client hold the server up. A connection that cannot take
// it is closed, which the transport notices by reading.
func (c *socket) WriteJSON(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.closing.Err() != nil { // operations that are cut off must not look completed
		return websocket.ErrCloseSent
	}
	if m.ID != "" {
		name, known := c.clients[m.ID]
		if !known { // the client has completed it or was told of its error
			return nil
		}
		if m.Type == "complete" || m.Type == "error" {
			c.forget(m.ID)
		}
		m.ID = name
		if data, err = json.Marshal(m); err != nil {
			return err
		}
	}
	if err := errors.Join(c.SetWriteDeadline(time.Now().Add(c.timing.Write)), c.WriteMessage(websocket.TextMessage, data)); err != nil {
		return errors.Join(err, c.shut())
	}
	return nil
}

// WriteClose ends the connection with the protocol's code for the transport's reason.
func (c *socket) WriteClose(code int, reason string) error {
	switch {
	case reason == "connection initialisation timeout":
		code, reason = closeInitTimeout, "Connection initialisation timeout"
	case code == websocket.CloseProtocolError:
		code, reason = closeBadRequest, "Invalid message received"
	case code == websocket.CloseNormalClosure && c.closing.Err() != nil:
		code, reason = websocket.CloseGoingAway, "The server is closing"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	return c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(c.timing.Write))
}

// end closes the connection for a reason of the protocol. The client has a while to close its side. What end returns
// makes the transport stop reading.
func (c *socket) end(code int, reason string) error {
	if err := c.WriteClose(code, reason); err != nil {
		_ = c.Conn.Close() // nobody is left to tell
	}
	_ = c.SetReadDeadline(time.Now().Add(c.timing.Write)) // fails on a closed connection, which needs none
	return transport.ErrWebsocketClosed
}

// finish closes what the transport left open: it gives a connection up without a word when the payload of its
// connection_init is no object.
func (c *socket) finish() {
	if c.Conn == nil {
		return // it never became a WebSocket
	}
	_ = c.WriteClose(closeBadRequest, "Invalid message received") // does nothing when it is closed already
	_ = c.Conn.Close()
}

func (c *socket) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

func (c *socket) shut() error {
	c.closed = true
	return c.Conn.Close()
}
