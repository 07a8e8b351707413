package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"afterimage/db"
	"afterimage/graph"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// never is so long that what is to happen after it does not happen in a test.
const never = time.Hour

// atUse makes a server look at a token only when it is used, and then each time.
func atUse(c *graph.Config) { c.Timing.Recheck, c.Timing.Trust = never, time.Nanosecond }

// whenTold makes a server look at a token again only when it is told to.
func whenTold(c *graph.Config) { c.Timing.Recheck, c.Timing.Trust = never, never }

// TestAnOpenSocketIsNotAKey is named after the socket that read the webhook secret and minted a token after its own was revoked.
func TestAnOpenSocketIsNotAKey(t *testing.T) {
	s := newSite(t, atUse)
	c := s.connect()
	c.pings("open")
	s.keeper.revoke()
	c.subscribe("late", whoami, nil)
	if code := c.closed(); code != 4403 {
		t.Errorf("closed with %d, want 4403", code)
	}
}

func TestAnEventIsNotSentToWhoeverLostTheRight(t *testing.T) {
	w := newWorld(t)
	w.deaf()
	c := w.connect()
	c.subscribe("1", followEvents, vars{"after": 0})
	c.pings("following")
	// The stream begins before its operation does: without a number it might begin after the event that is not to be sent.
	last := w.must("{ viewer { lastEvent } }", nil).at(t, "viewer", "lastEvent")
	events := w.listen(fmt.Sprintf("subscription { events(after: %v) { number } }", last))
	ping(t, events)
	own := ownToken(w.site)
	_, err := w.use.Accounts.RevokeToken(t.Context(), w.actor, nil, own)
	w.check(err)
	_, err = w.use.Inventory.CreateGroup(t.Context(), w.actor, inventory.GroupChange{Name: vcd.Some("secret")})
	w.check(err)
	if code := c.closed(); code != 4403 {
		t.Errorf("the socket closed with %d, want 4403", code)
	}
	if event, data := events.next(t); event != "" {
		t.Errorf("the stream got %s %s", event, data)
	}
}

func ping(t *testing.T, s *stream) {
	t.Helper()
	if !s.lines.Scan() || s.lines.Text() != ":" {
		t.Fatalf("the stream begins with %q", s.lines.Text())
	}
}

// ownToken is the id of a site's token.
func ownToken(s *site) vcd.ID {
	return vcd.ID(s.must("{ viewer { tokenId } }", nil).text(s.t, "viewer", "tokenId"))
}

// deafFeed tells of events, but not of authority.
type deafFeed struct {
	vcd.Feed
}

func (deafFeed) WatchAuthority(vcd.ID) (<-chan struct{}, func()) {
	return make(chan struct{}), func() {}
}

// deaf runs the world's server anew, so that it looks at tokens only when they are used.
func (w *world) deaf() {
	w.t.Helper()
	use := w.use.With(func(c *app.Config) { c.Feed = deafFeed{w.store} })
	clock, token := w.clock, w.token
	w.site = serve(w.t, use, atUse)
	w.clock, w.token = clock, token
}

