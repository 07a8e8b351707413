package jobs_test

import (
	"context"
	"fmt"
	"image/color"
	"slices"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// shiftedClock runs like the wall clock, at another time. It begins long ago: to River, which goes by the wall clock, all
// that is scheduled by it is due.
type shiftedClock struct {
	mu    sync.Mutex
	shift time.Duration
}

func newShiftedClock() *shiftedClock {
	return &shiftedClock{shift: time.Until(time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC))}
}

func (c *shiftedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.shift).UTC()
}

// reach moves the clock forward to a time.
func (c *shiftedClock) reach(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shift = time.Until(t)
}

// A page is monitored for more than a week in which everything happens to it once, and nobody but the workers does anything.
func TestAWeekOfMonitoring(t *testing.T) {
	t.Parallel()
	white, black := shot(color.White), shot(color.Black)
	upgraded := func(s *capture.Shot) *capture.Shot {
		other := *s
		other.Manifest.Engine = "the next one"
		return &other
	}
	piped := func(s *capture.Shot) *capture.Shot {
		other := upgraded(s)
		other.Manifest.PipelineVersion++
		return other
	}
	week := []struct {
		name  string
		looks []*capture.Shot // at each visit
		want  string
	}{
		{"first run", []*capture.Shot{white}, "baseline"},
		{"no change", []*capture.Shot{white}, "ok"},
		{"a change that does not last", []*capture.Shot{black, white}, "ok vanished"},
		{"a change", []*capture.Shot{black, black}, "new confirmed alarm"},
		{"recovery", []*capture.Shot{white}, "ok flapping"},
		{"upgrade of the browser", []*capture.Shot{upgraded(black)}, "baseline"},
		{"no change", []*capture.Shot{upgraded(black)}, "ok"},
		{"another pipeline, which shows pages in another way", []*capture.Shot{piped(white)}, "baseline"},
		{"no change", []*capture.Shot{piped(white)}, "ok"},
	}
	var mu sync.Mutex
	var looks []*capture.Shot
	clock := newShiftedClock()
	w := newWorldWith(t, func(capture.Request) (*capture.Shot, error) {
		mu.Lock()
		defer mu.Unlock()
		if len(looks) == 0 {
			return nil, &capture.Failure{Reason: capture.ReasonConnect}
		}
		next := looks[0]
		looks = looks[1:]
		return next, nil
	}, func(c *jobs.Config) {
		c.Service = c.Service.With(func(c *app.Config) { c.Clock = clock })
	})
	id := w.group("https://example.com", inventory.GroupChange{Monitoring: vcd.Some(true), HourOfDay: vcd.Some(6)})
	for i, day := range week {
		mu.Lock()
		looks = slices.Clone(day.looks)
		mu.Unlock()
		if got := w.nextDay(clock, id); got != day.want {
			t.Errorf("day %d, %s: %s, want %s", i+1, day.name, got, day.want)
		}
		mu.Lock()
		if len(looks) > 0 {
			t.Errorf("day %d, %s: %d visits were not made", i+1, day.name, len(looks))
		}
		mu.Unlock()
	}
	a, err := w.service.Accounts.Account(t.Context(), w.actor)
	if err != nil || a.ChecksDone != len(week) || a.ChecksReserved != 0 {
		t.Errorf("%d checks done, %d reserved (%v); confirmations cost none", a.ChecksDone, a.ChecksReserved, err)
	}
	w.checkInvariants()
}

// nextDay reaches the group's next run, waits for its batch to finish and tells what it came to, by its comparison and by the
// events.
func (w *world) nextDay(clock *shiftedClock, group vcd.ID) string {
	w.t.Helper()
	g, err := w.service.Inventory.Group(w.t.Context(), w.actor, group)
	if err != nil {
		w.t.Fatal(err)
	}
	last, err := w.service.Outbound.LastEvent(w.t.Context(), w.actor)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	events, err := w.service.Outbound.Stream(ctx, w.actor, &last, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	clock.reach(*g.NextRunAt)
	alarms := ""
	for e := range events {
		switch e.Kind {
		case vcd.EventComparisonStatusNew:
			alarms += " alarm"
		case vcd.EventBatchFinished:
			return w.told(*e.BatchID) + alarms
		}
	}
	w.t.Fatal("the run did not finish within a minute")
	return ""
}

// told is what a run's only comparison says.
func (w *world) told(batch vcd.ID) string {
	w.t.Helper()
	list, err := w.service.Reviews.Comparisons(w.t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 2}, false)
	if err != nil || len(list.Items) > 1 {
		w.t.Fatalf("%v, %v", list, err)
	}
	if len(list.Items) == 0 {
		return "baseline"
	}
	c := list.Items[0]
	text := string(c.Status)
	if c.Confirmation != "" {
		text += fmt.Sprint(" ", c.Confirmation)
	}
	if c.Flapping {
		text += " flapping"
	}
	return text
}
