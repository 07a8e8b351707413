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
	t    *testing.T
	conn *websocket.Conn
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
	k := &socket{t: s.t, conn: conn}
	s.t.Cleanup(k.close)
	k.send(frame{Type: "connection_init", Payload: raw(s.t, map[string]string{"Authorization": "Bearer " + s.token})})
	if f := k.read(); f.Type != "connection_ack" {
		s.t.Fatalf("connection answered %s %s", f.Type, f.Payload)
	}
	k.send(frame{ID: "1", Type: "subscribe", Payload: raw(s.t, map[string]any{"query": document, "variables": variables})})
	return k
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
	_ = k.conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
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
		switch f := k.read(); f.Type {
		case "ping":
			k.send(frame{Type: "pong"})
		case "next":
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