// A client may take half a minute to send a request whose headers have let it in.
func TestASlowRequestDoesNotOutliveItsToken(t *testing.T) {
	s := newSite(t, atUse)
	s.keeper.heard = make(chan struct{}, 9)
	body, late := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/graphql", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	go func() {
		<-s.keeper.heard
		s.keeper.revoke()
		_, _ = io.WriteString(late, encode(t, whoami, nil))
		_ = late.Close()
	}()
	if a := s.do(r); a.code() != "UNAUTHENTICATED" || a.Data != nil {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestALongOperationIsStoppedWhenItsTokenIsRevoked(t *testing.T) {
	s := newSite(t, func(c *graph.Config) { c.Timing.Recheck, c.Timing.Trust = never, 200*time.Millisecond })
	s.keeper.heard, s.keeper.stuck = make(chan struct{}, 1000), true
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-s.keeper.heard
		s.keeper.revoke()
	}()
	a := s.post("{ account { id } }", nil)
	<-done
	if a.Data["account"] != nil || len(a.Errors) == 0 || a.Errors[0].Message == "The operation timed out. Request less data at once." {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestATokenThatExpiresEndsItsStreams(t *testing.T) {
	s := newSite(t, func(c *graph.Config) { c.Timing.Recheck, c.Timing.Trust = never, never })
	end := s.clock.Now().Add(20 * time.Millisecond)
	s.keeper.expires = &end
	c, events := s.connect(), s.listen(standing)
	c.pings("open")
	s.clock.Advance(time.Second)
	if code := c.closed(); code != 4403 {
		t.Errorf("closed with %d, want 4403", code)
	}
	events.end(t)
}

func TestOneLookServesManyOperations(t *testing.T) {
	s := newSite(t, whenTold)
	first, second := s.connect(), s.connect()
	before := s.keeper.looks()
	for range 50 {
		first.pings("one")
		second.pings("two")
	}
	if looks := s.keeper.looks() - before; looks != 0 {
		t.Errorf("%d looks at the token for 100 operations", looks)
	}
}

func TestOneTokenHasSoManyConnections(t *testing.T) {
	for name, limit := range map[string]func(*graph.Config){
		"token":   func(c *graph.Config) { c.Limits.ConnectionsPerToken = 3 },
		"account": func(c *graph.Config) { c.Limits.ConnectionsPerAccount = 3 },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, limit)
			first := s.connect()
			s.connect()
			s.listen(standing)
			over, _, err := s.dial(nil)
			if err != nil {
				t.Fatal(err)
			}
			over.send(greeting(`{"token":"` + s.token + `"}`))
			if code := over.closed(); code != 4429 {
				t.Errorf("one too many closed with %d, want 4429", code)
			}
			r := s.request(encode(t, standing, nil))
			r.Header.Set("Accept", "text/event-stream")
			if a := s.do(r); a.status != http.StatusTooManyRequests || a.code() != "TOO_MANY_CONNECTIONS" {
				t.Errorf("one stream too many: %d %s", a.status, a.body)
			}
			if err := first.conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(1000, "")); err != nil {
				t.Fatal(err)
			}
			first.closed()
			s.eventuallyConnects()
		})
	}
}

// eventuallyConnects opens connections until one is let in: the server notices on its own that another one has ended.
func (s *site) eventuallyConnects() {
	s.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		c, _, err := s.dial(nil)
		if err != nil {
			s.t.Fatal(err)
		}
		c.send(greeting(`{"token":"` + s.token + `"}`))
		var m wire
		if err := c.conn.ReadJSON(&m); err == nil && m.Type == "connection_ack" {
			return
		}
	}
	s.t.Fatal("a connection that was closed still counts")
}

// replica is another process on the same database, as good as one.
func (w *world) replica(change ...func(*graph.Config)) *site {
	w.t.Helper()
	logger := slog.New(slog.DiscardHandler)
	store, err := db.Open(w.t.Context(), db.Config{URL: w.dbURL, Logger: logger, Reach: 20 * time.Second,
		Queue: vcdtest.NewIdleQueue})
	w.check(err)
	w.t.Cleanup(store.Close)
	use := w.use.With(func(c *app.Config) { c.Store, c.Feed = store, store })
	s := serve(w.t, use, change...)
	s.token, s.clock = w.token, w.clock
	return s
}

