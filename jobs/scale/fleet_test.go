package scale_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/db/localpg"
	"afterimage/db/schema"
	"afterimage/internal/blob"
	"afterimage/internal/egress"
	"afterimage/internal/secret"
	"afterimage/internal/sitemap"
	"afterimage/internal/vcdtest"
	"afterimage/internal/webhook"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
	"afterimage/vcd/schedule"
)

// hostCaptures is how many captures of one host may run at the same time.
const hostCaptures = 4

// full reports whether figures are wanted: a database that writes through to the disk, and numbers that take minutes.
func full() bool { return os.Getenv("AFTERIMAGE_SOAK") != "" }

// fleet is an installation of several workers on one database.
type fleet struct {
	t        *testing.T
	url      string
	db       *db.DB // of who starts the runs and looks on
	service  *app.Service
	files    *blob.Folder
	box      *secret.Box
	browser  *stub
	accounts []vcd.Actor
	pages    int // of all groups
}

// newFleet makes accounts, each with the same number of groups. Each group is a site of its own.
func newFleet(t *testing.T, browser *stub, accounts, groups, pages int) *fleet {
	t.Helper()
	f := &fleet{t: t, browser: browser, url: database(t)}
	var err error
	f.files, err = blob.Open(filepath.Join(t.TempDir(), "images"))
	must(t, err)
	f.box, err = secret.NewBox(make([]byte, secret.KeySize))
	must(t, err)
	f.db, f.service = f.member()
	t.Cleanup(f.db.Close)
	f.pages = accounts * groups * pages
	for a := range accounts {
		owner, _, err := f.service.Accounts.CreateAccount(t.Context(), account.Input{Email: fmt.Sprintf("owner%d@example.com", a),
			ChecksLimit: 1_000_000})
		must(t, err)
		actor := vcd.Actor{Account: owner.ID}
		f.accounts = append(f.accounts, actor)
		for g := range groups {
			f.addGroup(actor, fmt.Sprintf("site-%d-%d.example.com", a, g), pages)
		}
	}
	return f
}

func (f *fleet) addGroup(actor vcd.Actor, host string, pages int) {
	f.t.Helper()
	g, err := f.service.Inventory.CreateGroup(f.t.Context(), actor, inventory.GroupChange{Name: vcd.Some(host), Monitoring: vcd.Some(true),
		Enabled: vcd.Some(true), ScheduleType: vcd.Some(schedule.Interval), IntervalHours: vcd.Some(24.0)})
	must(f.t, err)
	addresses := make([]string, pages)
	for p := range addresses {
		addresses[p] = fmt.Sprintf("https://%s/page/%d", host, p)
	}
	added, err := f.service.Inventory.AddAddresses(f.t.Context(), actor, g.ID, addresses, false)
	must(f.t, err)
	if added.Count != pages {
		f.t.Fatalf("%d of %d pages were added: %v", added.Count, pages, added.Refused)
	}
}

// database is one of this test's own. In a full run it keeps what it commits, as in production.
func database(t *testing.T) string {
	t.Helper()
	if !full() {
		return vcdtest.Database(t)
	}
	server, err := localpg.Start(t.Context(), localpg.Config{Dir: filepath.Join(t.TempDir(), "postgres")})
	must(t, err)
	t.Cleanup(func() { must(t, server.Stop(context.WithoutCancel(t.Context()))) })
	must(t, schema.Migrate(t.Context(), server.URL(), slog.New(slog.DiscardHandler)))
	return server.URL()
}

// member is the database and the use cases of one more process. Whoever asked closes the database.
func (f *fleet) member() (*db.DB, *app.Service) {
	f.t.Helper()
	inserter, err := jobs.NewInserter(vcd.RegionEU, vcd.SystemClock{})
	must(f.t, err)
	store, err := db.Open(f.t.Context(), db.Config{URL: f.url, Queue: inserter.Queue, MaxConns: 16, Reach: 10 * time.Second})
	must(f.t, err)
	return store, app.New(app.Config{Store: store, Config: vcd.Config{
		Feed: store, Clock: vcd.SystemClock{}, IDs: vcd.RandomIDs{}, Sealer: f.box, Files: f.files, HostCaptures: hostCaptures,
	}})
}

// employ starts so many workers and returns what stops them.
func (f *fleet) employ(workers, lanes int) (dismiss func()) {
	f.t.Helper()
	var all []*jobs.Runner
	var stores []*db.DB
	policy, err := egress.NewPolicy()
	must(f.t, err)
	sitemaps := sitemap.New(&egress.Dialer{Policy: policy}, "test")
	for range workers {
		store, service := f.member()
		runner, err := jobs.Start(f.t.Context(), jobs.Config{
			Pool: store.Pool(), Service: service, Images: store, Files: f.files, Capturer: f.browser, Sitemaps: sitemaps,
			Sender: webhook.NewSender(&egress.Dialer{Policy: policy}, nil, "test", nil, slog.New(slog.DiscardHandler)),
			Logger: slog.New(slog.DiscardHandler), Regions: []vcd.Region{vcd.RegionEU, vcd.RegionUS}, Captures: lanes, Compares: 1,
			Home: vcd.RegionEU, RescueAfter: time.Hour, ProbeEvery: time.Hour,
		})
		must(f.t, err)
		all, stores = append(all, runner), append(stores, store)
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(f.t.Context()), time.Minute)
		defer cancel()
		var stopping sync.WaitGroup
		for _, r := range all {
			stopping.Go(func() {
				if err := r.Stop(ctx); err != nil {
					f.t.Error(err)
				}
			})
		}
		stopping.Wait()
		sitemaps.Close()
		for _, s := range stores {
			s.Close()
		}
	}
}

// take starts a run of all groups of all accounts.
func (f *fleet) take(kind vcd.QueueType) {
	f.t.Helper()
	for _, actor := range f.accounts {
		for _, g := range f.groups(actor) {
			_, err := f.service.Runs.TakeScreenshots(f.t.Context(), actor, run.TakeInput{GroupIDs: []string{g}, Type: kind})
			must(f.t, err)
		}
	}
}

func (f *fleet) groups(actor vcd.Actor) (ids []string) {
	f.t.Helper()
	return ask[[]string](f, "SELECT array_agg(id::text) FROM groups WHERE account_id = $1", actor.Account)
}

// ask asks for one value of all accounts together.
func ask[T any](f *fleet, query string, args ...any) (value T) {
	f.t.Helper()
	must(f.t, pgx.BeginFunc(f.t.Context(), f.db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(f.t.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		return tx.QueryRow(f.t.Context(), query, args...).Scan(&value)
	}))
	return value
}

// until waits for a condition, which is looked at whenever something happened.
func (f *fleet) until(what string, limit time.Duration, holds func() bool) {
	f.t.Helper()
	happened, forget := f.db.Watch("")
	defer forget()
	end := time.NewTimer(limit)
	defer end.Stop()
	tick := time.NewTicker(200 * time.Millisecond) // many things happen at once
	defer tick.Stop()
	for !holds() {
		select {
		case <-happened:
			<-tick.C
		case <-end.C:
			f.t.Fatalf("%s: not within %s", what, limit)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
