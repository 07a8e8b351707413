package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/db/schema"
	"afterimage/internal/blob"
	"afterimage/internal/pgtest"
	"afterimage/internal/secret"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// statements counts what the database is asked, transaction control apart.
type statements struct{ n atomic.Int64 }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	verb, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(data.SQL)), " ")
	if !slices.Contains([]string{"begin", "commit", "rollback"}, verb) {
		s.n.Add(1)
	}
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// api serves the whole map of addresses on a fresh database and returns its address and a token.
func api(b testing.TB, tracer pgx.QueryTracer) (*server, string) {
	b.Helper()
	s := apiOn(b, pgtest.New(b), tracer)
	_, token, err := s.backend.service.Accounts.CreateAccount(b.Context(), account.Input{Email: "owner@example.com"})
	if err != nil {
		b.Fatal(err)
	}
	return s, token.Plain
}

// apiOn serves the whole map of addresses on a database.
func apiOn(b testing.TB, url string, tracer pgx.QueryTracer) *server {
	b.Helper()
	return apiWatched(b, url, tracer, nil)
}

// apiWatched is apiOn with what operators see, nil for nothing.
func apiWatched(b testing.TB, url string, tracer pgx.QueryTracer, seen *watch) *server {
	b.Helper()
	quiet := slog.New(slog.DiscardHandler)
	if err := schema.Migrate(b.Context(), url, quiet); err != nil {
		b.Fatal(err)
	}
	settings := db.Config{URL: url, Logger: quiet, Tracer: tracer, Queue: vcdtest.NewIdleQueue}
	if seen != nil {
		settings.Figures = seen.figures
	}
	store, err := db.Open(b.Context(), settings)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(store.Close)
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		b.Fatal(err)
	}
	files, err := blob.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	service := app.New(app.Config{
		Store:  store,
		Config: vcd.Config{Feed: store, Clock: vcd.SystemClock{}, IDs: vcd.RandomIDs{}, Sealer: box},
	})
	s := &server{backend: &backend{db: store, files: files, service: service}, url: "http://localhost", watch: seen}
	handler, err := (&serveCmd{}).handler(b.Context(), s, quiet)
	if err != nil {
		b.Fatal(err)
	}
	listening := httptest.NewServer(handler)
	b.Cleanup(func() { s.graph.Close(); listening.Close() })
	s.url = listening.URL
	return s
}

// BenchmarkListGroups is GET /api/v2/groups with 15 groups on the page, over HTTP, authentication included. It reports
// the median and the number of statements a request.
func BenchmarkListGroups(b *testing.B) {
	const groups, urls = 15, 20
	counted := &statements{}
	s, token := api(b, counted)
	fillGroups(b, s.backend.service, token, groups, urls)
	get := func() {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, s.url+"/api/v2/groups", http.NoBody)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		size, err := io.Copy(io.Discard, response.Body)
		if err != nil || response.StatusCode != http.StatusOK || size < 15*200 {
			b.Fatalf("status %d, %d bytes, %v", response.StatusCode, size, err)
		}
		_ = response.Body.Close()
	}
	get()
	counted.n.Store(0)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		get()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(counted.n.Load())/float64(len(took)), "statements/op")
	if perRequest := counted.n.Load() / int64(len(took)); perRequest > 4 {
		b.Errorf("%d statements a request, at most 4 are allowed", perRequest)
	}
}

func fillGroups(b *testing.B, service *app.Service, token string, groups, urls int) {
	b.Helper()
	actor, _, err := service.Accounts.Authenticate(b.Context(), token)
	if err != nil {
		b.Fatal(err)
	}
	for g := range groups {
		group, err := service.Inventory.CreateGroup(b.Context(), actor, inventory.GroupChange{Name: vcd.Some(fmt.Sprint("Group ", g))})
		if err != nil {
			b.Fatal(err)
		}
		var items []inventory.SelectionChange
		for u := range urls {
			url, err := service.Inventory.CreateURL(b.Context(), actor,
				inventory.URLChange{URL: vcd.Some(fmt.Sprintf("https://example.com/%d/%d", g, u))})
			if err != nil {
				b.Fatal(err)
			}
			items = append(items, inventory.SelectionChange{URLID: string(url.ID)})
		}
		if _, err := service.Inventory.AddURLs(b.Context(), actor, group.ID, items); err != nil {
			b.Fatal(err)
		}
	}
}
