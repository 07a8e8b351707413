package graph

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/gorilla/websocket"
)

// socket is a WebSocket between gqlgen's transport and a client. It keeps the protocol where the transport is lenient:
// it closes with the protocol's codes, refuses names of operations that are in use and bounds how many run at once.
type socket struct {
	*websocket.Conn
	limits  Limits
	timing  Timing
	closing context.Context // ends when the server closes

	begun bool // whether connection_init was received; of the reading goroutine only

	mu     sync.Mutex
	active map[string]bool // the operations by name; true once the client has completed it
	closed bool
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
		var text strings.Builder
		if _, err := io.Copy(&text, r); err != nil {
			return 0, nil, closeError(err)
		}
		if c.isClosed() {
			return 0, nil, transport.ErrWebsocketClosed
		}
		pass, err := c.inspect(kind, text.String())
		if err != nil {
			return 0, nil, err
		}
		if pass {
			return kind, strings.NewReader(text.String()), nil
		}
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
func (c *socket) inspect(kind int, text string) (pass bool, err error) {
	var m message
	if kind != websocket.TextMessage || json.Unmarshal([]byte(text), &m) != nil {
		return false, c.end(closeBadRequest, "Invalid message received")
	}
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
		return c.completed(m.ID), nil
	}
	return false, c.end(closeBadRequest, "Invalid message received")
}

// maxNameLength bounds the names that clients give to operations.
const maxNameLength = 128

// begin notes an operation that a client starts.
func (c *socket) begin(m message) (pass bool, err error) {
	if !c.begun {
		return false, c.end(closeUnauthorized, "Unauthorized")
	}
	if m.ID == "" || len(m.ID) > maxNameLength || len(m.Payload) == 0 || m.Payload[0] != '{' {
		return false, c.end(closeBadRequest, "Invalid message received")
	}
	c.mu.Lock()
	_, taken := c.active[m.ID]
	full := len(c.active) >= c.limits.StreamsPerSocket
	if !taken && !full {
		c.active[m.ID] = false
	}
	c.mu.Unlock()
	switch {
	case taken:
		return false, c.end(closeSubscriberName, "Subscriber for "+m.ID+" already exists")
	case full:
		return false, c.refuse(m.ID)
	}
	return true, nil
}

// refuse answers an operation that is one too many.
func (c *socket) refuse(id string) error {
	payload, err := json.Marshal([]any{coded(codeTooMany,
		"The connection carries %d operations already: end one of them first.", c.limits.StreamsPerSocket)})
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.active[id] = false // for as long as it takes to refuse it
	c.mu.Unlock()
	return c.WriteJSON(message{ID: id, Type: "error", Payload: payload})
}

// completed notes that a client is done with an operation. The transport is told of those that it knows.
func (c *socket) completed(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.active[id]; !known {
		return false
	}
	c.active[id] = true
	return true
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
	if c.closed {
		return websocket.ErrCloseSent
	}
	if c.isOver(m) {
		return nil
	}
	if err := errors.Join(c.SetWriteDeadline(time.Now().Add(c.timing.Write)), c.WriteMessage(websocket.TextMessage, data)); err != nil {
		return errors.Join(err, c.shut())
	}
	return nil
}

// isOver tells whether a message belongs to an operation that has ended for the client: it completed the operation
// itself, or was told of its error, after which the transport still sends a completion.
func (c *socket) isOver(m message) bool {
	if m.ID == "" {
		return false
	}
	completed, known := c.active[m.ID]
	if m.Type == "complete" || m.Type == "error" {
		delete(c.active, m.ID)
	}
	return completed || !known
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
