package chrome

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
)

const (
	frameInterval = 1000.0 / 60 // the interval reported to the compositor, ms
	scriptedTime  = 1000.0      // ms for which a request for frames counts; scripts that go on are reported twice as often
	// standsStill is how many times in a row the page's time must be found unchanged before we conclude that something
	// holds it.
	standsStill = 2
	// starvationCount is the number of immediately reposted tasks after which the time passes anyway. A page that posts
	// itself messages for ever costs so many tasks per step.
	starvationCount = 1_000
)

// These are wall times.
const (
	slowStep  = 20 * time.Millisecond  // a step that takes longer is held by the network, or by much work
	pushAfter = 100 * time.Millisecond // what holds a step for longer, and is not a request known to us, is overridden
	busyLimit = 10 * time.Second       // how much longer than the page's time a wait may take, for much work

	// starvationSlice is by how much a wait is extended repeatedly while the browser waits for a processor for a
	// quarter of the time.
	starvationSlice = 500 * time.Millisecond
)

// virtualTime is the clock of a page whose time stands still unless we grant it some, and whose frames we issue
// (Emulation.setVirtualTimePolicy and HeadlessExperimental.beginFrame). The page's work between two frames takes no
// page time, however long it takes, so the page is at the same frame whenever it is captured.
type virtualTime struct {
	process *process
	pipe    *pipe
	session proto.TargetSessionID
	network capture.Network
	expired chan struct{} // receives when the granted time is used up
	workers *workers
	asked   atomic.Bool // for frames, by the page's scripts, since time last passed

	base     float64 // of the page's ticks, ms
	elapsed  float64 // granted so far, ms
	ticks    int64   // of the last frame, µs
	scripted float64 // until when the page counts as one whose scripts ask for frames, like elapsed
	damaged  bool    // the last frame changed something; not known of frames that are not displayed
	free     bool    // the network no longer holds the time: patience with it has ended
	ahead    float64 // by how much the page's time has jumped and is granted less next, ms
	marked   float64 // the page's time before an input, ms; see Align
	markedAt float64 // likewise, like elapsed
	pushed   bool    // something held the time that is not a request known to us: it usually continues

	seen     []byte // the page's time, as last reported by it
	document int    // the document to which that time was granted
	granted  *reply // a grant that is not used up: the wait that made it ended first
	frame    *reply // a pending frame, likewise

	unfinished capture.Answer // of a picture that was taken from a frame; see Picture
	pictured   int            // the document on it
}

func newVirtualTime(p *process, session proto.TargetSessionID) *virtualTime {
	return &virtualTime{process: p, pipe: p.pipe, session: session, expired: make(chan struct{}, 16), workers: newWorkers(p.pipe)}
}

// Virtual implements capture.Clock.
func (c *virtualTime) Virtual() bool { return true }

// Now implements capture.Clock.
func (c *virtualTime) Now() time.Time { return time.Now() }

// Start stops the page's time at the date.
func (c *virtualTime) Start(ctx context.Context, network capture.Network, date time.Time) error {
	c.network = network
	if date.IsZero() {
		date = time.Now()
	}
	epoch := proto.TimeSinceEpoch(float64(date.UnixMilli()) / 1000)
	policy := proto.EmulationSetVirtualTimePolicy{Policy: proto.EmulationVirtualTimePolicyPause, InitialVirtualTime: epoch}
	answer, err := policy.Call(session{c.pipe, c.session, ctx})
	if err != nil {
		return err
	}
	c.base = answer.VirtualTimeTicksBase
	c.workers.attach(c.session)
	return nil
}

// event handles the notification that granted time is used up, and those about workers; it must not block.
func (c *virtualTime) event(method string, raw []byte) bool {
	switch method {
	case (proto.EmulationVirtualTimeBudgetExpired{}).ProtoEvent():
		select {
		case c.expired <- struct{}{}:
		default:
		}
	case (proto.RuntimeBindingCalled{}).ProtoEvent(): // by capture/clock.js
		var e proto.RuntimeBindingCalled
		switch {
		case json.Unmarshal(raw, &e) != nil:
		case e.Payload == capture.AskedForFrames:
			c.asked.Store(true)
		case e.Payload == capture.MadeWorker:
			c.workers.expect(1)
		}
	default:
		return c.workers.event(method, raw)
	}
	return true
}

