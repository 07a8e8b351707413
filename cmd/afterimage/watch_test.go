package main

import (
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"afterimage/db"
	"afterimage/graph"
	"afterimage/internal/health"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
)

// everyFigure returns the names of all figures that a process with workers and requests has.
func everyFigure(t *testing.T) []string {
	t.Helper()
	store := vcdtest.OpenWith(t, db.Config{URL: vcdtest.Database(t)})
	b := &backend{db: store, service: app.New(vcd.Config{Store: store, Feed: store})}
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
