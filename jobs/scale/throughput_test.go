package scale_test

import (
	"flag"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"afterimage/internal/chart"
	"afterimage/internal/processtree"
	"afterimage/vcd"
)

var chartFile = flag.String("chart", "", "let TestWorkersAddUp draw its figures into this SVG file")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// measured is what a run of all pages took.
type measured struct {
	workers, lanes, captures, compares int
	took                               time.Duration
	ideal                              float64 // captures a second if no lane were ever idle
	own, postgres                      time.Duration
	transactions, logged               int64 // commits, and bytes of the write-ahead log
}

func (m *measured) rate() float64 { return float64(m.captures) / m.took.Seconds() }

func (m *measured) each(d time.Duration) float64 { return d.Seconds() * 1000 / float64(m.captures) }

func (m *measured) String() string {
	return fmt.Sprintf("%d workers × %d lanes: %d captures and %d comparisons in %.1f s, %.1f/s (%.2f of ideal); per capture %.1f ms of "+
		"workers, %.1f ms of Postgres, %.1f transactions, %.1f kB of log", m.workers, m.lanes, m.captures, m.compares, m.took.Seconds(),
		m.rate(), m.rate()/m.ideal, m.each(m.own), m.each(m.postgres), float64(m.transactions)/float64(m.captures),
		float64(m.logged)/1000/float64(m.captures))
}

// measure runs all pages once.
func (f *fleet) measure(kind vcd.QueueType, workers, lanes int) *measured {
	f.t.Helper()
	dismiss := f.employ(workers, lanes)
	defer dismiss()
	m := &measured{workers: workers, lanes: lanes}
	if f.browser.median > 0 {
		m.ideal = float64(workers*lanes) / f.browser.meanTime().Seconds()
	}
	postmaster := parentOf(f.t, ask[int](f, "SELECT pg_backend_pid()"))
	taken, own, postgres := f.browser.taken.Load(), ownTime(f.t), processtree.CPUTime(postmaster)
	transactions, logged, compared := f.counters()
	began := time.Now()
	f.take(kind)
	f.until("the end of all runs", 10*time.Minute, func() bool {
		return ask[int](f, "SELECT count(*) FROM batches WHERE finished_at IS NULL") == 0
	})
	m.took = time.Since(began)
	m.captures = int(f.browser.taken.Load() - taken)
	m.own, m.postgres = ownTime(f.t)-own, processtree.CPUTime(postmaster)-postgres
	after, bytes, all := f.counters()
	m.transactions, m.logged, m.compares = after-transactions, bytes-logged, int(all-compared)
	f.browser.visit.Add(1)
	return m
}

func (f *fleet) counters() (transactions, logged, compared int64) {
	f.t.Helper()
	return ask[int64](f, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"),
		ask[int64](f, "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"), ask[int64](f, "SELECT count(*) FROM comparisons")
}

func ownTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func parentOf(t *testing.T, pid int) (parent int) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	must(t, err)
	var state string
	_, err = fmt.Sscanf(string(stat[len(fmt.Sprintf("%d (postgres) ", pid)):]), "%s %d", &state, &parent)
	must(t, err)
	return parent
}

// TestWorkersAddUp runs all pages with one worker, then with more of them: each page is captured and compared once, and no host
// gets more captures at once than it may. In full it tells how much more several workers do on one database.
func TestWorkersAddUp(t *testing.T) {
	median, lanes, accounts, groups, pages, most := 100*time.Millisecond, 4, 3, 2, 5, 2
	if full() {
		median, lanes, accounts, groups, pages, most = 700*time.Millisecond, 16, 10, 10, 10, 4
	}
	var all []*measured
	if full() { // with fewer lanes, which do not fill the processors of a small machine
		all = newFleet(t, newStub(median), accounts, groups, pages/3).addUp(4, most)
	}
	f := newFleet(t, newStub(median), accounts, groups, pages)
	all = append(all, f.addUp(lanes, most)...)
	m := f.measure(vcd.QueuePost, most, lanes)
	t.Log(m)
	f.verify(m, 2*f.pages)
	if *chartFile != "" {
		must(t, os.WriteFile(*chartFile, []byte(chart.SVG(rates(all))), 0o600))
	}
}

// addUp runs all pages with one worker, two, and so on.
func (f *fleet) addUp(lanes, most int) (all []*measured) {
	f.t.Helper()
	for workers := 1; workers <= most; workers *= 2 {
		m := f.measure(vcd.QueuePre, workers, lanes)
		all = append(all, m)
		f.t.Logf("%v, %.2f of linear", m, m.rate()/all[0].rate()/float64(workers))
		f.verify(m, 0)
	}
	return all
}

// rates shows the captures per second by workers, and what they would be if each added as much as the first.
func rates(all []*measured) chart.Chart {
	c := chart.Chart{Title: "Workers on one database", X: chart.Axis{Name: "workers"}, Y: chart.Axis{Name: "captures per second"}}
	for _, m := range all {
		if m.workers == 1 {
			name := fmt.Sprintf("%d lanes each", m.lanes)
			c.Series = append(c.Series, chart.Series{Name: name}, chart.Series{Name: name + ", linear"})
		}
		measured, linear := &c.Series[len(c.Series)-2], &c.Series[len(c.Series)-1]
		measured.Points = append(measured.Points, chart.Point{X: float64(m.workers), Y: m.rate()})
		one := measured.Points[0].Y
		linear.Points = append(linear.Points, chart.Point{X: float64(m.workers), Y: one * float64(m.workers)})
	}
	return c
}

// verify wants each page on both devices to have been captured once, and as many comparisons.
func (f *fleet) verify(m *measured, compares int) {
	f.t.Helper()
	if m.captures != 2*f.pages || m.compares != compares {
		f.t.Errorf("%d captures and %d comparisons, want %d and %d", m.captures, m.compares, 2*f.pages, compares)
	}
	if f.browser.most > hostCaptures {
		f.t.Errorf("%d captures of one host at once, want %d at most", f.browser.most, hostCaptures)
	}
	if broken, err := f.db.CheckInvariants(f.t.Context()); err != nil || len(broken) > 0 {
		f.t.Errorf("broken invariants: %v, %v", broken, err)
	}
}
