package chrome

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
)

func running(p *Pool) (n int) {
	for _, h := range p.Health(context.Background()) {
		if h.Running {
			n++
		}
	}
	return n
}

func TestCapturesOneAfterTheOtherUseOneBrowser(t *testing.T) {
	config := testConfig()
	config.Lanes = 4
	p := startPool(t, config)
	address := site.page(t, "<h1>Here</h1>")
	for range 4 {
		if _, err := p.Capture(t.Context(), capture.Request{URL: address, Device: capture.Desktop, Deadline: patient}); err != nil {
			t.Fatal(err)
		}
	}
	if n := running(p); n != 1 {
		t.Errorf("%d browsers run", n)
	}
}

func TestBrowsersThatNobodyUsesEnd(t *testing.T) {
	config := testConfig()
	config.Lanes, config.Warm = 3, 1
	p := startPool(t, config)
	address := site.page(t, "<h1>Here</h1>")
	for range 2 {
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if _, err := p.Capture(t.Context(), capture.Request{URL: address, Device: capture.Desktop, Deadline: patient}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := running(p); n != 3 {
			t.Errorf("%d browsers run after three captures at once", n)
		}
		p.endUnusedSince(time.Now().Add(-time.Hour))
		if n := running(p); n != 3 {
			t.Errorf("%d browsers run, and all were just used", n)
		}
		p.endUnusedSince(time.Now())
		if n := running(p); n != 1 {
			t.Errorf("%d browsers run, and one is to stay", n)
		}
	}
}

// Whoever takes lanes and ends browsers at the same time, no lane is lost or given away twice.
func TestIdleLanesAreKept(t *testing.T) {
	const most = 8
	idle := newIdleLanes(most)
	inUse := make([]sync.Mutex, most)
	for slot := range most {
		idle.putEnded(&lane{slot: slot})
	}
	use := func(l *lane, put func(*lane)) {
		if !inUse[l.slot].TryLock() {
			t.Errorf("lane %d was given away twice", l.slot)
			return
		}
		runtime.Gosched()
		inUse[l.slot].Unlock()
		put(l)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 2000 {
				<-idle.free
				use(idle.pop().lane, idle.put)
			}
		})
		all.Go(func() {
			for range 2000 {
				if l := idle.takeUnused(time.Now(), 2); l != nil {
					use(l, idle.putEnded)
				}
			}
		})
	}
	all.Wait()
	if len(idle.free) != most || len(idle.lanes) != most {
		t.Errorf("%d tokens and %d lanes are left", len(idle.free), len(idle.lanes))
	}
}
