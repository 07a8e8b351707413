package pg_test

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

	"afterimage/db"
	"afterimage/internal/vcdtest"
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
	g, _ := w.Group("busy", 0, inventory.GroupChange{})
	start, err := w.Service.Outbound.LastEvent(t.Context(), w.Actor)
	must(t, err)
	reading, stopReading := context.WithCancel(t.Context())
	defer stopReading()
	seen := make(chan []int64, 1)
	go func() { seen <- w.poll(reading, start) }()
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for i := range rounds {
				err := w.DB.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
					now := w.Clock.Now()
					for range 2 {
						if err := tx.AppendEvents(ctx, &vcd.Event{Kind: vcd.EventGroupUpdated, SubjectType: vcd.SubjectGroup,
							SubjectID: g.ID, CreatedAt: now}); err != nil {
							return err
						}
						pause(ctx, 2*time.Millisecond)
					}
					if i%5 == 0 {
						return vcdtest.ErrOnPurpose
					}
					return nil
				})
				if (i%5 == 0) != errors.Is(err, vcdtest.ErrOnPurpose) {
					t.Errorf("write: %v", err)
				}
			}
		})
	}
	all.Wait()
	last, err := w.Service.Outbound.LastEvent(t.Context(), w.Actor)
	must(t, err)
	if want := start + 2*writers*rounds*4/5; last != want {
		t.Errorf("the last event is %d, want %d", last, want)
	}
	_, err = w.Service.Accounts.UpdateAccount(t.Context(), w.Actor, account.Change{Company: vcd.Some("the end")})
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
	w.CheckInvariants()
}

// poll reads the numbers of events again and again, as a stream would, until the account is updated.
func (w *world) poll(ctx context.Context, after int64) []int64 {
	var numbers []int64
	for ctx.Err() == nil {
		events, err := w.Service.Outbound.EventsAfter(ctx, w.Actor, after, nil, 7)
		if err != nil {
			w.T.Errorf("read events: %v", err)
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
				err := w.DB.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
					u := &vcd.URL{ID: id, Account: w.Account.ID, Address: string(id), CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now()}
					if err := tx.EnqueueCapture(ctx, vcd.CaptureJob{Account: w.Account.ID, Entry: id}); err != nil {
						return err
					}
					if _, _, err := tx.EnsureURL(ctx, u); err != nil {
						return err
					}
					if i%3 == 0 {
						return vcdtest.ErrOnPurpose
					}
					return tx.AppendEvents(ctx, &vcd.Event{Kind: vcd.EventURLCreated, SubjectType: vcd.SubjectURL, SubjectID: id,
						CreatedAt: w.Clock.Now()})
				})
				switch {
				case err == nil:
					mu.Lock()
					kept = append(kept, string(id))
					mu.Unlock()
				case !errors.Is(err, vcdtest.ErrOnPurpose):
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
		if got := vcdtest.Value[[]string](w.World, query); !slices.Equal(got, kept) {
			t.Errorf("%d %s for %d commits, or others", len(got), what, len(kept))
		}
	}
}

// failingQueue breaks the transaction's connection state in a savepoint, recovers, and then refuses.
type failingQueue struct {
	vcdtest.TableQueue
	refuse bool
}

func (q failingQueue) EnqueueCompare(ctx context.Context, jobs ...vcd.CompareJob) error {
	if err := q.Tx.Commit(ctx); err == nil {
		return errors.New("a borrowed transaction was committed")
	}
	if err := q.Tx.Rollback(ctx); err == nil {
		return errors.New("a borrowed transaction was rolled back")
	}
	inner, err := q.Tx.Begin(ctx)
	if err != nil {
		return err
	}
	if err := (vcdtest.TableQueue{Tx: inner}).EnqueueCompare(ctx, jobs...); err != nil {
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
	if inner, err = q.Tx.Begin(ctx); err != nil {
		return err
	}
	if err := (vcdtest.TableQueue{Tx: inner}).EnqueueCompare(ctx, jobs...); err != nil {
		return err
	}
	if err := inner.Commit(ctx); err != nil {
		return err
	}
	if q.refuse {
		return vcdtest.ErrOnPurpose
	}
	return nil
}

func TestABorrowedTransactionKnowsSavepointsOnly(t *testing.T) {
	for _, refuse := range []bool{false, true} {
		t.Run(fmt.Sprintf("refuse %t", refuse), func(t *testing.T) {
			w := newWorld(t)
			d := vcdtest.OpenURL(t, w.URL, func(tx pgx.Tx) vcd.Queue { return failingQueue{vcdtest.TableQueue{Tx: tx}, refuse} })
			err := d.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
				return tx.EnqueueCompare(ctx, vcd.CompareJob{Account: w.Account.ID, Entry: w.Account.ID})
			})
			if refuse != errors.Is(err, vcdtest.ErrOnPurpose) {
				t.Fatal(err)
			}
			if n := len(w.Jobs("compare")); (n == 1) == refuse {
				t.Errorf("%d jobs", n)
			}
		})
	}
}

func TestReadingRefusesWrites(t *testing.T) {
	w := newWorld(t)
	g, urls := w.Group("still", 1, inventory.GroupChange{})
	for name, write := range map[string]func(ctx context.Context, tx *db.Tx) error{
		"update":   func(ctx context.Context, tx *db.Tx) error { return tx.UpdateGroup(ctx, g) },
		"lock":     func(ctx context.Context, tx *db.Tx) error { _, err := tx.LockURL(ctx, urls[0].ID); return err },
		"event":    func(ctx context.Context, tx *db.Tx) error { return tx.AppendEvents(ctx, &vcd.Event{}) },
		"settle":   func(ctx context.Context, tx *db.Tx) error { return tx.SettleChecks(ctx, 1, 0) },
		"reserve":  func(ctx context.Context, tx *db.Tx) error { _, err := tx.ReserveChecks(ctx, 1); return err },
		"enqueue":  func(ctx context.Context, tx *db.Tx) error { return tx.EnqueueCapture(ctx, vcd.CaptureJob{}) },
		"complete": func(ctx context.Context, tx *db.Tx) error { return tx.CompleteJob(ctx) },
	} {
		if err := w.DB.Read(t.Context(), w.Actor, write); err == nil {
			t.Errorf("%s: a reading transaction wrote", name)
		}
	}
}

func TestNobodyIsNotTheSystem(t *testing.T) {
	w := newWorld(t)
	do := func(context.Context, *db.Tx) error { t.Error("a transaction of nobody runs"); return nil }
	if w.DB.InTx(t.Context(), vcd.Actor{}, do) == nil || w.DB.Read(t.Context(), vcd.Actor{}, do) == nil {
		t.Error("a transaction of nobody is fine")
	}
}

func TestAPanicKeepsNothing(t *testing.T) {
	w := newWorld(t)
	func() {
		defer func() { _ = recover() }()
		_ = w.DB.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
			u := &vcd.URL{ID: w.Account.ID, Account: w.Account.ID, Address: "x.test", CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now()}
			_, _, err := tx.EnsureURL(ctx, u)
			must(t, err)
			panic("on purpose")
		})
	}()
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM urls"); n != 0 {
		t.Errorf("%d URLs were kept", n)
	}
	if n := w.DB.Pool().Stat().AcquiredConns(); n != 0 {
		t.Errorf("%d connections are still out", n)
	}
}
