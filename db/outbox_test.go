package db_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
)

// pause waits a little, as long as a transaction may take over its work.
func pause(ctx context.Context, limit time.Duration) {
	timer := time.NewTimer(rand.N(limit))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func TestEventsBecomeVisibleInOrderWithoutAGap(t *testing.T) {
	w := newWorld(t)
	const writers, rounds = 16, 25
	g, _ := w.group("busy", 0, inventory.GroupChange{})
	start, err := w.service.Outbound.LastEvent(t.Context(), w.actor)
	must(t, err)
	reading, stopReading := context.WithCancel(t.Context())
	defer stopReading()
	seen := make(chan []int64, 1)
	go func() { seen <- w.poll(reading, start) }()
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for i := range rounds {
				err := w.db.InTx(t.Context(), w.actor, func(ctx context.Context, tx vcd.Tx) error {
					now := w.clock.Now()
					for range 2 {
						if err := tx.AppendEvents(ctx, &vcd.Event{Kind: vcd.EventGroupUpdated, SubjectType: vcd.SubjectGroup,
							SubjectID: g.ID, CreatedAt: now}); err != nil {
							return err
						}
						pause(ctx, 2*time.Millisecond)
					}
					if i%5 == 0 {
						return errOnPurpose
					}
					return nil
				})
				if (i%5 == 0) != errors.Is(err, errOnPurpose) {
					t.Errorf("write: %v", err)
				}
			}
		})
	}
	all.Wait()
	last, err := w.service.Outbound.LastEvent(t.Context(), w.actor)
	must(t, err)
	if want := start + 2*writers*rounds*4/5; last != want {
		t.Errorf("the last event is %d, want %d", last, want)
	}
	_, err = w.service.Accounts.UpdateAccount(t.Context(), w.actor, account.Change{Company: vcd.Some("the end")})
	must(t, err)
	numbers := <-seen
	for i, n := range numbers {
		if n != start+int64(i)+1 {
			t.Fatalf("the reader saw number %d at place %d after %d", n, i, start)
		}
	}
	if len(numbers) != int(last-start) {
		t.Errorf("the reader saw %d events of %d", len(numbers), last-start)
	}
	w.checkInvariants()
}

var errOnPurpose = errors.New("on purpose")

// poll reads the numbers of events again and again, as a stream would, until the account is updated.
func (w *world) poll(ctx context.Context, after int64) []int64 {
	var numbers []int64
	for ctx.Err() == nil {
		events, err := w.service.Outbound.EventsAfter(ctx, w.actor, after, nil, 7)
		if err != nil {
			w.t.Errorf("read events: %v", err)
			return numbers
		}
		for _, e := range events {
			if e.Kind == vcd.EventAccountUpdated {
				return numbers
			}
			numbers = append(numbers, e.Number)
			after = e.Number
		}
	}
	return numbers
}

func TestJobsAndRowsAreOneCommit(t *testing.T) {
	w := newWorld(t)
	const writers, rounds = 12, 40
	var mu sync.Mutex
	var kept []string
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for i := range rounds {
				id := vcd.RandomIDs{}.NewID()
				err := w.db.InTx(t.Context(), w.actor, func(ctx context.Context, tx vcd.Tx) error {
					u := &vcd.URL{ID: id, Account: w.account.ID, Address: string(id), CreatedAt: w.clock.Now(), UpdatedAt: w.clock.Now()}
					if err := tx.EnqueueCapture(ctx, vcd.CaptureJob{Account: w.account.ID, Entry: id}); err != nil {
						return err
					}
					if _, _, err := tx.EnsureURL(ctx, u); err != nil {
						return err
					}
					if i%3 == 0 {
						return errOnPurpose
					}
					return tx.AppendEvents(ctx, &vcd.Event{Kind: vcd.EventURLCreated, SubjectType: vcd.SubjectURL, SubjectID: id,
						CreatedAt: w.clock.Now()})
				})
				switch {
				case err == nil:
					mu.Lock()
					kept = append(kept, string(id))
					mu.Unlock()
				case !errors.Is(err, errOnPurpose):
					t.Errorf("write: %v", err)
				}
			}
		})
	}
	all.Wait()
	slices.Sort(kept)
	for what, query := range map[string]string{
		"jobs":   "SELECT coalesce(array_agg(entry::text ORDER BY entry::text), '{}') FROM test_jobs",
		"rows":   "SELECT coalesce(array_agg(id::text ORDER BY id::text), '{}') FROM urls",
		"events": "SELECT coalesce(array_agg(subject_id::text ORDER BY subject_id::text), '{}') FROM events",
	} {
		if got := value[[]string](w, query); !slices.Equal(got, kept) {
			t.Errorf("%d %s for %d commits, or others", len(got), what, len(kept))
		}
	}
}

