// Package vcdtest provides the fixture of the tests: a separate database with all use cases, an account, a clock that tests
// advance, and helpers for runs, changes and deliveries.
package vcdtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
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

// World is a database with the use cases and one account.
type World struct {
	T       *testing.T
	DB      *db.DB
	URL     string
	Service *app.Service
	Clock   *Clock
	Account *vcd.Account
	Actor   vcd.Actor
}

// New marks the test as parallel and creates its own database.
func New(t *testing.T) *World {
	t.Helper()
	t.Parallel()
	url := Database(t)
	w := &World{T: t, URL: url, DB: OpenURL(t, url, NewTableQueue), Clock: NewClock()}
	w.Exec(JobTable)
	if isThrough("roles") {
		w.Exec("GRANT SELECT, INSERT, UPDATE, DELETE ON test_jobs TO PUBLIC")
	}
	w.Service = app.New(app.Config{
		Store: w.DB,
		Config: vcd.Config{
			Feed: w.DB, Clock: w.Clock, IDs: vcd.RandomIDs{}, Sealer: OpenBox{}, RetryDelay: 10 * time.Second,
		},
	})
	w.Employ("plenty", 10_000, 10_000)
	w.Account = w.NewAccount("ada@example.com", 0)
	w.Actor = vcd.Actor{Account: w.Account.ID}
	return w
}

// NewAccount opens a full account.
func (w *World) NewAccount(email string, checks int) *vcd.Account {
	w.T.Helper()
	a, _, err := w.Service.Accounts.CreateAccount(w.T.Context(), account.Input{NameFirst: "A", NameLast: "B", Email: email,
		ChecksLimit: checks})
	Must(w.T, err)
	return a
}

// Finish ends a comparison with the given result.
func (w *World) Finish(task *run.CompareTask, found run.CompareResult) *vcd.Comparison {
	w.T.Helper()
	c, err := w.Service.Runs.FinishComparison(w.Working(task.Entry.ID), w.Actor, task, found)
	Must(w.T, err)
	return c
}

// Must ends the test on an error.
func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// WantCode ends the test unless the error has the code.
func WantCode(t *testing.T, err error, code vcd.Code) {
	t.Helper()
	if err == nil || vcd.CodeOf(err) != code {
		t.Fatalf("got error %v, want code %s", err, code)
	}
}

// Exec runs SQL that bypasses the store, as the owner of the tables.
func (w *World) Exec(sql string, args ...any) {
	w.T.Helper()
	if !isThrough("roles") {
		_, err := w.DB.Pool().Exec(w.T.Context(), sql, args...)
		Must(w.T, err)
		return
	}
	config, err := pgx.ParseConfig(w.URL)
	Must(w.T, err)
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(w.T.Context(), config)
	Must(w.T, err)
	_, err = conn.Exec(w.T.Context(), sql, args...)
	Must(w.T, errors.Join(err, conn.Close(w.T.Context())))
}

// Value reads one value as the system, bypassing the store.
func Value[T any](w *World, sql string, args ...any) T {
	w.T.Helper()
	var v T
	err := pgx.BeginFunc(w.T.Context(), w.DB.SystemPool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.T.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		return tx.QueryRow(w.T.Context(), sql, args...).Scan(&v)
	})
	Must(w.T, err)
	return v
}

// Group creates a group with n URLs, both devices enabled.
func (w *World) Group(name string, n int, change inventory.GroupChange) (*vcd.Group, []*vcd.URL) {
	w.T.Helper()
	change.Name = vcd.Some(name)
	g, err := w.Service.Inventory.CreateGroup(w.T.Context(), w.Actor, change)
	Must(w.T, err)
	var added []*vcd.URL
	var sels []inventory.SelectionChange
	for i := range n {
		u, err := w.Service.Inventory.CreateURL(w.T.Context(), w.Actor,
			inventory.URLChange{URL: vcd.Some(fmt.Sprintf("%s.test/%d", name, i))})
		Must(w.T, err)
		added = append(added, u)
		sels = append(sels, inventory.SelectionChange{URLID: string(u.ID)})
		w.Clock.Advance(time.Millisecond)
	}
	if n > 0 {
		_, err = w.Service.Inventory.AddURLs(w.T.Context(), w.Actor, g.ID, sels)
		Must(w.T, err)
	}
	return g, added
}

// Take starts a run of some groups.
func (w *World) Take(kind vcd.QueueType, groups ...*vcd.Group) *run.Taken {
	w.T.Helper()
	w.Clock.Advance(time.Second)
	in := run.TakeInput{Type: kind}
	for _, g := range groups {
		in.GroupIDs = append(in.GroupIDs, string(g.ID))
	}
	taken, err := w.Service.Runs.TakeScreenshots(w.T.Context(), w.Actor, in)
	Must(w.T, err)
	return taken
}