// Wait implements capture.Clock. It checks done only when the page's time stands still and all events so far have been
// handled, never while the page works: so a page is left at the same moment every time.
func (c *virtualTime) Wait(ctx context.Context, done <-chan struct{}, budget time.Duration) (bool, error) {
	w := newWait(ctx, c.process, budget+busyLimit)
	defer w.limit.Stop()
	ready, err := c.look(w, done)
	if err == nil && !ready {
		err = c.finishPicture(w)
	}
	next := newPace(done == nil)
	for left := float64(budget.Milliseconds()); err == nil && !ready && left > 0; {
		step := max(min(next.step, left), stepTime)
		left -= step
		ready, err = c.step(w, done, step, next.show)
		next.passed(c.damaged || c.workers.drawn, c.gait())
	}
	if errors.Is(err, errBusy) {
		return isClosed(done), nil
	}
	return ready, err
}

// step lets time pass and issues a frame. It does not check done again after the frame: whether the effects of the
// frame have been reported by then varies.
func (c *virtualTime) step(w *wait, done <-chan struct{}, ms float64, show bool) (bool, error) {
	if err := c.pass(w, ms); err != nil {
		return false, err
	}
	// The page has told everything that came before the end of the time, but the browser may still have something to tell of it.
	if done != nil && isClosed(done) {
		return true, c.barrier(w)
	}
	if err := c.workers.pass(w, c.elapsed); err != nil {
		return false, err
	}
	return false, c.paint(w, show)
}

// gait is how the page is to be walked on. Whether its scripts ask for frames is read when time has passed: all that they did
// before is known by then, but not yet what they do in the frame that follows.
func (c *virtualTime) gait() gait {
	if c.elapsed < c.scripted {
		return scripted
	}
	return declared
}

// look waits until the page has executed its commands and its events have been handled, and reports whether done is
// closed. Without done there is nothing to wait for.
func (c *virtualTime) look(w *wait, done <-chan struct{}) (bool, error) {
	if done == nil {
		return false, nil
	}
	if err := c.barrier(w); err != nil {
		return false, err
	}
	return isClosed(done), nil
}

// barrier waits until the page has executed its commands and its events have been handled.
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
		c.base = answer.VirtualTimeTicksBase // a new one when the page has moved to another process
	}
	c.granted = nil
	if c.asked.Swap(false) || c.workers.any() {
		c.scripted = c.elapsed + scriptedTime
	}
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
	if c.ahead > 0 && ms >= stepTime {
		less := min(c.ahead, ms-1)
		c.ahead -= less
		ms -= less
	}
	c.elapsed += ms
	c.document = c.network.Document()
	c.granted = c.pipe.start(c.session, proto.EmulationSetVirtualTimePolicy{
		Policy: policy, Budget: &ms, MaxVirtualTimeTaskStarvationCount: new(starvationCount),
	})
}

// passSlowly lets the network hold the time until the patience with it ends.
func (c *virtualTime) passSlowly(w *wait) error {
	first, idle := -1, c.network.Idle()
	var err error
	for held := time.Duration(0); first < 0 && held < c.network.Patience(); held += pushAfter { // patience may end early
		if first, err = w.first(pushAfter, c.expired, idle); err != nil || first == 0 {
			return err
		}
	}
	if c.network.Document() != c.document {
		return nil // the page has gone on, and the time that it was granted is lost
	}
	if first < 0 && !c.free {
		c.free = true
		c.network.Abandon()
	}
	if !c.free && !c.network.Lingers() {
		// Much work, a slow machine, or something unknown? Only the last makes the page's time stand still. Pushing
		// time that is still passing would let time pass that is not counted.
		for stood := 0; stood < standsStill && c.network.Document() == c.document; {
			lacked, _ := w.starvation() // 0 where the system does not report it
			if first, err := w.first(pushAfter, c.expired); err != nil || first == 0 {
				return err
			}
			moved, err := c.moves(w)
			if err != nil {
				return err
			}
			if now, err := w.starvation(); moved || err == nil && now-lacked >= pushAfter/4 {
				stood = 0
				continue
			}
			stood++
		}
		c.pushed = true
	}
	return c.push(w)
}

// moves asks the page for its time and reports whether it has moved since it was last asked.
func (c *virtualTime) moves(w *wait) (bool, error) {
	ask := c.pipe.start(c.session, proto.RuntimeEvaluate{Expression: "performance.now()"})
	if _, err := w.first(0, ask.done); err != nil {
		return false, err
	}
	now, _ := ask.Result(w.ctx) // no answer counts as the same one: no movement is known
	moved := !bytes.Equal(now, c.seen)
	c.seen = now
	return moved, nil
}

