package jobs_test

import (
	"errors"
	"image/color"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// Each reason is either tried three times or once. A page that is blank, or tells of an error, is a result.
func TestWhichFailuresAreTriedAgain(t *testing.T) {
	t.Parallel()
	terminal := map[capture.Reason]bool{
		capture.ReasonBlockedAddress: true, capture.ReasonInvalidAddress: true, capture.ReasonRedirectLoop: true,
		capture.ReasonTooLarge: true,
		capture.ReasonNotHTML:  true, capture.ReasonDownload: true, capture.ReasonCredentials: true,
	}
	w := newWorld(t, func(r capture.Request) (*capture.Shot, error) {
		if strings.HasSuffix(r.URL, "/blank") {
			return shot(color.White), nil
		}
		reason := capture.Reason(r.URL[strings.LastIndexByte(r.URL, '/')+1:])
		return nil, &capture.Failure{Reason: reason, Stage: "goto", Err: errors.New("secret internals")}
	})
	group := w.group("https://blank.test/blank", inventory.GroupChange{})
	for _, reason := range capture.Reasons {
		if reason != capture.ReasonRateLimited { // lets its host rest, see below
			w.add(group, "https://"+strings.ReplaceAll(string(reason), "_", "-")+".test/"+string(reason))
		}
	}
	_, entries := w.run(group, vcd.QueuePre)
	if len(entries) != len(capture.Reasons) {
		t.Fatalf("%d entries for %d reasons", len(entries), len(capture.Reasons))
	}
	for _, e := range entries {
		reason := capture.Reason(e.URLAddress[strings.LastIndexByte(e.URLAddress, '/')+1:])
		if reason == "blank" {
			if e.Status != vcd.QueueDone || e.Notice != "" {
				t.Errorf("a blank page is %+v", e)
			}
			continue
		}
		attempts := 3
		if terminal[reason] {
			attempts = 1
		}
		if e.Status != vcd.QueueFailed || e.Attempts != attempts || e.Reason != string(reason) || e.Notice != "" ||
			e.ErrorMsg != (&capture.Failure{Reason: reason}).Sentence() || strings.Contains(e.ErrorMsg, "secret") {
			t.Errorf("%s: %s after %d attempts for %q: %q; want failed after %d", reason, e.Status, e.Attempts, e.Reason,
				e.ErrorMsg, attempts)
		}
	}
	w.checkInvariants()
}

// A site that refuses us is left alone for as long as it says, and then captured.
func TestASiteThatGetsTooManyRequestsIsAskedAgainLater(t *testing.T) {
	t.Parallel()
	var visits atomic.Int32
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) {
		s := shot(color.White)
		if visits.Add(1) == 1 {
			s.Status, s.RetryAfter = 429, "1"
		}
		return s, nil
	})
	_, entries := w.run(w.group("https://example.com", inventory.GroupChange{}), vcd.QueuePre)
	if e := entries[0]; e.Status != vcd.QueueDone || e.Attempts != 0 || e.Notice != "" || visits.Load() != 2 {
		t.Errorf("entry %+v after %d visits", e, visits.Load())
	}
	w.checkInvariants()
}

// What a page that is closed shows to its visitors is its picture, in the end. Until then only its document is asked for.
func TestAPageThatStaysClosedIsAResult(t *testing.T) {
	t.Parallel()
	var brief []bool
	w := newWorldWith(t, func(r capture.Request) (*capture.Shot, error) {
		brief = append(brief, r.LeaveRefused)
		s := shot(color.White)
		if r.LeaveRefused {
			s.PNG = nil
		}
		s.Status = 503
		return s, nil
	}, func(c *jobs.Config) {
		c.Service = c.Service.With(func(c *app.Config) { c.RetryDelay = 10 * time.Millisecond })
	})
	_, entries := w.run(w.group("https://example.com", inventory.GroupChange{}), vcd.QueuePre)
	list, err := w.service.Reviews.Screenshots(t.Context(), w.actor, vcd.ScreenshotFilter{}, vcd.Page{Size: 1})
	if err != nil || entries[0].Status != vcd.QueueDone || entries[0].Attempts != 2 || len(list.Items) != 1 ||
		list.Items[0].StatusCode != 503 {
		t.Errorf("entry %+v, screenshots %+v (%v)", entries[0], list.Items, err)
	}
	if !slices.Equal(brief, []bool{false, true, false}) {
		t.Errorf("only the document is asked for: %v", brief)
	}
	w.checkInvariants()
}

// While a closed page that was read waits for its next attempt, its notice does not deny that there was a page.
func TestTheNoticeOfAClosedPageSpeaksOfThePage(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, func(capture.Request) (*capture.Shot, error) {
		s := shot(color.White)
		s.Status = 503
		return s, nil
	}, func(c *jobs.Config) {
		c.Service = c.Service.With(func(c *app.Config) { c.RetryDelay = time.Hour })
	})
	batch := w.take(w.group("https://example.com", inventory.GroupChange{}), vcd.QueuePre)
	w.reopened(batch, 1)
	list, err := w.service.Runs.QueueEntries(t.Context(), w.actor, vcd.QueueFilter{BatchIDs: &[]vcd.ID{batch}}, vcd.Page{Size: 1}, false)
	if err != nil {
		t.Fatal(err)
	}
	const want = "Attempt 1 of 3 failed: The page answered 503 (maintenance). Next attempt after "
	if got := list.Items[0].Notice; !strings.HasPrefix(got, want) {
		t.Errorf("the notice is %q, want %q", got, want)
	}
	w.checkInvariants()
}

// A site that refuses without a page, as proxies and empty answers do, is asked again when it says, like one with a page.
func TestARefusalWithoutAPageIsOne(t *testing.T) {
	t.Parallel()
	for _, status := range []int{429, 503} {
		var visits atomic.Int32
		w := newWorld(t, func(capture.Request) (*capture.Shot, error) {
			if visits.Add(1) < 3 {
				reason := capture.ReasonHTTPStatus
				if status == 429 {
					reason = capture.ReasonRateLimited
				}
				return nil, &capture.Failure{Reason: reason, Stage: "goto", Err: errors.New("no page"), Status: status, RetryAfter: "1"}
			}
			return shot(color.White), nil
		})
		_, entries := w.run(w.group("https://example.com", inventory.GroupChange{}), vcd.QueuePre)
		if e := entries[0]; e.Status != vcd.QueueDone || e.Attempts != 0 || visits.Load() != 3 {
			t.Errorf("%d: entry %+v after %d visits", status, e, visits.Load())
		}
		w.checkInvariants()
	}
}

func TestAHostIsVisitedBySoManyAtOnce(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int32
	gate := make(chan struct{}, 1)
	w := newWorldWith(t, func(capture.Request) (*capture.Shot, error) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		gate <- struct{}{} // whoever comes second at the same moment waits here, counted
		<-gate
		now.Add(-1)
		return shot(color.White), nil
	}, func(c *jobs.Config) {
		c.Service = c.Service.With(func(c *app.Config) { c.HostCaptures = 1 })
	})
	group := w.group("https://example.com/0", inventory.GroupChange{})
	for _, path := range []string{"1", "2", "3"} {
		w.add(group, "https://example.com/"+path)
	}
	_, entries := w.run(group, vcd.QueuePre)
	for _, e := range entries {
		if e.Status != vcd.QueueDone {
			t.Errorf("entry %+v", e)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d captures of one host at once", most.Load())
	}
	w.checkInvariants()
}
