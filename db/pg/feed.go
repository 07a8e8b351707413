package pg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/internal/health"
	"afterimage/vcd"
)

// Timing of the listener.
const (
	feedPauseMin = 50 * time.Millisecond // before the first attempt to reconnect; doubled after each
	feedPauseMax = 600 * time.Millisecond
	feedSilence  = 20 * time.Second // without a notification for this long, the connection is tested
)

// authorityChannel is the channel on which the database announces changes to the permissions of an account's tokens,
// with the payload "<account>"; see the triggers in migrations.
const authorityChannel = "afterimage_authority"

// topic identifies the notifications about one account on one channel.
type topic struct {
	channel string
	account vcd.ID
}

// feed wakes watchers when the database sends notifications about their topics. One connection of this process,
// separate from the pool, listens for all watchers; it is opened for the first one. Every watcher is woken as soon as
// that connection listens, and again after each reconnect, because notifications sent in between are lost: a wake-up
// may be spurious, but none is ever missed. While there is no connection, watchers of the authority channel are woken
// at every attempt to connect.
type feed struct {
	config *pgx.ConnConfig
	logger *slog.Logger
	cancel context.CancelFunc
	ctx    context.Context // the lifetime of the listener, which outlives every call
	start  sync.Once
	done   sync.WaitGroup

	mu        sync.Mutex
	started   bool
	since     time.Time // of the latest change of listening
	listening bool
	watchers  map[topic]map[chan struct{}]struct{}
}

func newFeed(config *pgx.ConnConfig, logger *slog.Logger) *feed {
	ctx, cancel := context.WithCancel(context.Background())
	return &feed{config: config, logger: logger, ctx: ctx, cancel: cancel, watchers: map[topic]map[chan struct{}]struct{}{}}
}

func (f *feed) close() {
	f.cancel()
	f.start.Do(func() {}) // from here on no listener is started
	f.done.Wait()
}

func (f *feed) watch(t topic) (wake <-chan struct{}, stop func()) {
	f.start.Do(func() { f.done.Go(f.run) })
	c := make(chan struct{}, 1)
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.started {
		f.started, f.since = true, time.Now()
	}
	if f.watchers[t] == nil {
		f.watchers[t] = map[chan struct{}]struct{}{}
	}
	f.watchers[t][c] = struct{}{}
	if f.listening {
		c <- struct{}{}
	}
	return c, func() { f.forget(t, c) }
}

func (f *feed) forget(t topic, c chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.watchers[t], c)
	if len(f.watchers[t]) == 0 {
		delete(f.watchers, t)
	}
}

func (f *feed) wake(t topic) {
	f.mu.Lock()
	defer f.mu.Unlock()
	wakeAll(f.watchers[t])
	wakeAll(f.watchers[topic{t.channel, ""}])
}

// wakeAll puts a wake-up into each channel; a pending one suffices.
func wakeAll(channels map[chan struct{}]struct{}) {
	for c := range channels {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// heard records that the connection is listening and wakes all watchers.
func (f *feed) heard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listening, f.since = true, time.Now()
	for _, channels := range f.watchers {
		wakeAll(channels)
	}
}

// deaf records that no connection is listening.
func (f *feed) deaf() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.listening {
		f.listening, f.since = false, time.Now()
	}
	for t, channels := range f.watchers {
		if t.channel == authorityChannel {
			wakeAll(channels)
		}
	}
}

// run listens until the feed is closed.
func (f *feed) run() {
	pause := feedPauseMin
	for {
		listening, err := f.listen(f.ctx)
		if f.ctx.Err() != nil {
			return
		}
		if listening {
			pause = feedPauseMin
		}
		f.deaf()
		f.logger.Warn("the event feed lost its database connection and reconnects", "error", err, "pause", pause)
		timer := time.NewTimer(pause/2 + rand.N(pause)) //nolint:gosec // jitter is no secret
		select {
		case <-timer.C:
		case <-f.ctx.Done():
			timer.Stop()
			return
		}
		pause = min(2*pause, feedPauseMax)
	}
}

// listen dispatches notifications until the connection ends; listening reports whether there was a connection.
func (f *feed) listen(ctx context.Context) (listening bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, f.config)
	if err != nil {
		return false, fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, f.hangUp(conn)) }()
	for _, channel := range []string{eventsChannel, authorityChannel} {
		if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
			return false, fmt.Errorf("listen: %w", err)
		}
	}
	f.heard()
	for {
		if err := f.next(ctx, conn); err != nil {
			return true, err
		}
	}
}

// next waits for one notification. It tests a connection that has been silent for feedSilence.
func (f *feed) next(ctx context.Context, conn *pgx.Conn) error {
	quiet, cancel := context.WithTimeout(ctx, feedSilence)
	defer cancel()
	n, err := conn.WaitForNotification(quiet)
	if err == nil {
		account, _, _ := strings.Cut(n.Payload, " ")
		f.wake(topic{n.Channel, vcd.ID(account)})
		return nil
	}
	if ctx.Err() != nil || quiet.Err() == nil {
		return fmt.Errorf("wait for a notification: %w", err)
	}
	test, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	if err := conn.Ping(test); err != nil {
		return fmt.Errorf("test the silent connection: %w", err)
	}
	return nil
}

func (f *feed) hangUp(conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), reachTimeout)
	defer cancel()
	return conn.Close(ctx)
}

// feedPatience is how long the feed may be without its connection before that is told.
const feedPatience = 5 * time.Second

// FeedReady reports as a *health.Problem that no connection listens for the events of other processes.
func (d *DB) FeedReady(context.Context) error {
	f := d.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.started || f.listening || time.Since(f.since) < feedPatience {
		return nil
	}
	return &health.Problem{Sentence: "No connection listens for events (LISTEN), so live views and new work are delayed. " +
		"The log says why the connection was lost."}
}
