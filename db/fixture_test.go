package db_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// clock is a clock that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// openBox "seals" in the open: these tests are not about secrets.
type openBox struct{}

func (openBox) Seal(purpose, plain string) ([]byte, error) { return []byte(purpose + ":" + plain), nil }

func (openBox) Open(purpose string, sealed []byte) (string, error) {
	plain, ok := strings.CutPrefix(string(sealed), purpose+":")
	if !ok {
		return "", errors.New("sealed for another purpose")
	}
	return plain, nil
}

// jobTable is a background queue that is a table: it holds the jobs of committed transactions, and only those.
const jobTable = `CREATE TABLE test_jobs (
	id bigint GENERATED ALWAYS AS IDENTITY, kind text NOT NULL, account uuid NOT NULL, entry uuid NOT NULL, at timestamptz)`

type tableQueue struct{ tx pgx.Tx }

func newTableQueue(tx pgx.Tx) vcd.Queue { return tableQueue{tx: tx} }

func (q tableQueue) EnqueueCapture(ctx context.Context, jobs ...vcd.CaptureJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "capture", j.Account, j.Entry); err != nil {
			return err
		}
	}
	return nil
}

func (q tableQueue) EnqueueCompare(ctx context.Context, jobs ...vcd.CompareJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "compare", j.Account, j.Entry); err != nil {
			return err
		}
	}
	return nil
}

func (q tableQueue) EnqueueDeliver(ctx context.Context, jobs ...vcd.DeliverJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "deliver", j.Account, j.Delivery); err != nil {
			return err
		}
	}
	return nil
}

func (q tableQueue) EnqueueImport(ctx context.Context, jobs ...vcd.ImportJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "import", j.Account, j.Import); err != nil {
			return err
		}
	}
	return nil
}

func (q tableQueue) EnqueueMail(ctx context.Context, jobs ...vcd.MailJob) error {
	for _, j := range jobs {
		if err := q.insert(ctx, "mail", j.Account, j.Mail); err != nil {
			return err
		}
	}
	return nil
}

func (q tableQueue) insert(ctx context.Context, kind string, account, entry vcd.ID) error {
	_, err := q.tx.Exec(ctx, "INSERT INTO test_jobs (kind, account, entry) VALUES ($1, $2, $3)", kind, string(account), string(entry))
	return err
}

// CancelJobs removes the jobs of entries.
func (q tableQueue) CancelJobs(ctx context.Context, subjects ...vcd.ID) error {
	for _, id := range subjects {
		if _, err := q.tx.Exec(ctx, "DELETE FROM test_jobs WHERE entry = $1", string(id)); err != nil {
			return err
		}
	}
	return nil
}

// CompleteJob removes the oldest job of the entry that the context works on.
func (q tableQueue) CompleteJob(ctx context.Context) error {
	entry, ok := ctx.Value(workingOn{}).(vcd.ID)
	if !ok {
		return nil
	}
	_, err := q.tx.Exec(ctx, "DELETE FROM test_jobs WHERE id = (SELECT min(id) FROM test_jobs WHERE entry = $1)", string(entry))
	return err
}

type workingOn struct{}

// world is a database with the use cases on top and one account in it.
type world struct {
	t       *testing.T
	db      *db.DB
	url     string
	service *app.Service
	clock   *clock
	account *vcd.Account
	actor   vcd.Actor
}

// newWorld lets the test run beside others: each has a database of its own.
func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	url := database(t)
	w := &world{t: t, url: url, db: openURL(t, url, newTableQueue), clock: newClock()}
	w.exec(jobTable)
	w.service = app.New(vcd.Config{
		Store: w.db, Feed: w.db, Clock: w.clock, IDs: vcd.RandomIDs{}, Sealer: openBox{}, RetryDelay: 10 * time.Second,
	})
	w.employ("plenty", 10_000, 10_000)
	w.account = w.newAccount("ada@example.com", 0)
	w.actor = vcd.Actor{Account: w.account.ID}
	return w
}

func (w *world) newAccount(email string, checks int) *vcd.Account {
	w.t.Helper()
	a, _, err := w.service.Accounts.CreateAccount(w.t.Context(), account.Input{NameFirst: "A", NameLast: "B", Email: email,
		ChecksLimit: checks})
	must(w.t, err)
	return a
}

// finish ends a comparison with what was found.
func (w *world) finish(task *run.CompareTask, found run.CompareResult) *vcd.Comparison {
	w.t.Helper()
	c, err := w.service.Runs.FinishComparison(w.working(task.Entry.ID), w.actor, task, found)
	must(w.t, err)
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, code vcd.Code) {
	t.Helper()
	if err == nil || vcd.CodeOf(err) != code {
		t.Fatalf("got error %v, want code %s", err, code)
	}
}

// exec runs SQL past the store.
func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.db.Pool().Exec(w.t.Context(), sql, args...)
	must(w.t, err)
}

// value reads one value past the store, as the system.
func value[T any](w *world, sql string, args ...any) T {
	w.t.Helper()
	var v T
	err := pgx.BeginFunc(w.t.Context(), w.db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.t.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		return tx.QueryRow(w.t.Context(), sql, args...).Scan(&v)
	})
	must(w.t, err)
	return v
}

