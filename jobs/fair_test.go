package jobs_test

import (
	"fmt"
	"image/color"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/capture"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// openPages is how many pages the account with endless pages has: few in every run, 20,000 with AFTERIMAGE_SOAK=1.
func openPages() int {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 10_000 // on two devices
	}
	return 100
}

// ahead is a clock that runs ahead of the machine's.
type ahead struct {
	mu sync.Mutex
	by time.Duration
}

func (c *ahead) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return vcd.SystemClock{}.Now().Add(c.by)
}

func (c *ahead) advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by += by
}

// neighbour is the same world for another account.
func (w *world) neighbour(email string) *world {
	w.t.Helper()
	account, _, err := w.service.Accounts.CreateAccount(w.t.Context(), account.Input{Email: email})
	if err != nil {
		w.t.Fatal(err)
	}
	other := *w
	other.actor = vcd.Actor{Account: account.ID}
	return &other
}

// pages makes a group with so many pages of as many hosts; those of a host with all devices are captured twice.
func (w *world) pages(host string, n int, devices ...vcd.Device) vcd.ID {
	w.t.Helper()
	g, err := w.service.Inventory.CreateGroup(w.t.Context(), w.actor, inventory.GroupChange{Name: vcd.Some(host)})
	if err != nil {
		w.t.Fatal(err)
	}
	var sels []inventory.SelectionChange
	for i := range n {
		u, err := w.service.Inventory.CreateURL(w.t.Context(), w.actor,
			inventory.URLChange{URL: vcd.Some(fmt.Sprintf("https://%s/%d", host, i))})
		if err != nil {
			w.t.Fatal(err)
		}
		sels = append(sels, inventory.SelectionChange{URLID: string(u.ID), Mobile: vcd.Some(len(devices) > 1)})
	}
	for len(sels) > 0 {
		some := sels[:min(len(sels), 1000)]
		if _, err := w.service.Inventory.AddURLs(w.t.Context(), w.actor, g.ID, some); err != nil {
			w.t.Fatal(err)
		}
		sels = sels[len(some):]
	}
	return g.ID
}

func (w *world) take(group vcd.ID, kind vcd.QueueType) vcd.ID {
	w.t.Helper()
	taken, err := w.service.Runs.TakeScreenshots(w.t.Context(), w.actor, run.TakeInput{GroupIDs: []string{string(group)}, Type: kind})
	if err != nil {
		w.t.Fatal(err)
	}
	return taken.Batches[0].ID
}

// finished waits for the end of a batch, by its events.
func (w *world) finished(batch vcd.ID) {
	w.t.Helper()
	var start int64
	events, err := w.service.Outbound.Stream(w.t.Context(), w.actor, &start, &batch)
	if err != nil {
		w.t.Fatal(err)
	}
	for e := range events {
		if e.Kind == vcd.EventBatchFinished {
			return
		}
	}
	w.t.Fatalf("batch %s did not finish", batch)
}

// An account whose pages never end and one with an ordinary run, on two processes with two places each. Once the time of the
// pages that run is over, the small run gets every place that becomes free until it is done: a small run beside a large one
// takes what it takes alone, and the time of one capture.
func TestASmallRunIsDoneBesideEndlessPages(t *testing.T) {
	t.Parallel()
	const deadline, small = 45 * time.Second, 16
	var mu sync.Mutex
	var begun []string
	endless, held, clock := make(chan struct{}), make(chan struct{}, 4), &ahead{}
	w := newWorldWith(t, func(r capture.Request) (*capture.Shot, error) {
		mu.Lock()
		begun = append(begun, r.URL)
		mu.Unlock()
		if strings.HasPrefix(r.URL, "https://endless.test/") {
			select {
			case held <- struct{}{}:
			default:
			}
			<-endless
		}
		return shot(color.White), nil
	}, func(c *jobs.Config) {
		c.Service = c.Service.With(func(c *app.Config) { c.Clock = clock })
	})
	defer close(endless)
	w.work(func(*jobs.Config) {})
	large := w.take(w.pages("endless.test", openPages(), vcd.Desktop, vcd.Mobile), vcd.QueuePre)
	for range 4 {
		<-held
	}
	other := w.neighbour("small@example.com")
	batch := other.take(other.pages("small.test", small), vcd.QueuePre)
	clock.advance(deadline)
	for range 4 {
		endless <- struct{}{}
	}
	other.finished(batch)
	mu.Lock()
	defer mu.Unlock()
	places, done := 0, 0
	for _, url := range begun[4:] {
		if places++; strings.HasPrefix(url, "https://small.test/") {
			done++
		}
		if done == small {
			break
		}
	}
	t.Logf("%d captures began until the %d of the small run had", places, small)
	if done != small || places*2 > small*3 {
		t.Errorf("of %d captures that began, %d were of the small run; it takes more than one and a half times as long as alone", places,
			done)
	}
	if b, err := w.service.Runs.Batch(t.Context(), w.actor, large); err != nil || b.Counts.Open == 0 {
		t.Errorf("the large run: %+v, %v", b, err)
	}
}