// push lets the granted time pass regardless of the network. A grant does not outlive the document to which it was
// made; the next grant replaces it.
func (c *virtualTime) push(w *wait) error {
	if c.network.Document() == c.document {
		// Without a budget: the granted one stays.
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

// paint issues a frame. Without display, the frame only runs scripts, animations and layout, and whether it changed anything is
// not known.
func (c *virtualTime) paint(w *wait, display bool) error {
	raw, err := c.issue(w, proto.HeadlessExperimentalBeginFrame{NoDisplayUpdates: !display})
	if err != nil {
		return err
	}
	var answer proto.HeadlessExperimentalBeginFrameResult
	c.damaged = json.Unmarshal(raw, &answer) != nil || answer.HasDamage
	return nil
}

// issue issues a frame, unless the last one is not answered yet, and waits for the answer; nil when the browser refuses it.
//
// The browser counts whole microseconds and never answers a frame that is not later than the last one. So c.ticks counts
// microseconds, too, and adding half of one keeps the value exact after the conversion to a float.
func (c *virtualTime) issue(w *wait, frame proto.HeadlessExperimentalBeginFrame) ([]byte, error) {
	if c.frame == nil {
		c.ticks = max(int64((c.base+c.elapsed)*1000), c.ticks+1)
		frame.FrameTimeTicks, frame.Interval = new((float64(c.ticks)+0.5)/1000), new(frameInterval)
		c.frame = c.pipe.start(c.session, frame)
	}
	if _, err := w.first(0, c.frame.done); err != nil {
		return nil, err
	}
	raw, _ := c.frame.Result(w.ctx)
	c.frame = nil
	return raw, nil
}

// errBusy means that the page's own work took all the available time.
var errBusy = errors.New("the page is busy")

// wait is one wait for the browser.
type wait struct {
	ctx    context.Context
	closed <-chan struct{} // when the browser has ended
	limit  *time.Timer

	starvation func() (time.Duration, error) // see process.starvation
	starvedFor time.Duration                 // its last result; 0 before the limit has ended
}

func newWait(ctx context.Context, p *process, limit time.Duration) *wait {
	return &wait{ctx: ctx, closed: p.pipe.closed, limit: time.NewTimer(limit), starvation: p.starvation}
}

// first returns the index of the channel, of at most two, that is ready first, and -1 when none is after the given
// time; 0 stands for no limit but that of the wait itself.
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

// starved reports, at the end of the wait's limit, whether the machine lacks processor time rather than the page having
// much work: then the wait continues, otherwise the same page would be left at another moment on a busy machine. The
// capture's deadline limits it.
func (w *wait) starved() bool {
	before := w.starvedFor
	now, err := w.starvation()
	if err != nil {
		return false // the system does not report it, or the browser has ended
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

// Renew implements capture.Stepper.
func (c *virtualTime) Renew() { c.free, c.pushed = false, false }

// Mark implements capture.Stepper.
func (c *virtualTime) Mark(ctx context.Context) error {
	w := newWait(ctx, c.process, holdLimit)
	defer w.limit.Stop()
	var err error
	c.marked, err = c.timeOfPage(w)
	c.markedAt, c.document = c.elapsed, c.network.Document()
	return err
}

// Frame implements capture.Stepper.
func (c *virtualTime) Frame(ctx context.Context) error {
	w := newWait(ctx, c.process, holdLimit)
	defer w.limit.Stop()
	return busyAsTimeout(c.repaint(w, true))
}

// mostAhead is by how much a request that ends while no time is granted lets a page's time jump, ms, and so many of them.
const mostAhead = 500.0

// Align implements capture.Stepper. The browser takes 10 ms for a request, whether it has granted them or not.
func (c *virtualTime) Align(ctx context.Context) error {
	w := newWait(ctx, c.process, holdLimit)
	defer w.limit.Stop()
	now, err := c.timeOfPage(w)
	if err != nil || c.network.Document() != c.document {
		return err
	}
	if ahead := math.Round(now - c.marked - (c.elapsed - c.markedAt)); ahead > 0 && ahead <= mostAhead {
		c.elapsed += ahead
		c.ahead += ahead
	}
	return nil
}

// timeOfPage is the time of the page since its document began, ms.
func (c *virtualTime) timeOfPage(w *wait) (float64, error) {
	ask := c.pipe.start(c.session, proto.RuntimeEvaluate{Expression: "new Event('time').timeStamp", ReturnByValue: true})
	if _, err := w.first(0, ask.done); err != nil {
		return 0, busyAsTimeout(err)
	}
	var answer proto.RuntimeEvaluateResult
	if raw, err := ask.Result(w.ctx); err != nil || json.Unmarshal(raw, &answer) != nil || answer.Result == nil {
		return 0, nil //nolint:nilerr // the page has gone on to another document
	}
	return answer.Result.Value.Num(), nil
}
