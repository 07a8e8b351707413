package chrome

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
)

const (
	// stepTime is granted at once, in milliseconds, before a frame is issued. Frames twice as far apart lose content (GIF,
	// video, content-visibility); a screen's frames, three times as many, show nothing more.
	stepTime      = 50.0
	maxStep       = 400.0       // while nothing is seen to move, fewer frames will do
	frameInterval = 1000.0 / 60 // what the compositor is told to expect, ms
	// holdTime lets the browser work on a picture: enough for its tasks to run, too little for a page to see.
	holdTime = 0.001 // ms
	// standsStill is how many times in a row the page's time must be found where it was before something is said to hold it.
	standsStill = 2
	// starvationCount is after how many tasks that post themselves at once the time passes all the same.
	starvationCount = 10_000
)

// These are real times.
const (
	slowStep     = 20 * time.Millisecond  // a step that takes longer is held by the network, or by much work
	pushAfter    = 100 * time.Millisecond // what holds a step for longer, and is no request that we know of, is overridden
	busyLimit    = 10 * time.Second       // how much longer than the page's time a wait may take, for much work
	holdLimit    = 20 * time.Second       // for a picture
	maxHoldPause = 20 * time.Millisecond  // between two frames that a picture waits for

	// starvationSlice is by how much a wait is prolonged again and again while the browser waits for a processor for a quarter of the time.
	starvationSlice = 500 * time.Millisecond
)

// virtualTime is the clock of a page whose time stands still unless we grant it some, and whose frames we issue
// (Emulation.setVirtualTimePolicy and HeadlessExperimental.beginFrame). What the page does between two frames takes as
// long as it takes and no time of the page's, so it is at the same frame whenever it is captured.
type virtualTime struct {
	process *process
	pipe    *pipe
	session proto.TargetSessionID
	network capture.Network
	expired chan struct{} // receives when granted time is used up

	base    float64 // of the page's ticks, ms
	elapsed float64 // granted so far, ms
	ticks   int64   // of the last frame, µs
	damaged bool    // the last frame showed something new
	free    bool    // the network does not hold the time any more: patience with it has ended
	pushed  bool    // something held the time that is no request we know of: it will go on, as a rule

	seen     []byte // the page's time, as it told it last
	document int    // that time was granted to
	granted  *reply // a grant that is not used up: the wait that made it ended before
	frame    *reply // a frame under way, likewise
}

func newVirtualTime(p *process, session proto.TargetSessionID) *virtualTime {
	return &virtualTime{process: p, pipe: p.pipe, session: session, expired: make(chan struct{}, 16)}
}

// Virtual implements capture.Clock.
func (c *virtualTime) Virtual() bool { return true }

// Now implements capture.Clock.
func (c *virtualTime) Now() time.Time { return time.Now() }

// Start stops the page's time at the present date.
func (c *virtualTime) Start(ctx context.Context, network capture.Network) error {
	c.network = network
	now := proto.TimeSinceEpoch(float64(time.Now().UnixMilli()) / 1000)
	policy := proto.EmulationSetVirtualTimePolicy{Policy: proto.EmulationVirtualTimePolicyPause, InitialVirtualTime: now}
	answer, err := policy.Call(session{c.pipe, c.session, ctx})
	if err != nil {
		return err
	}
	c.base = answer.VirtualTimeTicksBase
	return nil
}

// event takes the notice that granted time is used up; it must not block.
func (c *virtualTime) event(method string) bool {
	if method != (proto.EmulationVirtualTimeBudgetExpired{}).ProtoEvent() {
		return false
	}
	select {
	case c.expired <- struct{}{}:
	default:
	}
	return true
}

// Wait implements capture.Clock. It looks at done only when the page's time stands and all events up to then have been
// handled, never while the page works: so a page is left at the same moment every time.
func (c *virtualTime) Wait(ctx context.Context, done <-chan struct{}, budget time.Duration) (bool, error) {
	w := newWait(ctx, c.process, budget+busyLimit)
	defer w.limit.Stop()
	ready, err := c.look(w, done)
	step, left := stepTime, float64(budget.Milliseconds())
	for err == nil && !ready && left > 0 {
		step = max(min(step, left), stepTime)
		left -= step
		ready, err = c.step(w, done, step)
		if step = min(2*step, maxStep); done != nil || c.damaged {
			step = stepTime
		}
	}
	if errors.Is(err, errBusy) {
		return isClosed(done), nil
	}
	return ready, err
}

