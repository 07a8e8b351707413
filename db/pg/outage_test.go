package pg_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"afterimage/db"
	"afterimage/db/pg"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// wire stands between a DB and its database, and can be cut or held.
type wire struct {
	t               *testing.T
	network, target string // of the database
	path            string // our own socket
	url             string

	mu     sync.Mutex
	listen net.Listener
	conns  map[net.Conn]struct{}
	held   chan struct{} // closed when bytes may flow

	arrived chan struct{} // receives for the first connections that are made
	done    sync.WaitGroup
}

func newWire(t *testing.T, url string) *wire {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	must(t, err)
	dir := t.TempDir()
	w := &wire{t: t, path: filepath.Join(dir, ".s.PGSQL.5432"), conns: map[net.Conn]struct{}{}, held: make(chan struct{}),
		arrived: make(chan struct{}, 9)}
	w.network, w.target = pgconn.NetworkAddress(config.Host, config.Port)
	w.url = fmt.Sprintf("host='%s' port=5432 user='%s' password='%s' dbname='%s' sslmode=disable", dir, config.User, config.Password,
		config.Database)
	close(w.held)
	w.mend()
	t.Cleanup(func() { w.release(); w.cut(); w.done.Wait() })
	return w
}

// mend lets connections be made.
func (w *wire) mend() {
	listen, err := net.Listen("unix", w.path)
	must(w.t, err)
	w.mu.Lock()
	w.listen = listen
	w.mu.Unlock()
	w.done.Go(func() {
		for {
			conn, err := listen.Accept()
			if err != nil {
				return
			}
			w.carry(conn)
		}
	})
}

// cut ends every connection and refuses new ones.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.listen.Close()
	w.drop()
}

// drop ends every connection.
func (w *wire) drop() {
	for conn := range w.conns {
		_ = conn.Close()
	}
}

func (w *wire) dropAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop()
}

// hold keeps all bytes back, as a network without a route does.
func (w *wire) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = make(chan struct{})
}

func (w *wire) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.held:
	default:
		close(w.held)
	}
}

func (w *wire) carry(near net.Conn) {
	far, err := net.Dial(w.network, w.target)
	if err != nil {
		_ = near.Close()
		return
	}
	w.mu.Lock()
	w.conns[near], w.conns[far] = struct{}{}, struct{}{}
	w.mu.Unlock()
	select {
	case w.arrived <- struct{}{}:
	default:
	}
	w.done.Go(func() { w.copy(far, near) })
	w.done.Go(func() { w.copy(near, far) })
}

func (w *wire) copy(to, from net.Conn) {
	_, _ = io.Copy(gate{w, to}, from)
	_ = to.Close()
	_ = from.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, from)
}

// gate is a connection that waits while its wire is held.
type gate struct {
	wire *wire
	net.Conn
}

func (g gate) Write(b []byte) (int, error) {
	g.wire.mu.Lock()
	held := g.wire.held
	g.wire.mu.Unlock()
	<-held
	return g.Conn.Write(b)
}

// outage opens a database over a wire and returns questions of every kind to it.
func outage(t *testing.T) (*world, *wire, map[string]func() error) {
	t.Helper()
	w := newWorld(t)
	wire := newWire(t, w.URL)
	d := vcdtest.OpenWith(t, db.Config{URL: wire.url, Queue: vcdtest.NewTableQueue})
	s := w.Service.With(func(c *app.Config) { c.Store, c.Feed = d, d })
	w.Service = s
	c := t.Context()
	return w, wire, map[string]func() error{
		"read":  func() error { _, err := s.Accounts.Account(c, w.Actor); return err },
		"write": func() error { _, err := s.Accounts.UpdateAccount(c, w.Actor, account.Change{}); return err },
		"token": func() error { _, err := d.AccountByToken(c, []byte("x"), w.Clock.Now()); return expectUnknown(err) },
		"image": func() error {
			_, err := d.ImageByToken(c, "x")
			if vcd.CodeOf(err) == vcd.CodeNotFound {
				return nil
			}
			return err
		},
		"turns": func() error { _, err := s.Runs.HandOut(c, vcd.RegionEU, time.Hour); return err },
	}
}

func expectUnknown(err error) error {
	if vcd.CodeOf(err) == vcd.CodeUnauthenticated {
		return nil
	}
	return err
}

// answersWithin is the second that docs/operations.md promises, at full size; in every run a minute, since the machine may be busy: what
// does not end by itself waits for ever.
func answersWithin() time.Duration {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return time.Second
	}
	return time.Minute
}

