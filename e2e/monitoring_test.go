package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// outageSize is how many groups with how many URLs are monitored, and how often the database and the browsers are taken away.
func outageSize() (groups, urls, outages int) {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 3, 8, 3
	}
	return 2, 3, 1
}

// TestMonitoringSurvivesOutages takes the database and the browsers away while monitoring groups run. Each due run takes
// place once, each of its pages is captured and compared once, and nothing is left over.
func TestMonitoringSurvivesOutages(t *testing.T) {
	t.Parallel()
	groups, urls, outages := outageSize()
	visited := make(chan struct{}, 1)
	host := pages(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case visited <- struct{}{}:
		default:
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1>%[1]s</h1>`, r.URL.Path)
	}))
	s := serveAlone(t, dataDir(t), []string{host}, "--captures=2", "--capture-deadline=2m", "--retry-delay=100ms", "--rescue-after=1s",
		"--confirm-after=0s")
	s.allowed = withoutDatabase
	ids := make([]string, groups)
	for i := range ids {
		addresses := make([]string, urls)
		for j := range addresses {
			addresses[j] = fmt.Sprintf("http://%s/group-%d/page-%d", host, i, j)
		}
		inThreeDays := time.Now().UTC().AddDate(0, 0, 3)
		ids[i] = s.group(map[string]any{"monitoring": true, "schedule_type": "monthly", "schedule_days": []int{min(inThreeDays.Day(), 30)}},
			addresses...)
	}

	s.runAll(len(ids), 1) // the baselines
	runs := 1
	for range outages {
		for what, takeAway := range map[string]func(){
			"the database": func() { end(t, postmaster(t, s.dir)) },
			"the browsers": func() { killBrowsers(t, s.cmd.Process.Pid) },
		} {
			runs++
			drain(visited)
			s.makeDue(len(ids))
			select {
			case <-visited: // the run is in the middle of it
			case <-time.After(patience):
				t.Fatal("nothing is captured")
			}
			takeAway()
			t.Logf("run %d lost %s", runs, what)
			s.awaitRuns(len(ids) * runs)
		}
	}
	for _, group := range ids {
		s.checkRuns(group, runs, 2*urls)
	}
	s.check()
}

func drain(signals <-chan struct{}) {
	select {
	case <-signals:
	default:
	}
}

// runAll makes all groups run and waits until all runs so far have ended.
func (s *service) runAll(groups, runs int) {
	s.t.Helper()
	s.makeDue(groups)
	s.awaitRuns(groups * runs)
}

// makeDue lets the next run of every monitoring group be due since a second. By their plans none is due for days.
func (s *service) makeDue(groups int) {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), superuser(s.t, s.dir))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = conn.Close(s.t.Context()) }()
	tag, err := conn.Exec(s.t.Context(), "update groups set next_run_at = now() - interval '1 second' where next_run_at is not null")
	if err != nil || tag.RowsAffected() != int64(groups) {
		s.t.Fatalf("%d of %d groups are due: %v", tag.RowsAffected(), groups, err)
	}
}

// awaitRuns waits until so many runs have taken place and ended. The service may be away meanwhile.
func (s *service) awaitRuns(runs int) {
	s.t.Helper()
	waitFor(s.t, fmt.Sprintf("the end of %d runs", runs), func() bool {
		a, err := s.try(http.MethodGet, "/api/v2/batches?per_page=100&source=monitoring", nil)
		if err != nil || a.status != http.StatusOK {
			return false
		}
		ended := 0
		for _, b := range decode[page[batch]](s.t, a.body).Data {
			if b.FinishedAt != nil {
				ended++
			}
		}
		return ended >= runs
	})
}

// checkRuns wants so many runs of a group, each with its screenshots and, after the first, with as many comparisons, none of
// which found a change.
func (s *service) checkRuns(group string, runs, screenshots int) {
	s.t.Helper()
	list := must[page[batch]](s, http.MethodGet, "/batches?per_page=100&source=monitoring&group_ids="+group, nil)
	if list.Meta.Total != runs {
		s.t.Errorf("group %s ran %d times, want %d", group, list.Meta.Total, runs)
	}
	for i, b := range list.Data { // newest first
		entries := s.entries(b.ID)
		of := map[string]int{}
		for _, e := range entries {
			of[e.ScType]++
			if e.Status != "done" {
				s.t.Errorf("run %d: %s %s %s is %s: %s", len(list.Data)-i, e.ScType, e.URLLink, e.Device, e.Status, deref(e.ErrorMsg))
			}
		}
		compared := len(s.comparisons(b.ID))
		first := i == len(list.Data)-1
		if of["auto"] != screenshots || first && compared != 0 || !first &&
			(compared != screenshots || b.ComparisonsCount.OK != screenshots) {
			s.t.Errorf("run %d: entries %v, %d comparisons, %+v", len(list.Data)-i, of, compared, b.ComparisonsCount)
		}
	}
}

// killBrowsers ends all browsers that a process has started, as the kernel does when memory runs out.
func killBrowsers(t *testing.T, parent int) {
	t.Helper()
	killed := 0
	for _, pid := range childrenOf(t, parent) {
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && strings.Contains(string(command), "--remote-debugging-pipe") && syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	if killed == 0 {
		t.Fatal("no browser was killed: the test shows nothing")
	}
}

// runs reports whether there is a process with a number that has not ended; one that nobody has waited for has no command line.
func runs(pid int) bool {
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && len(command) > 0
}

func childrenOf(t *testing.T, parent int) (children []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		pid, rest, _ := strings.Cut(string(stat), " (")
		fields := strings.Fields(rest[strings.LastIndex(rest, ")")+1:]) // see proc(5): the state, then the parent
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			child, err := strconv.Atoi(pid)
			if err != nil {
				t.Fatal(err)
			}
			children = append(children, child)
		}
	}
	return children
}