// Employ registers a worker with the given number of slots for captures in each region, and for everything else.
func (w *World) Employ(id string, captures, others int) {
	w.T.Helper()
	Must(w.T, w.DB.Beat(w.T.Context(), vcd.Worker{
		ID: id, Captures: captures, Regions: []vcd.Region{vcd.RegionEU, vcd.RegionUS}, Compares: others, Imports: others, Syncs: others,
	}))
}

// HandOut assigns the turns that may begin and returns how many it assigned.
func (w *World) HandOut() int {
	w.T.Helper()
	n, err := w.Service.Runs.HandOut(w.T.Context(), vcd.RegionEU, time.Hour)
	Must(w.T, err)
	return n
}

// Jobs assigns the turns that may begin and lists the jobs of a kind in the background queue; of captures and comparisons
// only the actor's.
func (w *World) Jobs(kind string) []vcd.ID {
	w.T.Helper()
	w.HandOut()
	rows, err := w.DB.SystemPool().Query(w.T.Context(), `SELECT entry::text FROM test_jobs
		WHERE kind = $1 AND (account = $2 OR kind NOT IN ('capture', 'compare')) ORDER BY id`, kind, string(w.Actor.Account))
	Must(w.T, err)
	entries, err := pgx.CollectRows(rows, pgx.RowTo[string])
	Must(w.T, err)
	list := make([]vcd.ID, len(entries))
	for i, e := range entries {
		list[i] = vcd.ID(e)
	}
	return list
}

// Working is the context of the job that works on an entry.
func (w *World) Working(entry vcd.ID) context.Context {
	return context.WithValue(w.T.Context(), workingOn{}, entry)
}

// Picture reserves a blob for some pixels, as a worker does before it writes the file.
func (w *World) Picture(pixels string) run.Picture {
	w.T.Helper()
	sum := sha256.Sum256([]byte(pixels))
	p := run.Picture{Hash: hex.EncodeToString(sum[:]), MediaType: "image/png", Width: 1280, Height: 800, Size: len(pixels)}
	Must(w.T, w.DB.ReserveBlob(w.T.Context(), p.Hash, p.Size))
	return p
}

// Capture does one capture job.
func (w *World) Capture(entry vcd.ID, pixels string) { w.CaptureBy(entry, pixels, "1") }

// CaptureBy does one capture job with a version of the capture engine.
func (w *World) CaptureBy(entry vcd.ID, pixels, version string) {
	w.T.Helper()
	task, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
	Must(w.T, err)
	if task == nil {
		w.T.Fatalf("nothing to do for entry %s", entry)
	}
	Must(w.T, w.Service.Runs.FinishCapture(w.Working(entry), w.Actor, entry, run.CaptureResult{
		Picture: w.Picture(pixels), Address: task.Address, Title: "Title \x00\xff", StatusCode: 200, FinalURL: "https://" + task.Address,
		Scheme:    "https",
		SCVersion: version, Console: []page.ConsoleEntry{{Text: "nul \x00", Type: "log"}}, Manifest: []byte(`{"why":"\u0000"}`),
	}))
}

// Compare does one comparison job.
func (w *World) Compare(entry vcd.ID, percent float64) {
	w.T.Helper()
	task, err := w.Service.Runs.BeginComparison(w.Working(entry), w.Actor, entry)
	Must(w.T, err)
	result := run.CompareResult{Difference: vcd.Difference{Percent: percent, AlignedPercent: percent, Width: 1280, Height: 800}}
	if percent > 0 {
		p := w.Picture("mask of " + string(entry))
		p.Over = task.After.Image.Hash
		result.Picture = &p
		result.Difference.Regions = []vcd.ChangedRegion{{ID: 1, X: 2, Y: 3, Width: 4, Height: 5, Pixels: 6, Fingerprint: "f1"}}
		result.Traces = &vcd.Traces{Regions: []vcd.RegionMarks{{Region: 1, Marks: []string{"cart-total"}}}}
	}
	w.Finish(task, result)
}

// AsSystem runs SQL that bypasses the store and row level security.
func (w *World) AsSystem(sql string, args ...any) {
	w.T.Helper()
	Must(w.T, pgx.BeginFunc(w.T.Context(), w.DB.SystemPool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.T.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		_, err := tx.Exec(w.T.Context(), sql, args...)
		return err
	}))
}
