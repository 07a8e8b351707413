package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A bare handler is the least that could answer a list: it runs the statements that the interface was seen to run, by
// pgx alone, and encodes the rows as the same JSON. It knows nobody's token and checks no argument.
type bareHandler struct {
	pool       *pgxpool.Pool
	statements []statement    // of one request, in a transaction of their own: bind, page, figures
	page       int            // which of them reads the page
	rest       map[string]any // of the answer: links and meta, which are the same for every request
	item       func() (bareItem, []string)
}

// bareItem is a row on its way into JSON: where its columns are scanned to, and what is shown of them.
type bareItem interface {
	targets() []any
	shown() any
}

func (h *bareHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := h.read(r.Context())
	if err == nil {
		body := map[string]any{"data": data, "links": h.rest["links"], "meta": h.rest["meta"]}
		w.Header().Set("Content-Type", "application/json")
		err = json.NewEncoder(w).Encode(body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (h *bareHandler) read(ctx context.Context) (data []any, err error) {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, h.pool, snapshot, func(tx pgx.Tx) error {
		for i, s := range h.statements {
			rows, err := tx.Query(ctx, s.sql, s.args...)
			if err != nil {
				return err
			}
			if i != h.page {
				for rows.Next() {
					if _, err := rows.Values(); err != nil {
						return err
					}
				}
			} else if data, err = h.scan(rows); err != nil {
				return err
			}
			if err := rows.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	return data[:min(len(data), 15)], err
}

// scan reads the wanted columns of every row; the others are passed over.
func (h *bareHandler) scan(rows pgx.Rows) (data []any, err error) {
	var places []int
	for rows.Next() {
		item, names := h.item()
		if places == nil {
			for _, f := range rows.FieldDescriptions() {
				places = append(places, slices.Index(names, f.Name))
			}
		}
		targets, all := item.targets(), make([]any, len(places))
		for i, place := range places {
			if place >= 0 {
				all[i] = targets[place]
			}
		}
		if err := rows.Scan(all...); err != nil {
			return nil, err
		}
		data = append(data, item.shown())
	}
	return data, nil
}

func spelled(t time.Time) string { return t.UTC().Format(time.DateTime) }

// bareEntry is a queue entry.
type bareEntry struct {
	id, url, batch, group, device, kind, status string
	errorMsg, address, scheme, title            string
	css, js, token, confirms                    *string
	monitoring                                  bool
	created, updated                            time.Time
	base                                        string
}

func (e *bareEntry) targets() []any {
	return []any{&e.id, &e.url, &e.batch, &e.group, &e.device, &e.kind, &e.status, &e.errorMsg, &e.address, &e.scheme, &e.title, &e.css,
		&e.js, &e.token, &e.monitoring, &e.confirms, &e.created, &e.updated}
}

var bareEntryColumns = []string{"id", "url_id", "batch_id", "group_id", "device", "type", "status", "error_msg",
	"url_address", "url_scheme", "html_title",
	"css", "js", "i_token", "monitoring", "confirms_id", "created_at", "updated_at"}

func (e *bareEntry) shown() any {
	if e.scheme == "" {
		e.scheme = "https"
	}
	out := struct {
		ID         string  `json:"id"`
		URL        string  `json:"url"`
		Batch      string  `json:"batch"`
		Group      string  `json:"group"`
		Device     string  `json:"device"`
		Status     string  `json:"status"`
		ErrorMsg   *string `json:"error_msg"`
		Notice     *string `json:"notice"` // only open entries have one, and the benchmark's are done
		SCType     string  `json:"sc_type"`
		CSS        *string `json:"css"`
		JS         *string `json:"js"`
		Monitoring bool    `json:"monitoring"`
		Confirms   bool    `json:"confirmation"`
		URLLink    string  `json:"url_link"`
		HTMLTitle  string  `json:"html_title"`
		ImageLink  *string `json:"image_link"`
		CreatedAt  string  `json:"created_at"`
		UpdatedAt  string  `json:"updated_at"`
	}{ID: e.id, URL: e.url, Batch: e.batch, Group: e.group, Device: e.device, Status: e.status, SCType: e.kind, CSS: e.css, JS: e.js,
		Monitoring: e.monitoring, Confirms: e.confirms != nil, URLLink: e.scheme + "://" + e.address, HTMLTitle: e.title,
		CreatedAt: spelled(e.created), UpdatedAt: spelled(e.updated)}
	if e.errorMsg != "" {
		out.ErrorMsg = &e.errorMsg
	}
	if e.token != nil {
		link := e.base + "/images/" + *e.token + ".png"
		out.ImageLink = &link
	}
	return out
}

// bareBatch is a batch.
type bareBatch struct {
	id, name, source, version                            string
	groups, domains                                      []string
	finished                                             *time.Time
	ok, fresh, falsePositive, toFix, above, failedQueues int64
	added, removed, mixed, unchanged                     int64 // by what changed in the console
}

func (b *bareBatch) targets() []any {
	return []any{&b.id, &b.name, &b.source, &b.version, &b.groups, &b.domains, &b.finished, &b.ok, &b.fresh, &b.falsePositive, &b.toFix,
		&b.above, &b.failedQueues, &b.added, &b.removed, &b.mixed, &b.unchanged}
}

var bareBatchColumns = []string{"id", "name", "source", "sc_version", "group_names", "domains", "finished_at", "ok", "new",
	"false_positive", "to_fix", "above", "failed_count", "console_added", "console_removed", "console_mixed", "console_unchanged"}

func (b *bareBatch) shown() any {
	type counts map[string]int64
	out := struct {
		ID              string   `json:"id"`
		Name            string   `json:"name"`
		Source          string   `json:"source"`
		TriggerContext  any      `json:"trigger_context"`
		GroupNames      []string `json:"group_names"`
		WebsiteDomains  []string `json:"website_domains"`
		SCVersion       string   `json:"sc_version"`
		FinishedAt      *string  `json:"finished_at"`
		AISummary       any      `json:"ai_summary"`
		UpdateResults   any      `json:"update_results"`
		Comparisons     counts   `json:"comparisons_count"`
		Queues          counts   `json:"queues_count"`
		FailedFlows     []any    `json:"failed_flows"` // the benchmark's account has no flows
		BrowserConsoles counts   `json:"browser_console_count"`
	}{ID: b.id, Name: b.name, Source: b.source, GroupNames: b.groups, WebsiteDomains: b.domains, SCVersion: b.version,
		Comparisons: counts{"ok": b.ok, "new": b.fresh, "false_positive": b.falsePositive, "to_fix": b.toFix,
			"above_threshold": b.above},
		Queues:          counts{"failed": b.failedQueues},
		FailedFlows:     []any{},
		BrowserConsoles: counts{"added": b.added, "removed": b.removed, "mixed": b.mixed, "unchanged": b.unchanged}}
	if b.finished != nil {
		at := spelled(*b.finished)
		out.FinishedAt = &at
	}
	return out
}

// bare makes the bare handler of a list and checks that it answers what the interface does.
func (c *seededAPI) bare(b testing.TB, address string, item func() (bareItem, []string)) string {
	b.Helper()
	c.log.take()
	answer := c.get(b, address)
	asked := slices.DeleteFunc(c.log.take(), func(s statement) bool { return strings.Contains(s.sql, "account_by_token") })
	h := &bareHandler{statements: asked, item: item}
	h.page = slices.IndexFunc(asked, func(s statement) bool { return strings.Contains(s.sql, "LIMIT 16") })
	if h.page < 0 || json.Unmarshal(answer, &h.rest) != nil {
		b.Fatalf("%s asked %v", address, asked)
	}
	config := c.backend.db.Pool().Config()
	config.ConnConfig.Tracer = nil
	var err error
	if h.pool, err = pgxpool.NewWithConfig(b.Context(), config); err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(h)
	b.Cleanup(func() { server.Close(); h.pool.Close() })
	var want, got any
	if err := json.Unmarshal(answer, &want); err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(c.get(b, server.URL), &got); err != nil {
		b.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		b.Fatalf("the bare handler answers something else (-interface +bare):\n%.3000s", diff)
	}
	return server.URL
}

// bareLists are the lists that there are bare handlers of.
var bareLists = []struct {
	name, address string
	item          func() (bareItem, []string)
}{
	{"queues", "/queues", func() (bareItem, []string) { return &bareEntry{base: "http://localhost"}, bareEntryColumns }},
	{"batches", "/batches", func() (bareItem, []string) { return &bareBatch{}, bareBatchColumns }},
}

// TestBareHandlersAnswerAsTheInterfaceDoes keeps the benchmark working: a new field of a list must be shown by its bare
// handler too.
func TestBareHandlersAnswerAsTheInterfaceDoes(t *testing.T) {
	c := newSeededAPI(t)
	for _, l := range bareLists {
		t.Run(l.name, func(t *testing.T) { c.bare(t, l.address, l.item) })
	}
}

// throughput compares the interface with a bare handler, at concurrency 8, in turns so that a busy machine hits both.
func (c *seededAPI) throughput(b *testing.B) {
	for _, l := range bareLists {
		b.Run(l.name, func(b *testing.B) {
			bare := c.bare(b, l.address, l.item)
			var ours, theirs time.Duration
			requests := 0
			for b.Loop() {
				ours += c.burst(b, l.address)
				theirs += c.burst(b, bare)
				requests += burstLength
			}
			b.ReportMetric(float64(requests)/ours.Seconds(), "requests/s")
			b.ReportMetric(float64(requests)/theirs.Seconds(), "bare-requests/s")
			b.ReportMetric(theirs.Seconds()/ours.Seconds(), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const (
	burstLength  = 80
	burstClients = 8
)

// burst sends requests from several clients and tells how long all of them took.
func (c *seededAPI) burst(b *testing.B, address string) time.Duration {
	var next atomic.Int64
	var clients sync.WaitGroup
	began := time.Now()
	for range burstClients {
		clients.Go(func() {
			for next.Add(1) <= burstLength {
				c.get(b, address)
			}
		})
	}
	clients.Wait()
	return time.Since(began)
}

// rowLevelSecurity compares requests for lists with and without the net under their statements, in turns.
func (c *seededAPI) rowLevelSecurity(b *testing.B) {
	for _, l := range [][2]string{{"queues", "/queues"}, {"comparisons", "/comparisons"}, {"batches", "/batches"}, {"urls", "/urls"}} {
		b.Run(l[0], func(b *testing.B) {
			var with, without []time.Duration
			for b.Loop() {
				with = append(with, c.several(b, l[1])...)
				c.security(b, "DISABLE")
				without = append(without, c.several(b, l[1])...)
				c.security(b, "ENABLE")
			}
			slices.Sort(with)
			slices.Sort(without)
			on, off := with[len(with)/10], without[len(without)/10] // what else the machine does only adds
			b.ReportMetric(milliseconds(on), "with-ms")
			b.ReportMetric(milliseconds(off), "without-ms")
			b.ReportMetric(100*(on.Seconds()/off.Seconds()-1), "overhead-%")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// several sends thirty requests, one after the other, and tells how long each took. The first ones fill caches that the
// change of the tables has emptied, and do not count.
func (c *seededAPI) several(b *testing.B, address string) (took []time.Duration) {
	b.Helper()
	for i := range 35 {
		began := time.Now()
		c.get(b, address)
		if i >= 5 {
			took = append(took, time.Since(began))
		}
	}
	return took
}

// security switches row level security of all tables.
func (c *seededAPI) security(b *testing.B, how string) {
	b.Helper()
	_, err := c.backend.db.Pool().Exec(b.Context(), `DO $$
		DECLARE guarded regclass;
		BEGIN
			FOR guarded IN SELECT polrelid::regclass FROM pg_policy WHERE polname = 'tenant' LOOP
				EXECUTE format('ALTER TABLE %s `+how+` ROW LEVEL SECURITY', guarded);
			END LOOP;
		END $$`)
	if err != nil {
		b.Fatal(err)
	}
}
