package graph_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/internal/page"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/run"
)

// world is a server on a real database, with an account in it. Its tests run beside others: each has its own database.
type world struct {
	*site
	store   *db.DB
	dbURL   string
	use     *app.Service
	actor   vcd.Actor
	account *vcd.Account
	cabinet vcdtest.Files
	console []page.ConsoleEntry // what pages write to it
}

func newWorld(t testing.TB) *world {
	t.Helper()
	if test, ok := t.(*testing.T); ok {
		test.Parallel()
	}
	url := vcdtest.Database(t)
	store := vcdtest.OpenURL(t, url, vcdtest.NewIdleQueue)
	c := vcdtest.NewClock()
	cabinet := vcdtest.Files{}
	use := app.New(app.Config{Store: store, Config: vcd.Config{
		Feed: store, Clock: c, IDs: vcd.RandomIDs{}, Sealer: vcdtest.OpenBox{}, RetryDelay: time.Second, Files: cabinet,
	}})
	w := &world{site: serve(t, use), store: store, dbURL: url, use: use, cabinet: cabinet}
	w.console = []page.ConsoleEntry{{Text: "hello", Type: "log", URL: "https://example.test/a.js"}}
	w.clock = c
	w.account, w.token, w.actor = w.open("ada@example.com")
	return w
}

// open opens an account and returns its token.
func (w *world) open(email string) (*vcd.Account, string, vcd.Actor) {
	w.t.Helper()
	a, token, err := w.use.Accounts.CreateAccount(w.t.Context(), account.Input{NameFirst: "Ada", NameLast: "Example", Email: email})
	if err != nil {
		w.t.Fatal(err)
	}
	return a, token.Plain, vcd.Actor{Account: a.ID}
}

// as is the same server for another token.
func (w *world) as(token string) *site {
	other := *w.site
	other.token = token
	return &other
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// group makes a group with URLs by the interface itself and returns its id and theirs.
func (w *world) group(name string, addresses ...string) (string, []string) {
	w.t.Helper()
	group := w.must(`mutation ($name: String!) { createGroup(input: {name: $name}) { group { id } } }`, vars{"name": name}).
		text(w.t, "createGroup", "group", "id")
	var ids []string
	var added []vars
	for _, address := range addresses {
		w.clock.Advance(time.Millisecond)
		id := w.must(`mutation ($url: String!) { createUrl(input: {url: $url}) { url { id } } }`, vars{"url": address}).
			text(w.t, "createUrl", "url", "id")
		ids = append(ids, id)
		added = append(added, vars{"id": id})
	}
	if len(added) > 0 {
		w.must(`mutation ($group: ID!, $urls: [GroupUrlInput!]!) { addUrlsToGroup(groupId: $group, urls: $urls) { count } }`,
			vars{"group": group, "urls": added})
	}
	return group, ids
}

// take starts a run and returns its batch.
func (w *world) take(kind string, groups ...string) string {
	w.t.Helper()
	w.clock.Advance(time.Second)
	return w.must(`mutation ($groups: [ID!]!, $kind: QueueType!) { takeScreenshots(input: {groupIds: $groups, scType: $kind}) { `+
		`batchId } }`,
		vars{"groups": groups, "kind": kind}).text(w.t, "takeScreenshots", "batchId")
}

// work does all that is to be done for a batch, oldest entry first: screenshots whose pixels are the given ones, then
// comparisons with a difference of the given percent.
func (w *world) work(batch, pixels string, percent float64) {
	w.t.Helper()
	for _, e := range w.todo(batch) {
		if e.Type != vcd.QueueCompare {
			w.capture(e.ID, pixels)
		}
	}
	for _, e := range w.todo(batch) {
		w.compare(e.ID, percent)
	}
}

func (w *world) todo(batch string) []*vcd.QueueEntry {
	w.t.Helper()
	list, err := w.use.Runs.QueueEntries(w.t.Context(), w.actor, vcd.QueueFilter{
		BatchIDs: &[]vcd.ID{vcd.ID(batch)}, Statuses: &[]vcd.QueueStatus{vcd.QueueOpen},
	}, vcd.Page{Size: 100}, false)
	w.check(err)
	return list.Items
}

func (w *world) capture(entry vcd.ID, pixels string) {
	w.t.Helper()
	task, err := w.use.Runs.BeginCapture(w.t.Context(), w.actor, entry)
	w.check(err)
	w.check(w.use.Runs.FinishCapture(w.t.Context(), w.actor, entry, run.CaptureResult{
		Picture: w.picture(pixels + string(entry)), Title: "A title", StatusCode: 200, FinalURL: "https://" + task.Address,
		Scheme: "https", SCVersion: "1", Console: w.console,
		Manifest: []byte(`{"engine":"E/1","fonts":"f0","viewport":{"width":1440},"stages":[{"stage":"goto","ms":2}],` +
			`"failed_requests":[{"url":"u","type":"Image","status":404}],"styled":[{"selector":".ad","elements":0}]}`),
	}))
}

func (w *world) compare(entry vcd.ID, percent float64) {
	w.t.Helper()
	task, err := w.use.Runs.BeginComparison(w.t.Context(), w.actor, entry)
	w.check(err)
	result := run.CompareResult{
		Difference: vcd.Difference{Percent: percent, AlignedPercent: percent, Width: 1280, Height: 800},
		Console:    task.CompareConsoles(task.Before.Visit(), task.After.Visit()),
	}
	if percent > 0 {
		p := w.picture("difference of " + string(entry))
		result.Picture = &p
		result.Difference.ChangedPixels = 24
		result.Difference.Regions = []vcd.ChangedRegion{{ID: 1, X: 2, Y: 3, Width: 4, Height: 6, Pixels: 24}}
	}
	_, err = w.use.Runs.FinishComparison(w.t.Context(), w.actor, task, result)
	w.check(err)
}

func (w *world) picture(pixels string) run.Picture {
	w.t.Helper()
	sum := sha256.Sum256([]byte(pixels))
	p := run.Picture{Hash: hex.EncodeToString(sum[:]), MediaType: "image/png", Width: 1280, Height: 800, Size: len(pixels)}
	w.check(w.store.ReserveBlob(w.t.Context(), p.Hash, p.Size))
	return p
}
