package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db/seed"
	"afterimage/vcd"
)

// seedSize is that of the account whose lists are measured: with AFTERIMAGE_BENCH_FULL=1 10,000 URLs, 1,010 batches and
// 1,000,000 comparisons.
func seedSize() seed.Size {
	if os.Getenv("AFTERIMAGE_BENCH_FULL") != "" {
		return seed.Size{Groups: 10, URLs: 1000, Batches: 101}
	}
	return seed.Size{Groups: 10, URLs: 30, Batches: 11}
}

// statementLog remembers what the database was asked and how long it took, transaction control apart.
type statementLog struct {
	mu  sync.Mutex
	all []statement
}

type statement struct {
	sql  string
	args []any
	took time.Duration
}

type statementBegan struct{}

func (l *statementLog) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, statementBegan{}, &statement{sql: data.SQL, args: data.Args, took: time.Duration(time.Now().UnixNano())})
}

func (l *statementLog) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	s, ok := ctx.Value(statementBegan{}).(*statement)
	verb, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(s.sql)), " ")
	if !ok || slices.Contains([]string{"begin", "commit", "rollback"}, verb) {
		return
	}
	s.took = time.Duration(time.Now().UnixNano()) - s.took
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, *s)
}

func (l *statementLog) take() []statement {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.all
	l.all = nil
	return all
}

// seededAPI is the interface on an account with a long history.
type seededAPI struct {
	*server
	token string
	log   *statementLog
	size  seed.Size
}

func newSeededAPI(b testing.TB) *seededAPI {
	b.Helper()
	log := &statementLog{}
	if url, token, ok := strings.Cut(os.Getenv("AFTERIMAGE_BENCH_DATABASE"), " "); ok { // filled before: its address and a token
		return &seededAPI{server: apiOn(b, url, log), token: token, log: log, size: seedSize()}
	}
	s, token := api(b, log)
	actor, _, err := s.backend.service.Accounts.Authenticate(b.Context(), token)
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	c := &seededAPI{server: s, token: token, log: log, size: seedSize()}
	if err := seed.Fill(b.Context(), s.backend.db.Pool(), actor.Account, c.size, true); err != nil {
		b.Fatal(err)
	}
	b.Logf("filled the account with %d comparisons in %s", c.size.Comparisons(), time.Since(began).Round(time.Second))
	log.take()
	return c
}

// get asks the interface, or another server at the given address, and returns the body.
func (c *seededAPI) get(b testing.TB, address string) []byte {
	b.Helper()
	if !strings.HasPrefix(address, "http") {
		address = c.url + "/api/v2" + address
	}
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.Fatalf("%s: status %d, %v: %.300s", address, response.StatusCode, err, body)
	}
	return body
}

// lists are the addresses to measure, by name.
func (c *seededAPI) lists() [][2]string {
	id := func(kind, n int) string { return fmt.Sprintf("018f0000-0000-700%d-8000-%012x", kind, n) }
	urls, batches, shots, all := c.size.Groups*c.size.URLs, c.size.Groups*c.size.Batches, c.size.Groups*c.size.URLs*c.size.Batches,
		c.size.Comparisons()
	page := func(items, part, of int) int { return 1 + (items-1)/15*part/of }
	lists := [][2]string{{"groups", "/groups"}, {"websites", "/websites"}}
	add := func(name, address string, items int) {
		for _, at := range []struct {
			name string
			page int
		}{{"first", 1}, {"middle", page(items, 1, 2)}, {"last", page(items, 1, 1)}} {
			join := "?"
			if strings.Contains(address, "?") {
				join = "&"
			}
			lists = append(lists, [2]string{name + "/" + at.name, fmt.Sprintf("%s%spage=%d", address, join, at.page)})
		}
	}
	add("urls", "/urls", urls)
	add("group-urls", "/groups/"+id(1, 3)+"/urls", c.size.URLs)
	add("batches", "/batches", batches)
	lists = append(lists, [2]string{"batches/status", "/batches?status=new,to_fix"},
		[2]string{"batches/changed", "/batches?above_threshold=1"},
		[2]string{"batches/group", "/batches?group_ids=" + id(1, 3)}, [2]string{"batches/url", "/batches?urls=" + id(2, 7)},
		[2]string{"batches/queue-type", "/batches?queue_type=comparison"}, [2]string{"batches/100", "/batches?per_page=100"})
	add("screenshots", "/screenshots", shots)
	add("queues", "/queues", shots+all)
	lists = append(lists, [2]string{"queues/polling", "/queues?status=open,processing&batch_id=" + id(3, batches-1)},
		[2]string{"queues/100", "/queues?per_page=100"})
	add("queues-of-batch", "/queues?batch_id="+id(3, batches-1), 2*c.size.URLs)
	add("queues-of-group", "/queues?groups="+id(1, 3), 2*c.size.URLs*c.size.Batches)
	add("comparisons", "/comparisons", all)
	add("comparisons-of-batch", "/comparisons?batches="+id(3, batches-1), c.size.URLs)
	add("comparisons-of-group", "/comparisons?groups="+id(1, 3), c.size.URLs*(c.size.Batches-1))
	add("comparisons-changed", "/comparisons?above_threshold=1", all/11)
	add("comparisons-by-status", "/comparisons?status=new,to_fix", all/25)
	add("comparisons-by-difference", "/comparisons?orderBy=difference_percent", all)
	return append(lists, [2]string{"comparisons/url", "/comparisons?urls=" + id(2, 7)},
		[2]string{"comparisons/period", "/comparisons?from=2026-01-05&to=2026-02-20"},
		[2]string{"comparisons/100", "/comparisons?per_page=100"})
}

