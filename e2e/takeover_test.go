package e2e

import (
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// takeoverLimit is how long after its time a monitoring run begins at the latest, whichever process was lost just before.
const takeoverLimit = 5 * time.Second

// TestMonitoringGoesOnWithoutOneOfItsProcesses lets a group be due just after one of two workers was killed, or hangs: the other one
// starts the run in time.
func TestMonitoringGoesOnWithoutOneOfItsProcesses(t *testing.T) {
	t.Parallel()
	host := pages(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<h1>Here</h1>")) }))
	clock := newMovedClock(t)
	clock.set(t, hourOf(0))
	s := serve(t, []string{host}, append(clock.flags(), "--no-work")...)
	worker := func(name string) *program {
		w := start(t, name, slices.Concat(clock.flags(), []string{"work", "--allow-hosts", host, "--captures=1"}, s.at())...)
		w.allowed = []string{"background work failed"} // one that hung had its transaction ended
		waitFor(t, name+" to start", func() bool { return strings.Contains(w.text(), `"working"`) })
		return w
	}
	group := s.group(map[string]any{"monitoring": true, "interval_in_h": 3}, "http://"+host+"/")
	due := func() time.Time {
		return query[struct{ Group struct{ NextRunAt time.Time } }](s, `query ($id: ID!) { group(id: $id) { nextRunAt } }`,
			map[string]any{"id": group}).Group.NextRunAt
	}
	lost, left := worker("first worker"), worker("second worker")
	for round, lose := range []func(*program){
		(*program).kill,
		func(p *program) { _ = p.cmd.Process.Signal(syscall.SIGSTOP) },
		(*program).kill,
	} {
		at := due()
		lose(lost)
		clock.set(t, at)
		began := time.Now()
		waitFor(t, "the run that is due", func() bool { return due().After(at) })
		if took, limit := time.Since(began), promised(takeoverLimit); took > limit {
			t.Errorf("round %d: the run began %s after it was due, want %s at most", round+1, took, limit)
		} else {
			t.Logf("round %d: the run began %s after it was due", round+1, took.Round(10*time.Millisecond))
		}
		_ = lost.cmd.Process.Signal(syscall.SIGCONT)
		lost.kill()
		lost, left = left, worker("another worker")
	}
	left.stop()
}
