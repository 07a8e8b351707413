package db_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
)

// The spine test: accounts of several writers each, and readers that come and go.
const (
	spineAccounts = 4
	spineWriters  = 4   // of each account
	spineReaders  = 3   // of each account
	spineBurst    = 5   // most events of one transaction
	spineVisit    = 100 // most events that a reader takes before it breaks off
)

// spineSize is how many events each writer writes.
func spineSize() int {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 10_000
	}
	return 150
}

// TestTheSpineLosesRepeatsAndSwapsNothing lets 16 writers append events in transactions of random length, some of which are
// not kept, while readers follow, are cut off and come back, and the connection that wakes them is killed again and again.
func TestTheSpineLosesRepeatsAndSwapsNothing(t *testing.T) {
	w := newWorld(t)
	size := spineSize()
	elsewhere := vcdtest.OpenURL(t, w.URL, nil) // half of the readers are in another process
	var writers, readers sync.WaitGroup
	written := make(chan struct{})
	ctx, fail := context.WithCancel(t.Context()) // what is not written is not waited for
	defer fail()
	reconnects := make(chan int, spineAccounts*spineReaders)
	before := map[vcd.ID]int64{}
	for a := range spineAccounts {
		account := w.NewAccount(fmt.Sprintf("spine%d@example.com", a), 0)
		last := vcdtest.Value[int64](w.World, "SELECT last_event FROM accounts WHERE id = $1", string(account.ID))
		before[account.ID] = last
		for i := range spineWriters {
			writers.Go(func() {
				if err := w.write(account.ID, i, size); err != nil {
					t.Errorf("writer %d: %v", i, err)
					fail()
				}
			})
		}
		for i := range spineReaders {
			store := []*db.DB{w.DB, elsewhere}[i%2]
			readers.Go(func() { reconnects <- w.follow(ctx, store, account.ID, last, last+spineWriters*int64(size)) })
		}
	}
	var killer sync.WaitGroup
	killer.Go(func() { w.killListeners(written) })
	writers.Wait()
	readers.Wait()
	close(written)
	killer.Wait()
	close(reconnects)
	total := 0
	for n := range reconnects {
		total += n
	}
	t.Logf("%d events of %d writers, read by %d readers that reconnected %d times", spineAccounts*spineWriters*size,
		spineAccounts*spineWriters,
		spineAccounts*spineReaders, total)
	for account, last := range before {
		got := vcdtest.Value[string](w.World, "SELECT count(*) || ' ' || max(number) FROM events WHERE account_id = $1 AND number > $2",
			string(account), last)
		if want := fmt.Sprint(spineWriters*size, " ", last+spineWriters*int64(size)); got != want {
			t.Errorf("account %s has %s events and the highest number, want %s", account, got, want)
		}
	}
}

// mark is the subject of a writer's n-th event.
func mark(writer, n int) vcd.ID {
	var id uuid.UUID
	binary.BigEndian.PutUint32(id[0:], uint32(writer))
	binary.BigEndian.PutUint32(id[4:], uint32(n))
	return vcd.ID(id.String())
}

func readMark(id vcd.ID) (writer, n int) {
	parsed := uuid.MustParse(string(id))
	return int(binary.BigEndian.Uint32(parsed[0:])), int(binary.BigEndian.Uint32(parsed[4:]))
}

// write appends a writer's events in order. One transaction in ten is not kept, and its events are written again.
func (w *world) write(account vcd.ID, writer, size int) error {
	for n := 0; n < size; {
		burst := min(1+rand.IntN(spineBurst), size-n)
		fails := rand.IntN(10) == 0
		err := w.DB.InTx(w.T.Context(), vcd.Actor{Account: account}, func(ctx context.Context, tx *db.Tx) error {
			if _, err := tx.LastEvent(ctx); err != nil { // the transaction has begun, and has seen the events as they are now
				return err
			}
			for i := range burst {
				e := &vcd.Event{Kind: vcd.EventAccountUpdated, SubjectType: vcd.SubjectAccount, SubjectID: mark(writer, n+i),
					CreatedAt: w.Clock.Now()}
				if err := tx.AppendEvents(ctx, e); err != nil {
					return err
				}
			}
			if err := w.dawdle(ctx); err != nil {
				return err
			}
			if fails {
				return vcdtest.ErrOnPurpose
			}
			return nil
		})
		switch {
		case err == nil:
			n += burst
		case !fails:
			return err
		}
	}
	return nil
}

// dawdle takes up to four milliseconds, by the database's clock. Its connection is none of those that transactions have: if all waited
// for one more, none would get it.
func (w *world) dawdle(ctx context.Context) error {
	_, err := w.DB.SystemPool().Exec(ctx, "SELECT pg_sleep($1)", rand.Float64()*0.004)
	return err
}

// follow reads an account's events to the last. It breaks off again and again and goes on from where it was. It returns
// how often.
func (w *world) follow(ctx context.Context, store *db.DB, account vcd.ID, position, last int64) (reconnects int) {
	service := w.Service.With(func(c *app.Config) { c.Store, c.Feed = store, store })
	next := map[int]int{} // event of each writer
	for ; position < last && ctx.Err() == nil; reconnects++ {
		ctx, cancel := context.WithCancel(ctx)
		events, err := service.Outbound.Stream(ctx, vcd.Actor{Account: account}, &position, nil)
		if err != nil {
			cancel()
			w.T.Errorf("follow: %v", err)
			return reconnects
		}
		for range 1 + rand.IntN(spineVisit) {
			e := w.Receive(events)
			if e == nil {
				break
			}
			writer, n := readMark(e.SubjectID)
			if e.Account != account || e.Number != position+1 || n != next[writer] {
				w.T.Errorf("event %d of writer %d has number %d, want event %d after %d", n, writer, e.Number, next[writer], position)
			}
			next[writer]++
			if position = e.Number; position == last {
				break
			}
		}
		cancel()
		if w.T.Failed() {
			return reconnects
		}
	}
	return reconnects
}

// killListeners ends the connections on which the processes are woken, until done.
func (w *world) killListeners(done <-chan struct{}) {
	conn, err := pgx.Connect(context.Background(), w.URL)
	if err != nil {
		w.T.Error(err)
		return
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for {
		select {
		case <-done:
			return
		default:
		}
		_, err := conn.Exec(context.Background(), `SELECT pg_terminate_backend(pid), pg_sleep($1) FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'LISTEN%'`, 0.2+rand.Float64()/5)
		if err == nil {
			_, err = conn.Exec(context.Background(), "SELECT pg_sleep(0.1)")
		}
		if err != nil {
			w.T.Error(err)
			return
		}
	}
}

func TestTheStoreWorksAsRolesThatOwnNothing(t *testing.T) {
	t.Parallel()
	vcdtest.RunThrough(t, "roles", "TestTheSpineLosesRepeatsAndSwapsNothing")
}