// failingQueue breaks the transaction's connection state in a savepoint, recovers, and then refuses.
type failingQueue struct {
	tableQueue
	refuse bool
}

func (q failingQueue) EnqueueCompare(ctx context.Context, jobs ...vcd.CompareJob) error {
	if err := q.tx.Commit(ctx); err == nil {
		return errors.New("a borrowed transaction was committed")
	}
	if err := q.tx.Rollback(ctx); err == nil {
		return errors.New("a borrowed transaction was rolled back")
	}
	inner, err := q.tx.Begin(ctx)
	if err != nil {
		return err
	}
	if err := (tableQueue{tx: inner}).EnqueueCompare(ctx, jobs...); err != nil {
		return err
	}
	if _, err := inner.Exec(ctx, "SELECT 1/0"); err == nil {
		return errors.New("a division by zero was fine")
	}
	if err := inner.Rollback(ctx); err != nil {
		return err
	}
	if err := inner.Commit(ctx); !errors.Is(err, pgx.ErrTxClosed) {
		return errors.New("a savepoint was ended twice")
	}
	if inner, err = q.tx.Begin(ctx); err != nil {
		return err
	}
	if err := (tableQueue{tx: inner}).EnqueueCompare(ctx, jobs...); err != nil {
		return err
	}
	if err := inner.Commit(ctx); err != nil {
		return err
	}
	if q.refuse {
		return errOnPurpose
	}
	return nil
}

func TestALentTransactionKnowsSavepointsOnly(t *testing.T) {
	for _, refuse := range []bool{false, true} {
		t.Run(fmt.Sprintf("refuse %t", refuse), func(t *testing.T) {
			w := newWorld(t)
			d := openURL(t, w.url, func(tx pgx.Tx) vcd.Queue { return failingQueue{tableQueue{tx: tx}, refuse} })
			err := d.InTx(t.Context(), w.actor, func(ctx context.Context, tx vcd.Tx) error {
				return tx.EnqueueCompare(ctx, vcd.CompareJob{Account: w.account.ID, Entry: w.account.ID})
			})
			if refuse != errors.Is(err, errOnPurpose) {
				t.Fatal(err)
			}
			if n := len(w.jobs("compare")); (n == 1) == refuse {
				t.Errorf("%d jobs", n)
			}
		})
	}
}

func TestReadingRefusesWrites(t *testing.T) {
	w := newWorld(t)
	g, urls := w.group("still", 1, inventory.GroupChange{})
	for name, write := range map[string]func(ctx context.Context, tx vcd.Tx) error{
		"update":   func(ctx context.Context, tx vcd.Tx) error { return tx.UpdateGroup(ctx, g) },
		"lock":     func(ctx context.Context, tx vcd.Tx) error { _, err := tx.LockURL(ctx, urls[0].ID); return err },
		"event":    func(ctx context.Context, tx vcd.Tx) error { return tx.AppendEvents(ctx, &vcd.Event{}) },
		"settle":   func(ctx context.Context, tx vcd.Tx) error { return tx.SettleChecks(ctx, 1, 0) },
		"reserve":  func(ctx context.Context, tx vcd.Tx) error { _, err := tx.ReserveChecks(ctx, 1); return err },
		"enqueue":  func(ctx context.Context, tx vcd.Tx) error { return tx.EnqueueCapture(ctx, vcd.CaptureJob{}) },
		"complete": func(ctx context.Context, tx vcd.Tx) error { return tx.CompleteJob(ctx) },
	} {
		if err := w.db.Read(t.Context(), w.actor, write); err == nil {
			t.Errorf("%s: a reading transaction wrote", name)
		}
	}
}

func TestNobodyIsNotTheSystem(t *testing.T) {
	w := newWorld(t)
	do := func(context.Context, vcd.Tx) error { t.Error("a transaction of nobody runs"); return nil }
	if w.db.InTx(t.Context(), vcd.Actor{}, do) == nil || w.db.Read(t.Context(), vcd.Actor{}, do) == nil {
		t.Error("a transaction of nobody is fine")
	}
}

func TestAPanicKeepsNothing(t *testing.T) {
	w := newWorld(t)
	func() {
		defer func() { _ = recover() }()
		_ = w.db.InTx(t.Context(), w.actor, func(ctx context.Context, tx vcd.Tx) error {
			u := &vcd.URL{ID: w.account.ID, Account: w.account.ID, Address: "x.test", CreatedAt: w.clock.Now(), UpdatedAt: w.clock.Now()}
			_, _, err := tx.EnsureURL(ctx, u)
			must(t, err)
			panic("on purpose")
		})
	}()
	if n := value[int](w, "SELECT count(*) FROM urls"); n != 0 {
		t.Errorf("%d URLs were kept", n)
	}
	if n := w.db.Pool().Stat().AcquiredConns(); n != 0 {
		t.Errorf("%d connections are still out", n)
	}
}
