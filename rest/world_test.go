package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"afterimage/db"
	"afterimage/graph"
	seen "afterimage/internal/page"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// world is the whole interface on a real database: REST and GraphQL before the same use cases. Each has a database of its
// own, so the tests that use it run beside others.
type world struct {
	t       *testing.T
	store   *db.DB
	use     *app.Service
	clock   *vcdtest.Clock
	handler http.Handler
	schema  *ast.Schema
	cabinet vcdtest.Files
	partly  string // the account whose pages are not seen as a whole; pages of others are as before that was measured
}

const worldURL = "https://afterimage.test"

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	store := vcdtest.OpenURL(t, vcdtest.Database(t), vcdtest.NewIdleQueue)
	w := &world{t: t, store: store, clock: vcdtest.NewClock(), cabinet: vcdtest.Files{}}
	w.use = app.New(app.Config{
		Store: store,
		Config: vcd.Config{
			Feed: store, Clock: w.clock, Sealer: vcdtest.OpenBox{}, RetryDelay: time.Second, Files: w.cabinet,
		},
	})
	w.serve()
	return w
}

// serve puts both interfaces up as the program does, without a network.
func (w *world) serve() {
	w.t.Helper()
	sameID := func() string { return "request-1" }
	front, err := graph.New(graph.Config{
		Service: w.use, BaseURL: worldURL, Logger: slog.New(slog.DiscardHandler), NewRequestID: sameID,
		Limits: graph.Limits{Cost: 100_000}, // some tests ask for everything
	})
	w.check(err)
	w.t.Cleanup(front.Close)
	v2, err := New(Config{
		Executor: front, Authenticate: front.Authenticate, Logger: slog.New(slog.DiscardHandler), PublicURL: worldURL, NewRequestID: sameID,
	})
	w.check(err)
	mux := http.NewServeMux()
	mux.Handle("/graphql", front)
	mux.Handle(BasePath+"/", v2)
	w.handler, w.schema = mux, front.Schema()
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// recorded is a response.
type recorded struct {
	status int
	header http.Header
	body   string
}

// ask makes a request with a token, or with none.
func (w *world) ask(token, method, target, body, accept string) recorded {
	w.t.Helper()
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	return w.askBy(header, method, target, body, accept)
}

// askBy is ask for somebody who shows something else than a token.
func (w *world) askBy(header http.Header, method, target, body, accept string) recorded {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), method, target, strings.NewReader(body))
	r.Header = header
	r.Header.Set("Content-Type", contentTypeOf(body))
	r.Header.Set("Accept", accept)
	ctx, leave := context.WithCancel(r.Context())
	defer leave()
	answer := &listener{httptest.NewRecorder(), leave}
	w.handler.ServeHTTP(answer, r.WithContext(ctx))
	return recorded{answer.Code, answer.Header(), answer.Body.String()}
}

// listener leaves an event stream after its first result: streams need not end.
type listener struct {
	*httptest.ResponseRecorder
	leave func()
}

func (l *listener) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("event: next")) {
		defer l.leave()
	}
	return l.ResponseRecorder.Write(b)
}

// contentTypeOf tells JSON from a form; empty without a body.
func contentTypeOf(body string) string {
	switch {
	case body == "":
		return ""
	case strings.HasPrefix(body, "{"):
		return "application/json"
	}
	return "application/x-www-form-urlencoded"
}

// caller is somebody who asks: an account with a token, and what it has, by kind.
type caller struct {
	name    string
	account *vcd.Account
	actor   vcd.Actor
	token   string
	things  map[string]string
}

// open opens a full account.
func (w *world) open(name string) *caller {
	w.t.Helper()
	a, token, err := w.use.Accounts.CreateAccount(w.t.Context(), account.Input{NameFirst: name, NameLast: "Example",
		Email: name + "@example.com"})
	w.check(err)
	return &caller{name: name, account: a, actor: vcd.Actor{Account: a.ID}, token: token.Plain, things: map[string]string{}}
}

