package jobs

import (
	"context"
	"errors"
	"sync"

	"afterimage/internal/machine"
)

// lanes are the places for concurrent captures of this process, whatever the region. A capture that waits for its site costs next to
// nothing, so there are more places while captures wait than while they compute: their number follows the load of the machine.
type lanes struct {
	least, most int

	mu    sync.Mutex
	open  int                     // captures that may run; between least and most
	used  int                     // captures that run; more than open when it has just shrunk
	peak  int                     // highest used since the last adaptation
	freed chan struct{}           // closed when a place may have become free, and replaced
	probe context.CancelCauseFunc // ends the probe that uses a lane; nil without one
}

var errGivesWay = errors.New("an ordinary capture needs the slot")

// newLanes opens the least number of lanes. It never changes if it is the most, too.
func newLanes(least, most int) *lanes {
	return &lanes{least: least, most: max(least, most), open: least, freed: make(chan struct{})}
}

// try takes a lane if one is free.
func (l *lanes) try() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.used >= l.open {
		return false
	}
	l.used++
	l.peak = max(l.peak, l.used)
	return true
}

// take waits until a lane is free, which ends a probe that uses one. It reports false if ctx ends first.
func (l *lanes) take(ctx context.Context) bool {
	for {
		freed := l.waitFree() // before try: what becomes free in between is noticed
		if l.try() {
			return true
		}
		l.endProbe()
		select {
		case <-ctx.Done():
			return false
		case <-freed:
		}
	}
}

func (l *lanes) waitFree() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.freed
}

// tryProbe takes a lane for a probe if one is free. The function ends the probe when an ordinary capture needs the lane.
func (l *lanes) tryProbe(end context.CancelCauseFunc) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.used >= l.open || l.probe != nil {
		return false
	}
	l.used++
	l.probe = end
	return true
}

func (l *lanes) endProbe() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.probe != nil {
		l.probe(errGivesWay)
	}
}

func (l *lanes) leaveProbe() {
	l.mu.Lock()
	l.probe = nil
	l.mu.Unlock()
	l.leave()
}

// leave frees a lane.
func (l *lanes) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used--
	l.announce()
}

// announce wakes who waits for a lane.
func (l *lanes) announce() {
	if l.used < l.open {
		close(l.freed)
		l.freed = make(chan struct{})
	}
}

// places is how many lanes are open, and how many of them an ordinary capture can have.
func (l *lanes) places() (open, free int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	free = l.open - l.used
	if l.probe != nil {
		free++
	}
	return l.open, max(0, free)
}

// Lanes is how many captures run, and how many may run at present.
func (r *Runner) Lanes() (busy, open int) {
	l := r.pulse.lanes
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used, max(l.used, l.open)
}

// How lanes follow the load of the machine, which is read between heartbeats.
const (
	// roomy and full are shares of the processors' time. Between them the number of lanes stays.
	roomy = 0.85
	full  = 0.97
	// laneMemory is what a lane takes with a page of ordinary size, in bytes.
	laneMemory = 300 << 20
	// spareMemory must be free before a lane opens: a page may take up to 2 GiB before its browser ends it.
	spareMemory = 3 << 30
)

// adapt opens lanes while all are in use and the machine has room, and closes some when it is overloaded or few are in use. If each
// lane takes as much of the processors as those before, the idle share of them in new lanes does not make the machine full: from a load
// of b it leads to b(2-b).
func (l *lanes) adapt(load machine.Load) {
	l.mu.Lock()
	defer l.mu.Unlock()
	peak := l.peak
	l.peak = l.used
	switch {
	case load.Busy >= full, load.Free < spareMemory/2, peak < l.open*3/4:
		l.open = max(l.least, l.open*3/4)
	case peak >= l.open && load.Busy < roomy && load.Free > spareMemory:
		affordable := int((load.Free - spareMemory) / laneMemory)
		idle := 1 - load.Busy
		l.open = min(l.most, l.open+min(affordable, max(1, int(float64(l.open)*idle))))
		l.announce()
	}
}