// step lets time pass and issues a frame. It does not look again after the frame: what that has brought about may have
// been told by then or not.
func (c *virtualTime) step(w *wait, done <-chan struct{}, ms float64) (bool, error) {
	if err := c.pass(w, ms); err != nil {
		return false, err
	}
	if ready, err := c.look(w, done); err != nil || ready {
		return ready, err
	}
	return false, c.paint(w)
}

// look makes sure that the page has done what it was told and its events have been handled, and tells whether done is closed.
func (c *virtualTime) look(w *wait, done <-chan struct{}) (bool, error) {
	if err := c.barrier(w); err != nil {
		return false, err
	}
	return isClosed(done), nil
}

// Hold implements capture.Clock. A picture needs frames, and tasks that stand still with the page's time: so it is given
// next to none, again and again. How often is chance: meanwhile no script runs, or none that would notice, and no animation
// goes on.
func (c *virtualTime) Hold(ctx context.Context, done <-chan struct{}, silent bool) error {
	err := c.hold(ctx, done, silent)
	if errors.Is(err, errBusy) {
		return &capture.Failure{Reason: capture.ReasonTimeout, Err: err}
	}
	return err
}

func (c *virtualTime) hold(ctx context.Context, done <-chan struct{}, silent bool) error {
	w := newWait(ctx, c.process, holdLimit)
	defer w.limit.Stop()
	c.pipe.post(c.session, proto.AnimationSetPlaybackRate{PlaybackRate: 0})
	if _, err := w.first(0, c.pipe.start(c.session, proto.EmulationSetScriptExecutionDisabled{Value: silent}).done); err != nil {
		return err
	}
	defer func() {
		c.pipe.post(c.session, proto.EmulationSetScriptExecutionDisabled{Value: false})
		c.pipe.post(c.session, proto.AnimationSetPlaybackRate{PlaybackRate: 1})
	}()
	for pause := time.Millisecond; !isClosed(done); pause = min(2*pause, maxHoldPause) {
		if err := c.pass(w, holdTime); err != nil {
			return err
		}
		if err := c.paint(w); err != nil {
			return err
		}
		if _, err := w.first(pause, done); err != nil {
			return err
		}
	}
	return nil
}

// barrier makes sure that the page has done what it was told, and that its events have been handled.
func (c *virtualTime) barrier(w *wait) error {
	_, err := w.first(0, c.pipe.start(c.session, proto.RuntimeEvaluate{Expression: "0"}).done)
	return err
}

// pass grants the page time and waits until it is used up.
func (c *virtualTime) pass(w *wait, ms float64) error {
	if c.granted == nil {
		c.give(ms)
	}
	first, err := w.first(slowStep, c.expired)
	if err == nil && first < 0 {
		err = c.passSlowly(w)
	}
	if err != nil {
		return err
	}
	var answer proto.EmulationSetVirtualTimePolicyResult
	if raw, err := c.granted.Result(w.ctx); err == nil && json.Unmarshal(raw, &answer) == nil && answer.VirtualTimeTicksBase > 0 {
		c.base = answer.VirtualTimeTicksBase // another one when the page has moved to another process
	}
	c.granted = nil
	return nil
}

func (c *virtualTime) give(ms float64) {
	for len(c.expired) > 0 {
		<-c.expired
	}
	policy := proto.EmulationVirtualTimePolicyPauseIfNetworkFetchesPending
	if c.free || ms == holdTime || (c.pushed || c.network.Lingers()) && isClosed(c.network.Idle()) {
		policy = proto.EmulationVirtualTimePolicyAdvance
	}
	c.elapsed += ms
	c.document = c.network.Document()
	c.granted = c.pipe.start(c.session, proto.EmulationSetVirtualTimePolicy{
		Policy: policy, Budget: &ms, MaxVirtualTimeTaskStarvationCount: new(starvationCount),
	})
}

// passSlowly lets the network hold the time as long as patience with it lasts.
func (c *virtualTime) passSlowly(w *wait) error {
	first, err := w.first(c.network.Patience(), c.expired, c.network.Idle())
	if err != nil || first == 0 {
		return err
	}
	c.free = c.free || first < 0
	if !c.free && !c.network.Lingers() {
		// Much work, a slow machine, or something that we do not know of? Only that makes the page's time stand still. To push
		// what is on its way would let time pass that nobody has counted.
		for stood := 0; stood < standsStill; {
			if first, err = w.first(pushAfter, c.expired); err != nil || first == 0 {
				return err
			}
			moved, err := c.moves(w)
			if err != nil {
				return err
			}
			if stood++; moved {
				stood = 0
			}
		}
		c.pushed = true
	}
	return c.push(w)
}

