package chrome

import (
	"context"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// healthTimeout is how long a browser may take to report its state.
const healthTimeout = 2 * time.Second

// LaneHealth is the state of one lane.
type LaneHealth struct {
	Busy     bool // capturing: the other fields are unknown
	Running  bool // it has a browser that responds; otherwise the next capture starts one
	PID      int  // of the browser
	Captures int  // by this browser
	Memory   int64
	Lasting  int64 // bytes of Memory without renderers
	Targets  int   // pages and workers; one is a page opened in advance
}

// Health examines all lanes. Idle lanes are examined one after the other and cannot be used meanwhile, usually for some
// milliseconds.
func (p *Pool) Health(ctx context.Context) []LaneHealth {
	health := make([]LaneHealth, len(p.lanes))
	for i := range health {
		health[i].Busy = true
	}
	var held []idleLane
	defer func() {
		for _, l := range slices.Backward(held) { // the order stays
			p.idle.restore(l)
		}
	}()
	for {
		select {
		case <-p.idle.free:
			l := p.idle.pop()
			held = append(held, l)
			health[l.slot] = l.health(ctx)
		default:
			return health
		}
	}
}

func (l *lane) health(ctx context.Context) LaneHealth {
	<-l.tidied
	if l.browser == nil || !l.browser.alive() {
		return LaneHealth{}
	}
	h := LaneHealth{PID: l.browser.process.pid, Captures: l.captures}
	if used, err := l.browser.process.memory(); err == nil {
		h.Memory, h.Lasting = used.all, used.lasting
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	if answer, err := (proto.TargetGetTargets{}).Call(l.browser.session(ctx, "")); err == nil {
		h.Running, h.Targets = true, len(answer.TargetInfos)
	}
	return h
}
