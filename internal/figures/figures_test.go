package figures_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"afterimage/internal/figures"
)

var words = figures.Words{
	Devices: []string{"desktop", "mobile"}, Reasons: []string{"dns", "timeout"}, Stages: []string{"goto", "shot"},
	Operations: []string{"ListGroups", "groups"},
}

// scrape returns the lines of the figures of this package, without the process's own.
func scrape(f *figures.Figures) []string {
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text, _ := io.ReadAll(w.Result().Body)
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "afterimage_") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

func series(lines []string) []string {
	names := make([]string, len(lines))
	for i, line := range lines {
		names[i] = line[:strings.LastIndexByte(line, ' ')]
	}
	slices.Sort(names)
	return names
}

// observe counts one of everything with the words given.
func observe(f *figures.Figures, a, b, c string, n int) {
	f.Captured(a, b, time.Second)
	f.Captured(a, "", time.Second)
	f.Stage(a, time.Second)
	f.Compared(a)
	f.Judged(a, n)
	f.RefusedStatements(n)
	f.Delivered(a)
	f.Mailed(a)
	f.Ran(a)
	f.Worked(a, time.Second)
	f.Operation(a, b, c, time.Second)
	f.Stored(a, time.Second, errors.New(b))
	f.Transacted(a, b, time.Second)
}

// TestHostileWordsAddNoSeries takes the series that every legal word makes, and lets any words follow. An attacker who names
// operations, pages or devices must not fill the memory of Prometheus.
func TestHostileWordsAddNoSeries(t *testing.T) {
	f := figures.New("v1", words)
	hostile := figures.Backlog{}
	f.Backlog(func(context.Context) (*figures.Backlog, error) { return &hostile, nil }, slog.New(slog.DiscardHandler))
	legal := slices.Concat(words.Devices, words.Reasons, words.Stages, words.Operations, []string{
		"", "strange", "rest", "graphql", "ok", "failed", "refused", "read", "write", "system", "new", "all_good", "alert", "not_sure",
		"none", "capture", "compare", "deliver", "mail", "sweep", "region", "accounts", "retention", "import",
	})
	for _, a := range legal {
		for _, b := range legal {
			f.Captured(a, b, time.Second)
			f.Stored(a, time.Second, nil)
			f.Transacted(a, b, time.Second)
			for _, c := range []string{"strange", "ok", "failed", "refused"} {
				f.Operation(a, b, c, time.Second)
			}
		}
		observe(f, a, a, a, 1)
	}
	before := series(scrape(f))
	if len(before) > 1500 {
		t.Errorf("%d series are more than a scrape should have", len(before))
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.String(), rapid.SampledFrom(legal))
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		observe(f, a, b, c, rapid.IntRange(-3, 100).Draw(t, "n"))
	})
	if after := series(scrape(f)); !slices.Equal(before, after) {
		t.Errorf("the series changed from %d to %d", len(before), len(after))
	}
}

// What the database tells is bounded too: kinds that are on no list are added up.
func TestWhatWaitsHasBoundedLabels(t *testing.T) {
	f := figures.New("v1", words)
	found := &figures.Backlog{
		Turns: []figures.Turns{{Kind: "capture", Waiting: 7, Working: 2, Accounts: 3, Oldest: 12.5}, {Kind: "evil\n", Waiting: 1}},
		Jobs: []figures.Jobs{
			{Kind: "deliver", State: "available", Number: 4, Oldest: 9},
			{Kind: "x", State: "y", Number: 1, Oldest: 3}, {Kind: "z", State: "w", Number: 2},
		},
		Workers: figures.Workers{Processes: 2, Captures: 8, Compares: 4, Imports: 32}, Groups: figures.Due{Number: 1, Oldest: 2},
		Events: []figures.Reading{{Consumer: "webhooks", Accounts: 5}}, Age: 1,
	}
	asked := 0
	f.Backlog(func(context.Context) (*figures.Backlog, error) { asked++; return found, nil }, slog.New(slog.DiscardHandler))
	lines := scrape(f)
	for _, want := range []string{
		`afterimage_turns_waiting{kind="capture"} 7`, `afterimage_turns_waiting{kind="compare"} 0`,
		`afterimage_turns_accounts{kind="capture"} 3`, `afterimage_turns_oldest_seconds{kind="capture"} 12.5`,
		`afterimage_jobs{kind="deliver",state="available"} 4`, `afterimage_jobs{kind="other",state="other"} 3`,
		`afterimage_jobs_oldest_seconds{kind="other",state="other"} 3`, `afterimage_workers 2`,
		`afterimage_worker_places{kind="capture"} 8`, `afterimage_groups_due_oldest_seconds 2`,
		`afterimage_events_unread_accounts{consumer="webhooks"} 5`,
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("the scrape lacks %s", want)
		}
	}
	scrape(f)
	if asked != 1 {
		t.Errorf("two scrapes in a row asked the database %d times", asked)
	}
}

func TestADatabaseThatIsAwayCostsOnlyItsFigures(t *testing.T) {
	f := figures.New("v1", words)
	f.Backlog(func(context.Context) (*figures.Backlog, error) { return nil, errors.New("away") }, slog.New(slog.DiscardHandler))
	f.Compared("ok")
	lines := scrape(f)
	if !slices.Contains(lines, `afterimage_comparisons_total{outcome="ok"} 1`) {
		t.Error("the other figures are missing")
	}
	if text := strings.Join(scrape(f), "\n"); !strings.Contains(text, "afterimage_backlog_errors_total") ||
		strings.Contains(text, "afterimage_turns_waiting") {
		t.Errorf("the failure is not counted, or old figures are shown:\n%s", text)
	}
}

func TestWithoutFiguresNothingIsCounted(*testing.T) {
	var none *figures.Figures
	observe(none, "a", "b", "c", 1)
	none.Gauge("x", "", nil)
	none.Count("x", "", nil)
	none.Ready(nil)
	none.Browsers(nil, nil)
	none.Backlog(nil, nil)
}
