package ratelimit

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// clock is moved by its test.
type clock struct{ at time.Time }

func (c *clock) now() time.Time          { return c.at }
func (c *clock) pass(took time.Duration) { c.at = c.at.Add(took) }

func TestABucketEmptiesAndRefills(t *testing.T) {
	c := &clock{at: time.Unix(0, 0)}
	l := New(60, c.now)
	for i := range 60 {
		if remaining, wait := l.Take("a"); wait != 0 || remaining != 59-i {
			t.Fatalf("request %d: %d remain, wait %s", i, remaining, wait)
		}
	}
	if _, wait := l.Take("a"); wait != time.Second {
		t.Errorf("empty: wait %s", wait)
	}
	if _, wait := l.Take("b"); wait != 0 {
		t.Errorf("another key waits %s", wait)
	}
	c.pass(999 * time.Millisecond)
	if _, wait := l.Take("a"); wait <= 0 || wait > 2*time.Millisecond {
		t.Errorf("just before: wait %s", wait)
	}
	c.pass(time.Millisecond)
	if _, wait := l.Take("a"); wait != 0 {
		t.Errorf("after a second: wait %s", wait)
	}
	c.pass(time.Hour)
	if remaining, _ := l.Take("a"); remaining != 59 {
		t.Errorf("after an hour %d remain", remaining)
	}
}

func TestDebtsArePaidFirst(t *testing.T) {
	c := &clock{at: time.Unix(0, 0)}
	l := New(60, c.now)
	l.Charge("a", 90)
	if _, wait := l.Take("a"); wait.Round(time.Millisecond) != 31*time.Second {
		t.Errorf("wait %s", wait)
	}
	c.pass(31*time.Second + time.Microsecond)
	if remaining, wait := l.Take("a"); wait != 0 || remaining != 0 {
		t.Errorf("afterwards %d remain, wait %s", remaining, wait)
	}
}

func TestFullBucketsAreForgotten(t *testing.T) {
	c := &clock{at: time.Unix(0, 0)}
	l := New(60, c.now)
	for i := range 100 * firstSweep {
		l.Take(strconv.Itoa(i))
		c.pass(10 * time.Millisecond)
	}
	if len(l.buckets) > 2*firstSweep {
		t.Errorf("%d buckets are kept", len(l.buckets))
	}
}

// However requests are spread, in any stretch of time no more get through than a bucket and its refilling give.
func TestNeverMoreThanTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		c := &clock{at: time.Unix(0, 0)}
		l := New(limit, c.now)
		taken := 0
		for range rapid.IntRange(1, 500).Draw(t, "requests") {
			c.pass(time.Duration(rapid.IntRange(0, 3000).Draw(t, "ms")) * time.Millisecond)
			if _, wait := l.Take("a"); wait == 0 {
				taken++
			}
			most := float64(limit) * (1 + c.at.Sub(time.Unix(0, 0)).Minutes())
			if float64(taken) > most+1e-6 {
				t.Fatalf("%d were let in, at most %f should be", taken, most)
			}
		}
	})
}

func TestConcurrentRequestsCountOnce(t *testing.T) {
	c := &clock{at: time.Unix(0, 0)}
	l := New(100, c.now)
	var taken sync.Map
	var group sync.WaitGroup
	for i := range 400 {
		group.Go(func() {
			if _, wait := l.Take("a"); wait == 0 {
				taken.Store(i, true)
			}
		})
	}
	group.Wait()
	count := 0
	taken.Range(func(any, any) bool { count++; return true })
	if count != 100 {
		t.Errorf("%d were let in, want 100", count)
	}
}
