package e2e

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

// The sizes of the crash test: small in every run, whole with AFTERIMAGE_SOAK=1 (make soak).
func crashSize() (urls, kills int) {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 75, 10 // 75 URLs × 2 devices × pre and post = 300 captures
	}
	return 10, 3
}

// TestCrash kills the worker again and again while it captures and compares. Nothing may be lost and nothing may be
// there twice: see db/invariants.sql, which the check runs.
func TestCrash(t *testing.T) {
	t.Parallel() // it waits for what the dead left behind, as others do
	urls, kills := crashSize()
	host := pages(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1>%[1]s</h1><p>%[2]d</p>`, r.URL.Path, len(r.URL.Path))
	}))
	s := serve(t, []string{host}, "--no-work")
	addresses := make([]string, urls)
	for i := range addresses {
		addresses[i] = "http://" + host + "/page-" + strconv.Itoa(i)
	}
	group := s.group(nil, addresses...)
	work := func() *program {
		return start(t, "work", "work", "--data-dir", s.dir, "--allow-hosts", host, "--captures=2",
			"--capture-deadline=10s", "--rescue-after=1s")
	}

	worker := work()
	pre := s.take(group, "pre")
	post := s.take(group, "post")
	batches := pre + "," + post
	for kill := range kills {
		goal := (kill + 1) * 6 * urls / (kills + 1)
		waitFor(t, fmt.Sprintf("%d entries to end", goal), 5*time.Minute, func() bool { return ended(s, batches) >= goal })
		worker.kill()
		worker = work()
	}
	waitFor(t, "all entries to end", 10*time.Minute, func() bool { return ended(s, batches) == 6*urls })
	for _, batchID := range []string{pre, post} {
		for _, e := range s.entries(batchID) {
			if e.Status != "done" {
				t.Errorf("%s %s %s is %s: %s", e.ScType, e.URLLink, e.Device, e.Status, deref(e.ErrorMsg))
			}
		}
	}
	if c := must[page[comparison]](s, http.MethodGet, "/comparisons?per_page=1&batches="+post, nil); c.Meta.Total != 2*urls || c.Meta.AboveThresholdCount != 0 {
		t.Errorf("%d comparisons, %d above the threshold; want %d and none", c.Meta.Total, c.Meta.AboveThresholdCount, 2*urls)
	}
	worker.stop()
	s.check()
}

func ended(s *service, batches string) int {
	counts := must[page[entry]](s, http.MethodGet, "/queues?per_page=1&batches="+batches, nil).Meta.StatusCounts
	return counts.Done + counts.Failed
}