// openBelow opens a subaccount.
func (w *world) openBelow(parent *caller, name string) *caller {
	w.t.Helper()
	a, token, err := w.use.Accounts.CreateSubaccount(w.t.Context(), parent.actor, account.SubaccountChange{
		NameFirst: vcd.Some(name), NameLast: vcd.Some("Example"), Email: vcd.Some(name + "@example.com"), LimitChecks: vcd.Some(1000),
	})
	w.check(err)
	return &caller{name: name, account: a, actor: vcd.Actor{Account: a.ID}, token: token.Plain, things: map[string]string{}}
}

// create makes a thing by the interface itself and returns its id.
func (w *world) create(c *caller, path, body string) string {
	w.t.Helper()
	w.clock.Advance(time.Millisecond)
	answer := w.ask(c.token, http.MethodPost, BasePath+path, body, "application/json")
	var made struct {
		Data    struct{ ID string }
		BatchID string `json:"batch_id"`
	}
	if err := json.Unmarshal([]byte(answer.body), &made); err != nil || answer.status != http.StatusOK {
		w.t.Fatalf("POST %s %s: %d %s", path, body, answer.status, answer.body)
	}
	return made.Data.ID + made.BatchID
}

// furnish gives an account one of everything: two groups with a website, a page that was captured twice and compared, a
// webhook and a token to spare.
func (w *world) furnish(c *caller) {
	w.t.Helper()
	t := c.things
	t["account"] = string(c.account.ID)
	t["group"] = w.create(c, "/groups", `{"name":"manual"}`)
	t["monitoring"] = w.create(c, "/groups", `{"name":"monitoring","monitoring":true,"triggers":[{"type":"post_save"}]}`)
	for _, spare := range []string{"spare", "spare2", "spare3", "spare4"} {
		t[spare] = w.create(c, "/groups", `{"name":"spare"}`)
	}
	t["url"] = w.create(c, "/urls", `{"url":"`+c.name+`.example.test/page"}`)
	w.must(c, http.MethodPost, "/groups/"+t["group"]+"/add-urls", `{"urls":[{"id":"`+t["url"]+`"}]}`)
	t["website"] = w.create(c, "/websites",
		fmt.Sprintf(`{"domain":"%s.example.test","manual_detection_group_id":"%s","auto_detection_group_id":"%s"}`,
			c.name, t["group"], t["monitoring"]))
	t["webhook"] = w.create(c, "/webhooks", `{"url":"https://hooks.example.test/a","event":"batch_finished"}`)
	token, err := w.use.Accounts.CreateToken(w.t.Context(), c.actor, nil, account.TokenChange{Name: vcd.Some("spare")})
	w.check(err)
	t["token"] = string(token.ID)
	delivery, err := w.use.Outbound.PingWebhook(w.t.Context(), c.actor, vcd.ID(t["webhook"]))
	w.check(err)
	t["delivery"] = string(delivery.ID)
	w.importURLs(c)
	w.run(c, "pre", "before", 0)
	t["batch"] = w.run(c, "post", "after", 2)
	w.findRun(c)
	t["rule"] = w.create(c, "/ai-feedback-rules", `{"comparison_id":"`+t["comparison"]+`","region_id":1,"scope":"url"}`)
}

// writeMails writes the mails about what has happened, and notes one of each account.
func (w *world) writeMails(to ...*caller) {
	w.t.Helper()
	for more := true; more; {
		var err error
		more, err = w.use.Outbound.RelayMails(w.t.Context())
		w.check(err)
	}
	for _, c := range to {
		list, err := w.use.Outbound.Mails(w.t.Context(), c.actor, vcd.MailFilter{}, vcd.Page{Size: 1})
		w.check(err)
		c.things["mail"] = string(list.Items[0].ID)
	}
}

// importURLs starts an import of a sitemap and collects URLs for two synchronisations.
func (w *world) importURLs(c *caller) {
	w.t.Helper()
	c.things["domain"] = c.name + ".example.test"
	imported, err := w.use.Inventory.AddFromSitemap(w.t.Context(), c.actor, c.things["domain"])
	w.check(err)
	c.things["import"] = string(imported.ID)
	for _, kind := range []string{"collection", "collection2"} {
		c.things[kind] = string(w.use.Config().IDs.NewID())
		_, err := w.use.Inventory.CollectURLs(w.t.Context(), c.actor, inventory.SyncInput{
			Domain: c.things["domain"], Collection: c.things[kind],
			URLs: map[string]any{"types%%pages": []any{map[string]any{"url": c.things["domain"] + "/collected"}}},
		})
		w.check(err)
	}
}

