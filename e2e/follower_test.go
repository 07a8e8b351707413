package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// follower follows the events of an account as a dashboard does: whenever the connection is gone, it connects again, to whichever
// server answers, and goes on after the last event that it has.
type follower struct {
	service *service
	end     context.CancelFunc
	done    chan struct{}

	mu       sync.Mutex
	last     int
	connects int
	problem  error // an event that was missing or came twice
}

func (s *service) follow() *follower {
	ctx, end := context.WithCancel(s.t.Context())
	f := &follower{service: s, end: end, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		for ctx.Err() == nil {
			_ = f.connect(ctx) // ends with the connection, for whatever reason
			select {
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
	return f
}

// connect reads events until the connection ends.
func (f *follower) connect(ctx context.Context) error {
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: 10 * time.Second}
	conn, response, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(f.service.url, "http")+"/graphql", nil)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer func() { _ = conn.Close() }()
	_ = response.Body.Close()
	begin := map[string]any{
		"query":     "subscription ($after: EventNumber) { events(after: $after) { number } }",
		"variables": map[string]any{"after": f.reached()},
	}
	payload, err := json.Marshal(begin)
	if err != nil {
		return err
	}
	if err := conn.WriteJSON(frame{
		Type: "connection_init", Payload: json.RawMessage(`{"Authorization":"Bearer ` + f.service.token + `"}`),
	}); err != nil {
		return err
	}
	if err := conn.WriteJSON(frame{ID: "1", Type: "subscribe", Payload: payload}); err != nil {
		return err
	}
	for {
		var got frame
		_ = conn.SetReadDeadline(time.Now().Add(time.Minute)) // the server pings more often
		if err := conn.ReadJSON(&got); err != nil {
			return err
		}
		if err := f.take(conn, got); err != nil {
			return err
		}
	}
}

func (f *follower) take(conn *websocket.Conn, got frame) error {
	switch got.Type {
	case "connection_ack":
		f.mu.Lock()
		defer f.mu.Unlock()
		f.connects++
		return nil
	case "ping":
		return conn.WriteJSON(frame{Type: "pong"})
	case "next":
	default:
		return errors.New(got.Type)
	}
	var message struct {
		Data struct{ Events struct{ Number json.Number } }
	}
	if err := json.Unmarshal(got.Payload, &message); err != nil {
		return err
	}
	number, err := message.Data.Events.Number.Int64()
	if err != nil {
		return err // an error of the subscription: it begins again
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if int(number) != f.last+1 && f.problem == nil {
		f.problem = fmt.Errorf("event %d followed %d", number, f.last)
	}
	f.last = int(number)
	return nil
}

func (f *follower) reached() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last
}

// verify wants each event up to the last to have come once.
func (f *follower) verify() {
	f.service.t.Helper()
	goal := query[struct{ Events struct{ EndNumber int } }](f.service, "{ events(first: 500, after: "+itoa(max(0, f.reached()-1))+
		") { endNumber } }", nil).Events.EndNumber
	waitFor(f.service.t, "all events", func() bool { return f.reached() >= goal })
	f.end()
	<-f.done
	if f.problem != nil {
		f.service.t.Error(f.problem)
	}
	f.service.t.Logf("%d events followed over %d connections", f.last, f.connects)
}
