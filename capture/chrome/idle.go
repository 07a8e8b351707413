package chrome

import (
	"slices"
	"sync"
	"time"
)

// idleLanes are the lanes that are not in use. The one that was used last is taken first: a few lanes do all the work while that is
// possible, with browsers that are running and warm.
type idleLanes struct {
	free chan struct{} // one token for each lane

	mu    sync.Mutex
	lanes []idleLane // used last at the end
}

type idleLane struct {
	*lane

	since time.Time
	ended bool // it has no browser
}

func newIdleLanes(most int) *idleLanes { return &idleLanes{free: make(chan struct{}, most)} }

// put adds a lane that was just used.
func (i *idleLanes) put(l *lane) { i.restore(idleLane{lane: l, since: time.Now()}) }

// restore adds a lane as it was taken.
func (i *idleLanes) restore(l idleLane) {
	i.mu.Lock()
	i.lanes = append(i.lanes, l)
	i.mu.Unlock()
	i.free <- struct{}{}
}

// putEnded adds a lane without a browser, which is taken last.
func (i *idleLanes) putEnded(l *lane) {
	i.mu.Lock()
	i.lanes = slices.Insert(i.lanes, 0, idleLane{lane: l, since: time.Now(), ended: true})
	i.mu.Unlock()
	i.free <- struct{}{}
}

// pop takes the lane that was used last. The caller has received from free.
func (i *idleLanes) pop() idleLane {
	i.mu.Lock()
	defer i.mu.Unlock()
	last := len(i.lanes) - 1
	l := i.lanes[last]
	i.lanes = i.lanes[:last]
	return l
}

// takeUnused takes a lane that has a browser and was not used since a moment, except for those used last, of which so many stay. It
// returns nil if there is none.
func (i *idleLanes) takeUnused(since time.Time, stay int) *lane {
	i.mu.Lock()
	defer i.mu.Unlock()
	for n := 0; n < len(i.lanes)-stay; n++ {
		l := i.lanes[n]
		if l.ended || l.since.After(since) {
			continue
		}
		select {
		case <-i.free:
			i.lanes = slices.Delete(i.lanes, n, n+1)
			return l.lane
		default: // others are about to take all there are
			return nil
		}
	}
	return nil
}

const (
	// idleAfter is when the browser of a lane ends that is not used. To start another takes 0.3 seconds.
	idleAfter = 10 * time.Minute
	idleEvery = time.Minute
)

// endUnused ends browsers of lanes that are not used, until the pool closes.
func (p *Pool) endUnused() {
	ticker := time.NewTicker(idleEvery)
	defer ticker.Stop()
	for {
		select {
		case <-p.closing:
			return
		case now := <-ticker.C:
			p.endUnusedSince(now.Add(-idleAfter))
		}
	}
}

func (p *Pool) endUnusedSince(since time.Time) {
	for {
		l := p.idle.takeUnused(since, p.config.Warm)
		if l == nil {
			return
		}
		<-l.tidied
		l.stop()
		p.idle.putEnded(l)
	}
}
