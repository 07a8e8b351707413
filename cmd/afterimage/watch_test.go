package main

import (
	"io"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/graph"
	"afterimage/internal/health"
	"afterimage/internal/pgtest"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
)

// everyFigure returns the names of all figures that a process with workers and requests has.
func everyFigure(t *testing.T) []string {
	t.Helper()
	store := vcdtest.OpenWith(t, db.Config{URL: vcdtest.Database(t)})
	b := &backend{db: store, service: app.New(app.Config{Store: store, Config: vcd.Config{Feed: store}})}
	served, err := graph.New(graph.Config{Service: b.service, BaseURL: "http://localhost"})
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	w := &watch{health: health.New(quiet), figures: newFigures(), logger: quiet}
	w.figures.Ready(w.health.Ready)
	w.database(b)
	w.requests(served)
	w.figures.Browsers(func() (busy, all int) { return 0, 0 }, func() int64 { return 0 })
	return w.figures.Names()
}

// TestEveryFigureThatIsSpokenOfExists holds the dashboard, the alert rules with their tests, and the documentation to the figures
// that there are, and the documentation to all of them.
func TestEveryFigureThatIsSpokenOfExists(t *testing.T) {
	known := everyFigure(t)
	spoken := regexp.MustCompile(`\b(?:afterimage|process|go)_[a-z_]+[a-z]\b`)
	suffix := regexp.MustCompile(`_(?:bucket|sum|count)$`)
	for _, file := range []string{
		"integrations/prometheus/dashboard.json", "integrations/prometheus/alerts.yml", "integrations/prometheus/alerts_test.yml",
		"docs/metrics.md", "docs/runbook.md",
	} {
		text, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		names := spoken.FindAllString(string(text), -1)
		if len(names) == 0 && !strings.HasSuffix(file, "runbook.md") {
			t.Errorf("%s speaks of no figure", file)
		}
		for _, name := range names {
			if !slices.Contains(known, name) && !slices.Contains(known, suffix.ReplaceAllString(name, "")) {
				t.Errorf("%s speaks of %s, which does not exist", file, name)
			}
		}
		if file == "docs/metrics.md" {
			for _, name := range known {
				if strings.HasPrefix(name, "afterimage_") && !slices.Contains(names, name) {
					t.Errorf("%s says nothing about %s", file, name)
				}
			}
		}
	}
}

// BenchmarkFigures asks for the same list with figures and without, each on a server and a database of its own, in turn, and
// reports by how much figures are slower.
func BenchmarkFigures(b *testing.B) {
	without, with := newListing(b, nil), newListing(b, &watch{figures: newFigures()})
	for i := 0; b.Loop(); i++ { // each goes first as often
		if i%2 == 0 {
			without.get()
			with.get()
		} else {
			with.get()
			without.get()
		}
	}
	b.ReportMetric(with.median()/without.median(), "with/without-p50")
}

// listing asks a server for a list of groups.
type listing struct {
	b     *testing.B
	url   string
	token string
	took  []time.Duration
}

func newListing(b *testing.B, seen *watch) *listing {
	b.Helper()
	s := apiWatched(b, pgtest.New(b), nil, seen)
	_, token, err := s.backend.service.Accounts.CreateAccount(b.Context(), account.Input{Email: "owner@example.com"})
	if err != nil {
		b.Fatal(err)
	}
	fillGroups(b, s.backend.service, token.Plain, 15, 20)
	l := &listing{b: b, url: s.url, token: token.Plain}
	for range 50 {
		l.get()
	}
	l.took = nil
	return l
}

func (l *listing) get() {
	r, err := http.NewRequestWithContext(l.b.Context(), http.MethodGet, l.url+"/api/v2/groups", http.NoBody)
	if err != nil {
		l.b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+l.token)
	began := time.Now()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		l.b.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		l.b.Fatalf("status %d", response.StatusCode)
	}
	l.took = append(l.took, time.Since(began))
}

func (l *listing) median() float64 {
	slices.Sort(l.took)
	return float64(l.took[len(l.took)/2])
}
