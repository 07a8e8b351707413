package jobs

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"afterimage/internal/machine"
)

const plenty = 64 << 30

// visits are captures that wait, and compute for a part of the time, on a machine with some processors.
type visits struct {
	waiting    int     // that want a lane
	computing  float64 // part of the time of each
	processors float64
}

func (p visits) load(l *lanes) machine.Load {
	for used := l.used; used < min(p.waiting, l.open); used++ {
		l.try()
	}
	for used := l.used; used > min(p.waiting, l.open); used-- {
		l.leave()
	}
	return machine.Load{Busy: min(1, float64(l.used)*p.computing/p.processors), Free: plenty - int64(l.used)*laneMemory}
}

func settled(l *lanes, p visits, beats int) int {
	for range beats {
		l.adapt(p.load(l))
	}
	return l.open
}

func TestLanesFollowWhatPagesCost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		visits
		least, most int // lanes afterwards
	}{
		"pages that wait":                {visits{100, 0.02, 2}, 32, 32},
		"pages that compute all time":    {visits{100, 1, 2}, 2, 3},
		"pages that compute a quarter":   {visits{100, 0.25, 2}, 5, 8},
		"no more pages than a few lanes": {visits{4, 0.02, 2}, 4, 5},
		"nothing to do":                  {visits{0, 0, 2}, 2, 2},
	} {
		l := newLanes(2, 32)
		if open := settled(l, c.visits, 60); open < c.least || open > c.most {
			t.Errorf("%s: %d lanes, want %d to %d", name, open, c.least, c.most)
		}
	}
}

func TestSixteenLanesAreOpenAfterAFewBeats(t *testing.T) {
	t.Parallel()
	l := newLanes(2, 32)
	if open := settled(l, visits{100, 0.02, 2}, 8); open < 16 {
		t.Errorf("%d lanes are open after eight heartbeats", open)
	}
}

func TestLanesCloseSoonWhenPagesBeginToCompute(t *testing.T) {
	t.Parallel()
	l := newLanes(2, 32)
	settled(l, visits{100, 0.02, 2}, 20)
	if open := settled(l, visits{100, 1, 2}, 10); open > 2 {
		t.Errorf("%d lanes are open ten heartbeats later", open)
	}
}

func TestLanesLeaveMemory(t *testing.T) {
	t.Parallel()
	l := newLanes(2, 64)
	for range 60 {
		for l.try() {
			continue
		}
		l.adapt(machine.Load{Free: spareMemory + 5*laneMemory + laneMemory/2 - int64(l.used)*laneMemory})
	}
	if l.open < 5 || l.open > 7 {
		t.Errorf("%d lanes are open where five find room", l.open)
	}
	l.adapt(machine.Load{Free: spareMemory / 4})
	if l.open > 5 {
		t.Errorf("%d lanes are open with little memory", l.open)
	}
}

func TestAFixedNumberOfLanesStays(t *testing.T) {
	t.Parallel()
	l := newLanes(3, 0)
	for _, p := range []visits{{100, 0, 2}, {100, 1, 1}, {0, 0, 1}} {
		if open := settled(l, p, 20); open != 3 {
			t.Errorf("%d lanes are open with %+v", open, p)
		}
	}
}

// Whatever the load does, lanes stay within their limits, no capture runs without one, and all get one in the end.
func TestCapturesNeverExceedTheLanesThatWereOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLanes(2, 16)
		var mu sync.Mutex
		running, worst := 0, 0
		var all sync.WaitGroup
		for i := range 500 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				if !l.take(context.Background()) {
					t.Error("a wait without an end ended")
				}
				mu.Lock()
				running++
				worst = max(worst, running)
				mu.Unlock()
				time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
				mu.Lock()
				running--
				mu.Unlock()
				l.leave()
			})
		}
		done := make(chan struct{})
		all.Go(func() {
			for range 200 {
				time.Sleep(20 * time.Millisecond)
				l.adapt(machine.Load{Busy: rand.Float64(), Free: int64(rand.IntN(plenty))})
				if open, _ := l.places(); open < 2 || open > 16 {
					t.Errorf("%d lanes are open", open)
				}
			}
			close(done)
		})
		all.Wait()
		<-done
		if worst > 16 || worst < 3 || l.used != 0 {
			t.Errorf("%d captures ran at the same time, %d lanes are used in the end", worst, l.used)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for l.try() {
			continue
		}
		if l.take(ctx) {
			t.Error("a lane was taken though none is free")
		}
	})
}
