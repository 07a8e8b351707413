package scale_test

import (
	"testing"
	"time"

	"afterimage/db/seed"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// TestALongHistoryCostsNothing runs all pages in an empty database and again in one that another account has filled: in full with
// 1,000,000 URLs of 10,000 groups and as many screenshots. It tells what a capture costs in each.
func TestALongHistoryCostsNothing(t *testing.T) {
	median, lanes, accounts, groups, pages, workers := 50*time.Millisecond, 4, 2, 2, 3, 2
	history := seed.Size{Groups: 4, URLs: 10, Batches: 2}
	if full() {
		median, lanes, accounts, groups, pages, workers = 700*time.Millisecond, 16, 10, 10, 5, 4
		history = seed.Size{Groups: 10_000, URLs: 100, Batches: 1}
	}
	f := newFleet(t, newStub(median), accounts, groups, pages)
	f.bothRuns(workers, lanes)
	other, _, err := f.service.Accounts.CreateAccount(t.Context(), account.Input{Email: "history@example.com"})
	must(t, err)
	began := time.Now()
	must(t, seed.Fill(t.Context(), f.db.Pool(), other.ID, history, true))
	t.Logf("%d URLs and %d screenshots besides, after %s; the database has %d MB", history.Groups*history.URLs,
		history.Groups*history.URLs*history.Batches, time.Since(began).Round(time.Second),
		ask[int64](f, "SELECT pg_database_size(current_database()) / 1000000"))
	f.bothRuns(workers, lanes)
}

// bothRuns captures all pages, and again with each capture compared.
func (f *fleet) bothRuns(workers, lanes int) {
	f.t.Helper()
	for _, kind := range []vcd.QueueType{vcd.QueuePre, vcd.QueuePost} {
		compares := 0
		if kind == vcd.QueuePost {
			compares = 2 * f.pages
		}
		m := f.measure(kind, workers, lanes)
		f.t.Log(m)
		if m.captures != 2*f.pages || m.compares != compares {
			f.t.Errorf("%d captures and %d comparisons, want %d and %d", m.captures, m.compares, 2*f.pages, compares)
		}
	}
}