// must makes a REST request that has to succeed.
func (w *world) must(c *caller, method, path, body string) recorded {
	w.t.Helper()
	answer := w.ask(c.token, method, BasePath+path, body, "application/json")
	if answer.status != http.StatusOK {
		w.t.Fatalf("%s %s %s: %d %s", method, path, body, answer.status, answer.body)
	}
	return answer
}

// run has the account's group captured, and compared where there is something to compare with, and returns the batch.
func (w *world) run(c *caller, kind, pixels string, percent float64) string {
	w.t.Helper()
	w.clock.Advance(time.Second)
	batch := w.create(c, "/screenshots/take", `{"group_ids":["`+c.things["group"]+`"],"sc_type":"`+kind+`"}`)
	w.work(c, batch, pixels, percent)
	return batch
}

// work does all that is to be done for a batch.
func (w *world) work(c *caller, batch, pixels string, percent float64) {
	w.t.Helper()
	for _, e := range w.todo(c, batch) {
		if e.Type != vcd.QueueCompare {
			w.capture(c, e.ID, pixels)
		}
	}
	for _, e := range w.todo(c, batch) {
		w.compare(c, e.ID, percent)
	}
}

// findRun notes the ids of what the last run left behind.
func (w *world) findRun(c *caller) {
	w.t.Helper()
	batch := vcd.ID(c.things["batch"])
	list, err := w.use.Reviews.Comparisons(w.t.Context(), c.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 1}, false)
	w.check(err)
	found := list.Items[0]
	for kind, id := range map[string]vcd.ID{"comparison": found.ID, "queue": found.QueueID, "screenshot": found.AfterID,
		"link": vcd.ID(found.Token)} {
		c.things[kind] = string(id)
	}
}

func (w *world) todo(c *caller, batch string) []*vcd.QueueEntry {
	w.t.Helper()
	list, err := w.use.Runs.QueueEntries(w.t.Context(), c.actor, vcd.QueueFilter{
		BatchIDs: &[]vcd.ID{vcd.ID(batch)}, Statuses: &[]vcd.QueueStatus{vcd.QueueOpen},
	}, vcd.Page{Size: 100}, false)
	w.check(err)
	return list.Items
}

func (w *world) capture(c *caller, entry vcd.ID, pixels string) {
	w.t.Helper()
	task, err := w.use.Runs.BeginCapture(w.t.Context(), c.actor, entry)
	w.check(err)
	result := run.CaptureResult{
		Address: task.Address, Picture: w.picture(pixels + string(entry)), Title: "A title", StatusCode: 200,
		FinalURL: "https://" + task.Address,
		Scheme:   "https", SCVersion: "1", Console: []seen.ConsoleEntry{{Text: pixels, Type: "log", URL: "https://example.test/a.js"}},
	}
	if c.name == w.partly {
		result.Complete = new(false)
		result.Manifest = []byte(`{"complete":false,"missing":[{"kind":"scrolled","element":".menu","side":"below","pixels":40}]}`)
	}
	w.check(w.use.Runs.FinishCapture(w.t.Context(), c.actor, entry, result))
}

func (w *world) compare(c *caller, entry vcd.ID, percent float64) {
	w.t.Helper()
	task, err := w.use.Runs.BeginComparison(w.t.Context(), c.actor, entry)
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
	_, err = w.use.Runs.FinishComparison(w.t.Context(), c.actor, task, result)
	w.check(err)
}

func (w *world) picture(pixels string) run.Picture {
	w.t.Helper()
	sum := sha256.Sum256([]byte(pixels))
	p := run.Picture{Hash: hex.EncodeToString(sum[:]), MediaType: "image/png", Width: 1280, Height: 800, Size: len(pixels)}
	w.check(w.store.ReserveBlob(w.t.Context(), p.Hash, p.Size))
	return p
}