// moves asks the page for its time and tells whether it has moved since it was last asked.
func (c *virtualTime) moves(w *wait) (bool, error) {
	ask := c.pipe.start(c.session, proto.RuntimeEvaluate{Expression: "performance.now()"})
	if _, err := w.first(0, ask.done); err != nil {
		return false, err
	}
	now, _ := ask.Result(w.ctx) // no answer is as good as the same one: nobody knows of a movement
	moved := !bytes.Equal(now, c.seen)
	c.seen = now
	return moved, nil
}

// push lets the time that was granted pass without regard to the network. A grant does not outlive the document that it was
// made to; the next one replaces it.
func (c *virtualTime) push(w *wait) error {
	if c.network.Document() == c.document {
		// Without a budget: the one that was granted stays.
		c.pipe.post(c.session, proto.EmulationSetVirtualTimePolicy{
			Policy: proto.EmulationVirtualTimePolicyAdvance, MaxVirtualTimeTaskStarvationCount: new(starvationCount),
		})
	}
	for c.network.Document() == c.document {
		if first, err := w.first(pushAfter, c.expired); err != nil || first == 0 {
			return err
		}
	}
	return nil
}

// paint issues a frame and waits until it is on the display. The browser counts whole microseconds, and never answers a
// frame that is not later than the last: so does c.ticks, and half of one more keeps it what it is once it has been a float.
func (c *virtualTime) paint(w *wait) error {
	if c.frame == nil {
		c.ticks = max(int64((c.base+c.elapsed)*1000), c.ticks+1)
		c.frame = c.pipe.start(c.session, proto.HeadlessExperimentalBeginFrame{
			FrameTimeTicks: new((float64(c.ticks) + 0.5) / 1000), Interval: new(frameInterval),
		})
	}
	if _, err := w.first(0, c.frame.done); err != nil {
		return err
	}
	var answer proto.HeadlessExperimentalBeginFrameResult
	raw, err := c.frame.Result(w.ctx)
	c.damaged = err != nil || json.Unmarshal(raw, &answer) != nil || answer.HasDamage
	c.frame = nil
	return nil
}

// errBusy says that the page's own work took all the time there was.
var errBusy = errors.New("the page is busy")

// wait is one wait for the browser.
type wait struct {
	ctx    context.Context
	closed <-chan struct{} // when the browser has gone
	limit  *time.Timer

	starvation func() (time.Duration, error) // see process.starvation
	starvedFor time.Duration                 // what that said last; 0 before the limit has ended
}

func newWait(ctx context.Context, p *process, limit time.Duration) *wait {
	return &wait{ctx: ctx, closed: p.pipe.closed, limit: time.NewTimer(limit), starvation: p.starvation}
}

// first returns the number of the channel, of at most two, that is ready first, and -1 when none is after the given time;
// 0 stands for no limit but the wait's own.
func (w *wait) first(within time.Duration, channels ...<-chan struct{}) (int, error) {
	var second <-chan struct{}
	if len(channels) > 1 {
		second = channels[1]
	}
	var timeout <-chan time.Time
	if within > 0 {
		timer := time.NewTimer(within)
		defer timer.Stop()
		timeout = timer.C
	}
	for {
		select {
		case <-channels[0]:
			return 0, nil
		case <-second:
			return 1, nil
		case <-timeout:
			return -1, nil
		case <-w.limit.C:
			if !w.starved() {
				return -1, errBusy
			}
			w.limit.Reset(starvationSlice)
		case <-w.closed:
			return -1, errPipeClosed
		case <-w.ctx.Done():
			return -1, context.Cause(w.ctx)
		}
	}
}

// starved tells, at the end of the wait's limit, whether it is the machine that has no time rather than the page that has much
// work: then the wait goes on, or the same page would be left at another moment on a busy machine. The capture's deadline
// bounds it.
func (w *wait) starved() bool {
	before := w.starvedFor
	now, err := w.starvation()
	if err != nil {
		return false // the system does not tell, or the browser has gone
	}
	w.starvedFor = now
	return before == 0 || now-before >= starvationSlice/4
}

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}