func wantAll(t *testing.T, asks map[string]func() error, code vcd.Code) {
	t.Helper()
	for name, ask := range asks {
		start := time.Now()
		err := ask()
		if took := time.Since(start); code != "" && took > answersWithin() {
			t.Errorf("%s: took %s", name, took)
		}
		if code == "" && err != nil || code != "" && vcd.CodeOf(err) != code {
			t.Errorf("%s: got %v, want code %q", name, err, code)
		}
	}
}

// wantBack wants every question answered, at full size at the first try; in every run within a minute, since a connection may not be made
// in time on a busy machine.
func wantBack(t *testing.T, asks map[string]func() error) {
	t.Helper()
	end := time.Now().Add(time.Minute)
	patient := make(map[string]func() error, len(asks))
	for name, ask := range asks {
		patient[name] = func() error {
			err := ask()
			for os.Getenv("AFTERIMAGE_SOAK") == "" && vcd.CodeOf(err) == vcd.CodeUnavailable && time.Now().Before(end) {
				err = ask()
			}
			return err
		}
	}
	wantAll(t, patient, "")
}

func TestALostDatabaseIsUnavailableAndComesBack(t *testing.T) {
	w, wire, asks := outage(t)
	wantBack(t, asks)
	wire.cut()
	wantAll(t, asks, vcd.CodeUnavailable)
	wire.mend()
	wantBack(t, asks)
	wire.dropAll() // a restart: dead connections are in the pool, but new ones can be made
	wantBack(t, asks)
	w.CheckInvariants()
}

func TestASilentDatabaseIsUnavailableWithinASecond(t *testing.T) {
	_, wire, asks := outage(t)
	wantBack(t, asks)
	wire.hold()
	wantAll(t, asks, vcd.CodeUnavailable)
	wire.release()
	wantBack(t, asks)
}

func TestAConnectionLostInTheMiddleKeepsNothing(t *testing.T) {
	w, wire, _ := outage(t)
	store := w.Service.Config().Store.ForInventory().URLs()
	err := store.InTx(t.Context(), w.Actor, func(ctx context.Context, tx inventory.URLTx) error {
		_, _, err := tx.EnsureURL(ctx, &vcd.URL{ID: w.Account.ID, Account: w.Account.ID, Address: "x.test", CreatedAt: w.Clock.Now(),
			UpdatedAt: w.Clock.Now()})
		must(t, err)
		wire.dropAll()
		_, err = tx.URLs(ctx, vcd.URLFilter{}, vcd.Page{Size: 1})
		return err
	})
	wantCode(t, err, vcd.CodeUnavailable)
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM urls"); n != 0 {
		t.Errorf("%d URLs were kept", n)
	}
}

func TestAFullPoolIsUnavailableAndACallerMayWaitOrGiveUp(t *testing.T) {
	w := newWorld(t)
	d := vcdtest.OpenWith(t, db.Config{URL: w.URL, Queue: vcdtest.NewTableQueue})
	service := w.Service.With(func(c *app.Config) { c.Store, c.Feed = d, d })
	held := make([]*pgxpool.Conn, d.Pool().Config().MaxConns)
	for i := range held {
		conn, err := d.Pool().Acquire(t.Context())
		must(t, err)
		held[i] = conn
	}
	account := func(ctx context.Context) error {
		_, err := service.Accounts.Account(ctx, w.Actor)
		return err
	}
	patient := make(chan error, 1)
	go func() { patient <- account(pg.Patient(t.Context())) }()
	wantCode(t, account(t.Context()), vcd.CodeUnavailable)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := account(gone); vcd.CodeOf(err) == vcd.CodeUnavailable || gone.Err() == nil {
		t.Errorf("a caller who left was told %v", err)
	}
	for _, conn := range held {
		conn.Release()
	}
	must(t, <-patient)
}

func TestADeadlockIsResolvedByRepetition(t *testing.T) {
	w := newWorld(t)
	_, urls := w.Group("dead", 2, inventory.GroupChange{})
	var met sync.WaitGroup
	met.Add(2)
	var once [2]sync.Once
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			err := w.DB.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
				if _, err := tx.LockURL(ctx, urls[i].ID); err != nil {
					return err
				}
				once[i].Do(func() { met.Done(); met.Wait() }) // both hold their first lock
				_, err := tx.LockURL(ctx, urls[1-i].ID)
				return err
			})
			if err != nil {
				t.Errorf("transaction %d: %v", i, err)
			}
		})
	}
	all.Wait()
}

func TestOpeningWaitsForADatabaseThatStartsUp(t *testing.T) {
	wire := newWire(t, vcdtest.Database(t))
	wire.hold()
	opened := make(chan error, 1)
	go func() {
		d, err := db.Open(t.Context(), db.Config{URL: wire.url})
		if err == nil {
			d.Close()
		}
		opened <- err
	}()
	for range 2 { // the first attempt was given up
		<-wire.arrived
	}
	wire.release()
	must(t, <-opened)
}
