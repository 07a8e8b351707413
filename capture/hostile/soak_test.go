package hostile_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/capture/hostile"
	"afterimage/internal/assetcache"
)

// soak is a long run of captures of which every tenth is hostile.
type soak struct {
	pool *chrome.Pool
	site *httptest.Server

	mu       sync.Mutex
	endings  map[string]int
	browsers map[int]bool // process ids, which are those of their process groups, too
	failed   []string
}

// TestSoak captures on and on, a hostile page every tenth time: in the end no process, no target and no profile folder is
// left, and a browser takes no more memory than they did in the beginning. AFTERIMAGE_SOAK=1 makes it 5,000 captures.
func TestSoak(t *testing.T) {
	times, recycle := 20, 4
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		times, recycle = 5000, 100
	}
	folder := t.TempDir()
	openToAll(t, folder)
	s := &soak{site: startSite(t), endings: make(map[string]int), browsers: make(map[int]bool)}
	pool, err := chrome.Start(t.Context(), poolConfig(t, s.site, lanes, recycle, folder))
	if err != nil {
		t.Fatal(err)
	}
	s.pool = pool
	start := s.fresh(t)
	begin := time.Now()
	s.run(t.Context(), times)
	took := time.Since(begin)
	end := s.fresh(t)
	t.Logf("%d captures in %s, %.2f/s, by %d browsers: %s", times, took.Round(time.Second), float64(times)/took.Seconds(),
		len(s.browsers), s.summary())
	t.Logf("browsers after their first capture: %s in the beginning, %s in the end", start, end)
	for _, what := range s.failed {
		t.Error(what)
	}
	if more := float64(end.least())/float64(start.most()) - 1; more > 0.1 {
		t.Errorf("a fresh browser takes %.0f %% more memory than in the beginning", 100*more)
	}
	if end.targets() > start.targets() {
		t.Errorf("%d targets, %d in the beginning", end.targets(), start.targets())
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
		t.Errorf("folders are left: %q", left)
	}
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		time.Sleep(62 * time.Second) // after a minute without a capture a batch is over, of which nobody is told
		if got := shared.Stats(); got != (assetcache.Stats{}) {
			t.Errorf("the cache still has %+v", got)
		}
	}
	if left := processesOf(t, s.browsers); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

// run captures with all lanes at once.
func (s *soak) run(ctx context.Context, times int) {
	pages := hostile.Pages()
	turns := make(chan int)
	var all sync.WaitGroup
	for range lanes {
		all.Go(func() {
			for i := range turns {
				page := hostile.Page{Name: strings.TrimPrefix(hostile.ControlPath, "/"), Ends: []capture.Reason{hostile.Captured},
					Deadline: time.Minute}
				if i%10 == 9 {
					page = pages[(i/10*7)%len(pages)] // 7 and their number have no divisor in common: all in turn
				}
				s.take(ctx, i, page)
			}
		})
	}
	for i := range times {
		turns <- i
	}
	close(turns)
	all.Wait()
}

func (s *soak) take(ctx context.Context, i int, page hostile.Page) {
	device := []capture.Device{capture.Desktop, capture.Mobile}[(i/10+i)%2]
	_, err := s.pool.Capture(ctx, capture.Request{URL: s.site.URL + "/" + page.Name, Device: device, Deadline: page.Deadline,
		HideConsent: true, Shared: shared.Scope(fmt.Sprint("batch ", i/50))})
	reason := hostile.Captured
	var failure *capture.Failure
	if errors.As(err, &failure) {
		reason = failure.Reason
	}
	s.look(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endings[hostile.Name(reason)]++
	if !slices.Contains(page.Ends, reason) {
		s.failed = append(s.failed, fmt.Sprintf("capture %d: %s ended as %s: %v", i, page.Name, hostile.Name(reason), err))
	}
}

// look remembers which browsers there were.
func (s *soak) look(ctx context.Context) []chrome.LaneHealth {
	health := s.pool.Health(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range health {
		if h.PID != 0 {
			s.browsers[h.PID] = true
		}
	}
	return health
}

// sample is the state of several browsers, each after the first capture of its life.
type sample []chrome.LaneHealth

func (s sample) least() int64 { return slices.MinFunc(s, byMemory).Memory }
func (s sample) most() int64  { return slices.MaxFunc(s, byMemory).Memory }

func byMemory(a, b chrome.LaneHealth) int { return cmp.Compare(a.Memory, b.Memory) }

// targets is the largest number of targets of a browser.
func (s sample) targets() int {
	return slices.MaxFunc(s, func(a, b chrome.LaneHealth) int { return cmp.Compare(a.Targets, b.Targets) }).Targets
}

func (s sample) String() string {
	return fmt.Sprintf("%d to %d MiB, at most %d targets", s.least()>>20, s.most()>>20, s.targets())
}

// fresh captures the harmless page until three browsers have captured once in their lives, and tells how they fared.
func (s *soak) fresh(t *testing.T) sample {
	t.Helper()
	found := make(map[int]chrome.LaneHealth)
	for range 1000 {
		if _, err := takeControl(t.Context(), s.pool, s.site); err != nil {
			t.Fatal(err)
		}
		for _, h := range s.look(t.Context()) {
			if h.Running && h.Captures == 1 && found[h.PID].PID == 0 {
				found[h.PID] = s.rested(t.Context(), h)
			}
		}
		if len(found) >= 3 {
			return slices.Collect(maps.Values(found))
		}
	}
	t.Fatal("fewer than three browsers were started for 1,000 captures")
	return nil
}

// rested is a browser some moments later, when it has let go of the page it has just left: of which it tells nobody.
func (s *soak) rested(ctx context.Context, lane chrome.LaneHealth) chrome.LaneHealth {
	for range 5 {
		time.Sleep(100 * time.Millisecond)
		for _, h := range s.look(ctx) {
			if h.PID == lane.PID && h.Captures == 1 && h.Memory < lane.Memory {
				lane = h
			}
		}
	}
	return lane
}

func (s *soak) summary() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s.endings)) {
		parts = append(parts, fmt.Sprintf("%d %s", s.endings[name], name))
	}
	return strings.Join(parts, ", ")
}

// processesOf lists what lives of process groups.
func processesOf(t *testing.T, groups map[int]bool) []string {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var alive []string
	for _, path := range stats {
		text, _ := os.ReadFile(path) // empty when it has just gone
		var state string
		var parent, group int
		// After the command, which stands in brackets and may contain anything: state, parent, process group (proc_pid_stat(5)).
		if _, err := fmt.Sscan(string(text[strings.LastIndexByte(string(text), ')')+1:]), &state, &parent, &group); err == nil &&
			groups[group] && state != "Z" { // a dead one waits for process 1 to bury it
			alive = append(alive, string(text[:min(len(text), 60)]))
		}
	}
	return alive
}

// openToAll lets the browsers' users enter a test's folder.
func openToAll(t *testing.T, folder string) {
	t.Helper()
	for dir := folder; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}
