package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// redial is how long a subscriber waits before it connects again.
const redial = 50 * time.Millisecond

// TestLiveThroughRestarts keeps subscribers of accounts connected while the accounts change and the service is restarted again and
// again, killed and stopped in turn. Each subscriber goes on from the last number it received, so that it must get every event of
// its account once.
func TestLiveThroughRestarts(t *testing.T) {
	t.Parallel()
	accounts, each, changes := subscriptionSize()
	restarts := sized(2, 5)
	s := serve(t, nil, "--no-work", "--listen", closedPort(t))
	owners := make([]*service, accounts)
	var subscribers []*subscriber
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var readers sync.WaitGroup
	for i := range owners {
		owners[i] = s.subaccount(i)
		for range each {
			r := &subscriber{url: s.url, token: owners[i].token, first: owners[i].lastEvent()}
			r.last.Store(int64(r.first))
			subscribers = append(subscribers, r)
			readers.Go(func() { r.follow(ctx) })
		}
	}
	for i := range restarts {
		s.changeWhileRestarting(owners, changes, i%2 == 0)
	}
	for i, owner := range owners {
		goal := int64(owner.lastEvent())
		for _, r := range subscribers[i*each : (i+1)*each] {
			waitFor(t, fmt.Sprintf("a subscriber to receive event %d", goal), func() bool { return r.last.Load() >= goal })
		}
		if least := int64(subscribers[i*each].first + restarts*changes); goal < least {
			t.Errorf("the last event is %d, want at least %d", goal, least)
		}
	}
	leave()
	readers.Wait()
	received, connections := 0, 0
	for _, r := range subscribers {
		r.check(t)
		received, connections = received+len(r.numbers), connections+r.connections
	}
	t.Logf("%d subscribers, %d restarts: %d connections, %d events received", len(subscribers), restarts, connections, received)
	if connections < len(subscribers)*restarts { // some may have missed that the service was away
		t.Errorf("%d connections of %d subscribers over %d restarts", connections, len(subscribers), restarts)
	}
}

// changeWhileRestarting makes events in all accounts, and ends the service amid them and starts it again.
func (s *service) changeWhileRestarting(owners []*service, changes int, kill bool) {
	s.t.Helper()
	var done atomic.Int64
	half, reached := int64(len(owners)*changes)/2, make(chan struct{})
	var writers sync.WaitGroup
	for _, owner := range owners {
		writers.Go(func() {
			for i := range changes {
				owner.changeUntilTaken(i)
				if done.Add(1) == half {
					close(reached)
				}
			}
		})
	}
	<-reached
	if kill {
		s.kill()
	} else {
		s.stop()
	}
	s.open("serve", nil, "--no-work", "--listen", strings.TrimPrefix(s.url, "http://"))
	writers.Wait()
}

// changeUntilTaken changes the account; while the service is away, it tries again.
func (s *service) changeUntilTaken(n int) {
	retry := time.NewTicker(redial)
	defer retry.Stop()
	for {
		a, err := s.raw(http.MethodPut, "/api/v2/account", map[string]any{"company": fmt.Sprint("change ", n)})
		if err == nil && a.status == http.StatusOK || s.t.Context().Err() != nil {
			return
		}
		<-retry.C
	}
}

// subscriber follows an account over as many connections as it takes.
type subscriber struct {
	url, token  string
	first       int // the number that it begins after
	last        atomic.Int64
	numbers     []int64 // of all events received
	connections int
	fault       error // that a subscriber must not see
}

// follow receives until ctx ends.
func (r *subscriber) follow(ctx context.Context) {
	retry := time.NewTicker(redial)
	defer retry.Stop()
	for ctx.Err() == nil && r.fault == nil {
		r.connect(ctx)
		select {
		case <-ctx.Done():
		case <-retry.C:
		}
	}
}

// connect receives until the connection is lost.
func (r *subscriber) connect(ctx context.Context) {
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: 10 * time.Second}
	conn, response, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(r.url, "http")+"/graphql", nil)
	if err != nil {
		return
	}
	_ = response.Body.Close()
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	init := map[string]any{"type": "connection_init", "payload": map[string]string{"Authorization": "Bearer " + r.token}}
	const document = `subscription ($after: EventNumber!) { accountLive(after: $after) { number events { number } } }`
	subscribe := map[string]any{"id": "1", "type": "subscribe", "payload": map[string]any{
		"query": document, "variables": map[string]any{"after": r.last.Load()},
	}}
	if conn.WriteJSON(init) != nil || conn.WriteJSON(subscribe) != nil {
		return
	}
	r.connections++
	for r.receive(conn) {
	}
}

// receive reads one message; false when there are no more.
func (r *subscriber) receive(conn *websocket.Conn) bool {
	var m struct {
		Type    string
		Payload struct {
			Data struct {
				AccountLive struct {
					Number int64
					Events []struct{ Number int64 }
				}
			}
			Errors []struct {
				Message    string
				Extensions struct{ Code string }
			}
		}
	}
	if conn.ReadJSON(&m) != nil {
		return false
	}
	switch m.Type {
	case "ping":
		return conn.WriteJSON(map[string]string{"type": "pong"}) == nil
	case "next":
		if errs := m.Payload.Errors; len(errs) > 0 && errs[0].Extensions.Code == "UNAVAILABLE" {
			return false // a service that has just started is asked by all at once, and says to come again
		}
		if m.Payload.Errors != nil {
			r.fault = fmt.Errorf("the subscription failed: %v", m.Payload.Errors)
			return false
		}
		for _, e := range m.Payload.Data.AccountLive.Events {
			r.numbers = append(r.numbers, e.Number)
		}
		r.last.Store(m.Payload.Data.AccountLive.Number)
	}
	return m.Type == "next" || m.Type == "connection_ack"
}

// check wants every event after the first number, each once and in order.
func (r *subscriber) check(t *testing.T) {
	t.Helper()
	if r.fault != nil {
		t.Error(r.fault)
	}
	for i, n := range r.numbers {
		if want := int64(r.first + 1 + i); n != want {
			t.Errorf("event %d where %d was due", n, want)
			return
		}
	}
}