// count reads a number past the store, as the system.
func count(w *world, sql string, args ...any) (n int) {
	w.t.Helper()
	err := pgx.BeginFunc(w.t.Context(), w.db.SystemPool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.t.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		return tx.QueryRow(w.t.Context(), sql, args...).Scan(&n)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// The same for comparisons: all of one account wait when the other's come.
func TestComparisonsOfTwoAccountsTakeTurns(t *testing.T) {
	t.Parallel()
	const many, few = 60, 8
	w := newWorldWith(t, func(capture.Request) (*capture.Shot, error) { return shot(color.White), nil }, func(c *jobs.Config) {
		c.Captures,
			c.Compares = 4, 0
	})
	other := w.neighbour("small@example.com")
	large, small := w.pages("large.test", many), other.pages("small.test", few)
	w.finished(w.take(large, vcd.QueuePre))
	other.finished(other.take(small, vcd.QueuePre))
	w.take(large, vcd.QueuePost)
	w.waiting(many)
	batch := other.take(small, vcd.QueuePost)
	w.waiting(many + few)
	w.work(func(c *jobs.Config) { c.Captures, c.Compares = 1, 1 })
	w.work(func(c *jobs.Config) { c.Captures, c.Compares = 1, 1 })
	other.finished(batch)
	before := count(w, `SELECT count(*) FROM queue_entries
		WHERE type = 'compare' AND account_id = $1 AND status = 'done' AND updated_at <=
			(SELECT max(updated_at) FROM queue_entries WHERE type = 'compare' AND account_id = $2)`,
		string(w.actor.Account), string(other.actor.Account))
	t.Logf("%d comparisons of the large run were done before the %d of the small one", before, few)
	if before > few+8 {
		t.Errorf("%d comparisons of the large run were done before the %d of the small one", before, few)
	}
}

// waiting waits until so many comparisons wait for their turn.
func (w *world) waiting(n int) {
	w.t.Helper()
	wake, stop := w.db.Watch("")
	defer stop()
	for {
		waiting := count(w, "SELECT count(*) FROM queue_entries WHERE type = 'compare' AND status = 'open' AND dispatched")
		if waiting == n {
			return
		}
		select {
		case <-wake:
		case <-w.t.Context().Done():
			w.t.Fatalf("%d comparisons wait, want %d", waiting, n)
		}
	}
}

// Sites that never answer keep the imports of their own account waiting, not those of others, and no synchronisation.
func TestSlowSitemapsBlockNobodyElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	released := make(chan struct{})
	defer close(released)
	for range 20 {
		slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-released:
			case <-r.Context().Done():
			}
		}))
		t.Cleanup(slow.Close)
		if _, err := w.service.Inventory.AddFromSitemap(t.Context(), w.actor, strings.TrimPrefix(slow.URL, "http://")); err != nil {
			t.Fatal(err)
		}
	}
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(rw, "<urlset><url><loc>"+site.URL+"/a</loc></url></urlset>")
	}))
	t.Cleanup(site.Close)
	other := w.neighbour("small@example.com")
	started, err := other.service.Inventory.AddFromSitemap(t.Context(), other.actor, strings.TrimPrefix(site.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	if i := other.imported(started); i.State != vcd.ImportDone || i.Found != 1 {
		t.Errorf("%+v", i)
	}
	collection := vcd.RandomIDs{}.NewID()
	if _, err := w.service.Inventory.CreateWebsite(t.Context(), w.actor, inventory.WebsiteChange{
		Domain: vcd.Some("example.com"), ManualGroupID: vcd.Some(string(w.pages("manual.test", 1))),
		AutoGroupID: vcd.Some(string(w.pages("auto.test", 1))),
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.service.Inventory.CollectURLs(t.Context(), w.actor, inventory.SyncInput{
		Domain: "example.com", Collection: string(collection),
		URLs: map[string]any{"types%%page": []any{map[string]any{"url": "example.com/synced"}}},
	}); err != nil {
		t.Fatal(err)
	}
	synced, err := w.service.Inventory.StartSync(t.Context(), w.actor, inventory.SyncStart{Collection: string(collection)})
	if err != nil {
		t.Fatal(err)
	}
	if i := w.imported(synced); i.State != vcd.ImportDone {
		t.Errorf("%+v", i)
	}
}
