package e2e

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

func itoa(n int) string { return strconv.Itoa(n) }

// socket is a graphql-transport-ws connection with one subscription.
type socket struct {
	t     *testing.T
	conn  *websocket.Conn
	what  json.RawMessage // that it subscribes to
	tries int             // the last one is the subscription's id
	heard bool            // something has come by it
}

type frame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// subscribe opens a connection and starts a subscription on it.
func (s *service) subscribe(document string, variables map[string]any) *socket {
	s.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: 10 * time.Second}
	conn, response, err := dialer.Dial("ws"+strings.TrimPrefix(s.url, "http")+"/graphql", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = response.Body.Close()
	k := &socket{t: s.t, conn: conn, what: raw(s.t, map[string]any{"query": document, "variables": variables})}
	s.t.Cleanup(k.close)
	k.send(frame{Type: "connection_init", Payload: raw(s.t, map[string]string{"Authorization": "Bearer " + s.token})})
	if f := k.read(); f.Type != "connection_ack" {
		s.t.Fatalf("connection answered %s %s", f.Type, f.Payload)
	}
	k.begin()
	return k
}

// begin starts the subscription, for the first time or again.
func (k *socket) begin() {
	k.t.Helper()
	k.tries++
	k.send(frame{ID: itoa(k.tries), Type: "subscribe", Payload: k.what})
}

func raw(t *testing.T, v any) json.RawMessage {
	t.Helper()
	encoded, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func (k *socket) close() { _ = k.conn.Close() }

func (k *socket) send(f frame) {
	k.t.Helper()
	if err := k.conn.WriteJSON(f); err != nil {
		k.t.Fatal(err)
	}
}

func (k *socket) read() frame {
	k.t.Helper()
	_ = k.conn.SetReadDeadline(time.Now().Add(patience))
	var f frame
	if err := k.conn.ReadJSON(&f); err != nil {
		k.t.Fatalf("read from the subscription: %v", err)
	}
	return f
}

// next returns the data of the next message; false when the subscription is complete.
func next[T any](k *socket) (T, bool) {
	k.t.Helper()
	for {
		f := k.read()
		if f.ID != "" && f.ID != itoa(k.tries) {
			continue // of a try that has failed
		}
		switch f.Type {
		case "ping":
			k.send(frame{Type: "pong"})
		case "next":
			if !k.heard && codeOf(k.t, f.Payload) == "UNAVAILABLE" { // as for requests, see patiently
				<-time.After(pause)
				k.begin()
				continue
			}
			k.heard = true
			message := decode[struct {
				Data   T
				Errors json.RawMessage
			}](k.t, f.Payload)
			if message.Errors != nil {
				k.t.Fatalf("subscription error: %s", message.Errors)
			}
			return message.Data, true
		case "complete":
			var none T
			return none, false
		default:
			k.t.Fatalf("unexpected message %s %s", f.Type, f.Payload)
		}
	}
}