// BenchmarkAPI measures every list of the interface over HTTP, authentication included, at first and far pages of an
// account with a long history. Run it by make bench-api.
func BenchmarkAPI(b *testing.B) {
	c := newSeededAPI(b)
	b.Run("list", func(b *testing.B) {
		for _, l := range c.lists() {
			b.Run(l[0], func(b *testing.B) { c.measure(b, l[1]) })
		}
	})
	b.Run("graphql", c.inGraphQL)
	b.Run("throughput", c.throughput)
	b.Run("row-level-security", c.rowLevelSecurity)
}

// mostStatements is how many statements a list may take, whatever the size of its page.
const mostStatements = 6

func (c *seededAPI) measure(b *testing.B, address string) {
	size := len(c.get(b, address))
	c.log.take()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		c.get(b, address)
		took = append(took, time.Since(began))
	}
	asked := c.log.take()
	perRequest := float64(len(asked)) / float64(len(took))
	reportSpread(b, took)
	b.ReportMetric(perRequest, "statements/op")
	b.ReportMetric(float64(size), "bytes")
	if perRequest > mostStatements {
		b.Errorf("%s: %.1f statements a request, at most %d are allowed", address, perRequest, mostStatements)
	}
	if file := os.Getenv("AFTERIMAGE_BENCH_PLANS"); file != "" {
		c.explain(b, file, address, asked)
	}
}

func reportSpread(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(milliseconds(took[len(took)/2]), "p50-ms")
	b.ReportMetric(milliseconds(took[len(took)*99/100]), "p99-ms")
	b.ReportMetric(0, "ns/op") // hides it: the spread says more
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// explain appends the plan of the slowest statement to a file.
func (c *seededAPI) explain(b *testing.B, file, address string, asked []statement) {
	b.Helper()
	slowest := slices.MaxFunc(asked, func(x, y statement) int { return cmp.Compare(x.took, y.took) })
	out, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	fmt.Fprintf(out, "## %s: %s\n\n%s\n\n", address, slowest.took, slowest.sql)
	err = c.asOwner(b, func(tx pgx.Tx) error {
		rows, err := tx.Query(b.Context(), "EXPLAIN (ANALYZE, BUFFERS) "+slowest.sql, slowest.args...)
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		fmt.Fprintf(out, "%s\n\n", strings.Join(lines, "\n"))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

// asOwner runs SQL in a transaction bound as the store binds its own.
func (c *seededAPI) asOwner(b *testing.B, do func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(b.Context(), c.backend.db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(b.Context(), bindLike, string(c.actor(b).Account)); err != nil {
			return err
		}
		return do(tx)
	})
}

const bindLike = `SELECT set_config('afterimage.account', $1, true), set_config('afterimage.system', 'off', true),
	set_config('join_collapse_limit', '1', true)`

func (c *seededAPI) actor(b *testing.B) vcd.Actor {
	b.Helper()
	actor, _, err := c.backend.service.Accounts.Authenticate(b.Context(), c.token)
	if err != nil {
		b.Fatal(err)
	}
	return actor
}