// TestLosingTheRightIsToldToEveryReplica lets nothing but the notification of the change end the streams.
func TestLosingTheRightIsToldToEveryReplica(t *testing.T) {
	w := newWorld(t)
	near, far := w.replica(whenTold), w.replica(whenTold)
	for name, change := range map[string]func(ctx context.Context, sub, token vcd.ID) error{
		"revoke": func(ctx context.Context, sub, token vcd.ID) error {
			_, err := w.use.Accounts.RevokeToken(ctx, w.actor, &sub, token)
			return err
		},
		"expire": func(ctx context.Context, sub, token vcd.ID) error {
			soon := w.clock.Now().Add(time.Second)
			_, err := w.use.Accounts.UpdateToken(ctx, w.actor, &sub, token, account.TokenChange{ExpiresAt: vcd.Some(soon)})
			w.clock.Advance(2 * time.Second)
			return err
		},
		"cancel": func(ctx context.Context, sub, _ vcd.ID) error {
			_, err := w.use.Accounts.CancelAccount(ctx, sub)
			return err
		},
		"delete": func(ctx context.Context, sub, _ vcd.ID) error {
			return w.use.Accounts.DeleteSubaccount(ctx, w.actor, sub)
		},
		"by hand": func(ctx context.Context, sub, _ vcd.ID) error {
			tx, err := w.store.Pool().Begin(ctx)
			if err != nil {
				return err
			}
			defer tx.Rollback(ctx)
			if _, err = tx.Exec(ctx, "SELECT set_config('afterimage.system', 'on', true)"); err == nil {
				_, err = tx.Exec(ctx, "DELETE FROM tokens WHERE account_id = $1", sub)
			}
			if err != nil {
				return err
			}
			return tx.Commit(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			email := "sub-" + string(name[0]) + string(name[len(name)-1]) + "@example.com"
			sub, token, err := w.use.Accounts.CreateSubaccount(t.Context(), w.actor, account.SubaccountChange{
				NameFirst: vcd.Some("S"), NameLast: vcd.Some("T"), Email: vcd.Some(email), LimitChecks: vcd.Some(5)})
			w.check(err)
			var sockets []*client
			var streams []*stream
			for _, s := range []*site{near, far} {
				s := *s
				s.token = token.Plain
				c := s.connect()
				c.pings("open")
				sockets, streams = append(sockets, c), append(streams, s.listen("subscription { events { number } }"))
			}
			w.check(change(t.Context(), sub.ID, token.ID))
			for _, c := range sockets {
				if code := c.closed(); code != 4403 {
					t.Errorf("closed with %d, want 4403", code)
				}
			}
			for _, s := range streams {
				s.end(t)
			}
		})
	}
}

// TestNoOperationOutlivesItsTokenByASecond revokes tokens again and again, while sockets of two replicas go on sending operations.
// What is sent later than a second after the revocation was answered must fail: that holds however slow the machine is.
// AFTERIMAGE_SOAK=1 makes it 100 tokens.
func TestNoOperationOutlivesItsTokenByASecond(t *testing.T) {
	w := newWorld(t)
	tries := 8
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		tries = 100
	}
	near, far := w.replica(), w.replica()
	var longest time.Duration
	for try := range tries {
		token, err := w.use.Accounts.CreateToken(t.Context(), w.actor, nil, account.TokenChange{Name: vcd.Some("try")})
		w.check(err)
		hands := make(chan time.Time)
		for _, s := range []*site{near, far} {
			s := *s
			s.token = token.Plain
			c := s.connect()
			c.pings("open")
			go func() { hands <- c.hammer() }()
		}
		if try%4 == 3 { // also when nobody hears of it at first
			w.loseListeners()
		}
		_, err = w.use.Accounts.RevokeToken(t.Context(), w.actor, nil, token.ID)
		w.check(err)
		revoked := time.Now()
		for range 2 {
			if last := <-hands; !last.IsZero() {
				longest = max(longest, last.Sub(revoked))
			}
		}
	}
	t.Logf("%d tokens: the last operation that succeeded was sent %s after the revocation", tries, longest)
	if longest > time.Second {
		t.Errorf("an operation that was sent %s after the revocation succeeded", longest)
	}
}

// hammer sends operations one after another until the server closes, and returns when the last that succeeded was sent.
func (c *client) hammer() (last time.Time) {
	for {
		sent := time.Now()
		if c.conn.WriteJSON(wire{ID: "again", Type: "subscribe", Payload: json.RawMessage(`{"query":"{ account { email } }"}`)}) != nil {
			return last
		}
		for done := false; !done; {
			var m wire
			if c.conn.ReadJSON(&m) != nil {
				return last
			}
			var a answer
			if m.Type == "next" && json.Unmarshal(m.Payload, &a) == nil && len(a.Errors) == 0 {
				last = sent
			}
			done = m.Type == "complete" || m.Type == "error"
		}
	}
}

// loseListeners cuts the connections by which replicas hear of changes.
func (w *world) loseListeners() {
	w.t.Helper()
	_, err := w.store.Pool().Exec(w.t.Context(),
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'")
	w.check(err)
}

func (d *doorkeeper) looks() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked
}