// group makes a group with n URLs, both devices on.
func (w *world) group(name string, n int, change inventory.GroupChange) (*vcd.Group, []*vcd.URL) {
	w.t.Helper()
	change.Name = vcd.Some(name)
	g, err := w.service.Inventory.CreateGroup(w.t.Context(), w.actor, change)
	must(w.t, err)
	var added []*vcd.URL
	var sels []inventory.SelectionChange
	for i := range n {
		u, err := w.service.Inventory.CreateURL(w.t.Context(), w.actor,
			inventory.URLChange{URL: vcd.Some(fmt.Sprintf("%s.test/%d", name, i))})
		must(w.t, err)
		added = append(added, u)
		sels = append(sels, inventory.SelectionChange{URLID: string(u.ID)})
		w.clock.advance(time.Millisecond)
	}
	if n > 0 {
		_, err = w.service.Inventory.AddURLs(w.t.Context(), w.actor, g.ID, sels)
		must(w.t, err)
	}
	return g, added
}

func (w *world) take(kind vcd.QueueType, groups ...*vcd.Group) *run.Taken {
	w.t.Helper()
	w.clock.advance(time.Second)
	in := run.TakeInput{Type: kind}
	for _, g := range groups {
		in.GroupIDs = append(in.GroupIDs, string(g.ID))
	}
	taken, err := w.service.Runs.TakeScreenshots(w.t.Context(), w.actor, in)
	must(w.t, err)
	return taken
}

// employ lets workers with so many places for captures in each region, and for all else, be there from now on.
func (w *world) employ(id string, captures, others int) {
	w.t.Helper()
	must(w.t, w.db.Beat(w.t.Context(), vcd.Worker{
		ID: id, Captures: captures, Regions: []vcd.Region{vcd.RegionEU, vcd.RegionUS}, Compares: others, Imports: others, Syncs: others,
	}))
}

// handOut hands out what may begin, and returns how much it was.
func (w *world) handOut() int {
	w.t.Helper()
	n, err := w.service.Runs.HandOut(w.t.Context(), vcd.RegionEU, time.Hour)
	must(w.t, err)
	return n
}

// jobs hands out what may begin and lists what is in the background queue; of captures and comparisons the actor's.
func (w *world) jobs(kind string) []vcd.ID {
	w.t.Helper()
	w.handOut()
	rows, err := w.db.Pool().Query(w.t.Context(), `SELECT entry::text FROM test_jobs
		WHERE kind = $1 AND (account = $2 OR kind NOT IN ('capture', 'compare')) ORDER BY id`, kind, string(w.actor.Account))
	must(w.t, err)
	entries, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(w.t, err)
	list := make([]vcd.ID, len(entries))
	for i, e := range entries {
		list[i] = vcd.ID(e)
	}
	return list
}

func (w *world) working(entry vcd.ID) context.Context {
	return context.WithValue(w.t.Context(), workingOn{}, entry)
}

// picture reserves a blob for some pixels, like a worker does before it writes the file.
func (w *world) picture(pixels string) run.Picture {
	w.t.Helper()
	sum := sha256.Sum256([]byte(pixels))
	p := run.Picture{Hash: hex.EncodeToString(sum[:]), MediaType: "image/png", Width: 1280, Height: 800, Size: len(pixels)}
	must(w.t, w.db.ReserveBlob(w.t.Context(), p.Hash, p.Size))
	return p
}

// capture does one capture job.
func (w *world) capture(entry vcd.ID, pixels string) { w.captureBy(entry, pixels, "1") }

// captureBy does one capture job by a version of the capture engine.
func (w *world) captureBy(entry vcd.ID, pixels, version string) {
	w.t.Helper()
	task, err := w.service.Runs.BeginCapture(w.working(entry), w.actor, entry)
	must(w.t, err)
	if task == nil {
		w.t.Fatalf("nothing to do for entry %s", entry)
	}
	must(w.t, w.service.Runs.FinishCapture(w.working(entry), w.actor, entry, run.CaptureResult{
		Picture: w.picture(pixels), Address: task.Address, Title: "Title \x00\xff", StatusCode: 200, FinalURL: "https://" + task.Address,
		Scheme:    "https",
		SCVersion: version, Console: []page.ConsoleEntry{{Text: "nul \x00", Type: "log"}}, Manifest: []byte(`{"why":"\u0000"}`),
	}))
}

// compare does one comparison job.
func (w *world) compare(entry vcd.ID, percent float64) {
	w.t.Helper()
	task, err := w.service.Runs.BeginComparison(w.working(entry), w.actor, entry)
	must(w.t, err)
	result := run.CompareResult{Difference: vcd.Difference{Percent: percent, Width: 1280, Height: 800}}
	if percent > 0 {
		p := w.picture("mask of " + string(entry))
		p.Over = task.After.Image.Hash
		result.Picture = &p
		result.Difference.Regions = []vcd.ChangedRegion{{ID: 1, X: 2, Y: 3, Width: 4, Height: 5, Pixels: 6, Fingerprint: "f1"}}
		result.Traces = &vcd.Traces{Regions: []vcd.RegionMarks{{Region: 1, Marks: []string{"cart-total"}}}}
	}
	w.finish(task, result)
}

// asSystem runs SQL past the store and past row level security.
func (w *world) asSystem(sql string, args ...any) {
	w.t.Helper()
	must(w.t, pgx.BeginFunc(w.t.Context(), w.db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.t.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		_, err := tx.Exec(w.t.Context(), sql, args...)
		return err
	}))
}
