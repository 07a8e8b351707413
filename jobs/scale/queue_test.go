package scale_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"afterimage/db"
	"afterimage/internal/processtree"
	"afterimage/vcd"
)

// TestTheQueueItself lets turns of many accounts be handed out, become jobs, be fetched and end, with nothing done in between, on
// two workers: each ends once. In full it tells how many a second, however many wait.
func TestTheQueueItself(t *testing.T) {
	accounts, lanes, waiting, most := 4, 25, []int{400}, 400
	if full() {
		accounts, lanes, waiting, most = 50, 1000, []int{1000, 10_000, 100_000}, 10_000
	}
	f := newFleet(t, newStub(0), accounts, 0, 0)
	for _, n := range waiting {
		f.crowd(n)
		q := &idleQueue{ended: make(chan struct{}, 1), most: int64(min(n, most)), done: make(chan struct{})}
		stop := q.work(f, 2, lanes)
		postmaster := parentOf(t, ask[int](f, "SELECT pg_backend_pid()"))
		began, own, postgres := time.Now(), ownTime(t), processtree.CPUTime(postmaster)
		q.handOut(f)
		took, own, postgres := time.Since(began), ownTime(t)-own, processtree.CPUTime(postmaster)-postgres
		ended := float64(q.count.Load())
		stop()
		t.Logf("of %d waiting turns %.0f ended in %.2f s, %.0f/s; %d steps took %.0f µs for each that they handed out; for each that "+
			"ended %.0f CPU-µs of workers, %.0f of Postgres", n, ended, took.Seconds(), ended/took.Seconds(), q.steps,
			q.handing.Seconds()*1e6/float64(q.handed), own.Seconds()*1e6/ended, postgres.Seconds()*1e6/ended)
		if left := ask[int](f, "SELECT count(*) FROM turns"); left != n-int(q.count.Load()) || q.count.Load() < q.most {
			t.Errorf("%d turns are left of %d, %d ended", left, n, q.count.Load())
		}
		if jobs := ask[int](f, "SELECT count(*) FROM river_job WHERE kind = 'capture'"); jobs != q.handed {
			t.Errorf("%d jobs for %d turns", jobs, q.handed)
		}
		f.system("DELETE FROM turns")
		f.system("DELETE FROM river_job")
	}
}

// crowd lets so many turns wait: of each account in ten batches, of as many hosts as nobody has to wait for.
func (f *fleet) crowd(n int) {
	f.t.Helper()
	for _, a := range f.accounts {
		f.system(`INSERT INTO turns (account_id, subject_id, kind, queue, payer_id, batch_id, delay, host, at)
			SELECT $1, gen_random_uuid(), 'capture', 'eu', $1, b.id, 0, b.id || '-' || n / 4, now()
			FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 10)) AS b, generate_series(1, $2::integer) AS n`,
			a.Account, n/len(f.accounts)/10)
	}
	f.system("ANALYZE turns")
}

// system runs SQL for all accounts.
func (f *fleet) system(query string, args ...any) {
	f.t.Helper()
	must(f.t, pgx.BeginFunc(f.t.Context(), f.db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(f.t.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		_, err := tx.Exec(f.t.Context(), query, args...)
		return err
	}))
}

// idleQueue hands out turns whose jobs do nothing.
type idleQueue struct {
	ended chan struct{} // something ended
	count atomic.Int64
	most  int64         // this many are to end
	done  chan struct{} // they have
	once  sync.Once

	steps, handed int
	handing       time.Duration
}

// work starts workers and returns what stops them.
func (q *idleQueue) work(f *fleet, workers, lanes int) (stop func()) {
	f.t.Helper()
	var clients []*river.Client[pgx.Tx]
	var stores []*db.DB
	for i := range workers {
		store, _ := f.member()
		jobs := river.NewWorkers()
		river.AddWorker(jobs, &idler{store: store, queue: q})
		client, err := river.NewClient(riverpgxv5.New(store.Pool()), &river.Config{Workers: jobs, FetchCooldown: 20 * time.Millisecond,
			Queues: map[string]river.QueueConfig{"capture_eu": {MaxWorkers: lanes}}, Logger: slog.New(slog.DiscardHandler)})
		must(f.t, err)
		must(f.t, client.Start(f.t.Context()))
		must(f.t, f.db.Beat(f.t.Context(), vcd.Worker{ID: string(rune('a' + i)), Captures: lanes, Regions: []vcd.Region{vcd.RegionEU}}))
		clients, stores = append(clients, client), append(stores, store)
	}
	return func() {
		for i, client := range clients {
			must(f.t, client.Stop(context.WithoutCancel(f.t.Context())))
			stores[i].Close()
		}
	}
}

// handOut hands out whenever something has ended, until enough has.
func (q *idleQueue) handOut(f *fleet) {
	f.t.Helper()
	for {
		began := time.Now()
		n, err := f.db.HandOut(f.t.Context(), vcd.SystemClock{}.Now(), vcd.HandOutRules{Home: vcd.RegionEU, Silence: time.Hour,
			HostCaptures: hostCaptures})
		must(f.t, err)
		q.handing += time.Since(began)
		q.handed += n
		q.steps++
		select {
		case <-q.ended:
		case <-q.done:
			return
		case <-f.t.Context().Done():
			f.t.Fatal("the jobs do not end")
		}
	}
}

func (q *idleQueue) end() {
	if q.count.Add(1) >= q.most {
		q.once.Do(func() { close(q.done) })
	}
	select {
	case q.ended <- struct{}{}:
	default:
	}
}

// idleArgs are those of a capture.
type idleArgs struct {
	Account vcd.ID `json:"account"`
	Entry   vcd.ID `json:"entry"`
}

// Kind implements river.JobArgs.
func (idleArgs) Kind() string { return "capture" }

// idler ends its turns.
type idler struct {
	river.WorkerDefaults[idleArgs]

	store *db.DB
	queue *idleQueue
}

// Work implements river.Worker.
func (w *idler) Work(ctx context.Context, job *river.Job[idleArgs]) error {
	defer w.queue.end()
	return w.store.InTx(ctx, vcd.Actor{Account: job.Args.Account}, func(ctx context.Context, tx *db.Tx) error {
		return tx.EndTurn(ctx, job.Args.Entry)
	})
}
