package capture

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net/url"
	"slices"
	"time"

	"afterimage/internal/egress"
	"afterimage/internal/page"
)

// stage is one step of the pipeline. Its name appears in manifests, failures and traces.
type stage struct {
	name string
	do   func(*run) error
}

// stages is the pipeline in order.
var stages = []stage{
	{"guard", (*run).guard},       // may the address be captured?
	{"context", (*run).prepare},   // device, media, our script, authentication
	{"goto", (*run).navigate},     // until the document's response has arrived
	{"load", (*run).load},         // the load event, then network quiet
	{"status", (*run).status},     // is this a page at all?
	{"rest", (*run).rest},         // content that appears on timers, where waiting costs nothing
	{"consent", (*run).consent},   // remove cookie banners and advertisements
	{"styles", (*run).styles},     // group CSS, then URL CSS
	{"images", (*run).images},     // load lazy images
	{"scroll", (*run).scroll},     // down and back, so that everything appears
	{"scripts", (*run).scripts},   // group JavaScript, then URL JavaScript
	{"settle", (*run).settle},     // wait for fonts, images, network and DOM
	{"hide", (*run).hide},         // what does not count
	{"still", (*run).still},       // finish animations, hide the caret
	{"shot", (*run).shoot},        // the picture, several if the page may move
	{"elements", (*run).describe}, // the elements in the picture
}

// A page that has navigated to another document starts over at restartStage, at most maxMoves times.
const (
	restartStage = "load"
	maxMoves     = 8
)

var restartIndex = slices.IndexFunc(stages, func(s stage) bool { return s.name == restartStage })

// Budgets limit the waiting of a stage. A page that never comes to rest is captured anyway, and its manifest says so.
const (
	loadBudget   = 20 * time.Second
	muteBudget   = 10 * time.Second // to load, for a page whose network has been silent for muteTime
	muteTime     = 5 * time.Second
	quietBudget  = 4 * time.Second
	crowdBudget  = 3 * time.Second        // for many requests by scripts
	restTime     = 3 * time.Second        // of the page's own time, which we control
	growTime     = 180 * time.Millisecond // likewise, at the bottom of a page that may grow there
	calmTime     = time.Second            // likewise, after the page has been scrolled
	scrollBudget = 6 * time.Second        // for maxPainted rows; a page that is higher from the beginning has more
	maxScroll    = scrollBudget*MaxHeight/maxPainted + lateTime
	lateTime     = 30 * time.Second // for what comes only a while after it has come on the screen
	scriptBudget = 5 * time.Second
	wheelTime    = 6 * time.Second // of the page's time, for a frame that listens to the wheel, before its last place
	wheelBudget  = 20 * time.Second
	settleBudget = 4 * time.Second
	stillBudget  = 2 * time.Second
	elemBudget   = 2 * time.Second
	answerGrace  = 10 * time.Second // in addition to a script's own budget, for a page whose main thread is busy
)

// errMoved means that the document was replaced while a stage worked on it.
var errMoved = errors.New("the page moved on to another document")

// errRefused means that the site refused the document and that nothing else is to be asked for.
var errRefused = errors.New("the site refused the document")

// run is one capture in progress.
type run struct {
	ctx      context.Context
	tab      within
	clock    Clock
	req      Request
	device   preset
	target   *url.URL
	events   *observer
	since    int // number of the document on which the page stages work
	moves    int
	restless bool   // the network did not become quiet
	token    string // by which our scripts in the page recognise each other
	size     pageSize
	shot     *Shot
	shown    shownParts // of a page that is taken screen by screen
	deadline *deadline

	unanswered bool // the document did not load: what it still waits for is reported

	closedMove bool // the browser tells of animations, see stillClosedRoots

	resumes bool         // somebody goes on using the page after its picture
	veil    func() error // covers what no picture may show; nil for nothing
}

// covered covers what no picture may show.
func (r *run) covered() error {
	if r.veil == nil {
		return nil
	}
	return r.veil()
}

// Page captures one page in a fresh tab, which must be disposed of afterwards. The error is always a *[Failure]. A tab
// that does not respond within the deadline is left as it is: its owner has to end it.
func Page(ctx context.Context, tab Tab, req Request) (*Shot, error) {
	if req.Deadline <= 0 {
		req.Deadline = DefaultDeadline
	}
	r, end := begin(ctx, tab, req)
	defer end()
	if failure := r.all(); failure != nil {
		return nil, failure
	}
	if err := r.probe(); err != nil {
		return nil, r.explain(err, "probe")
	}
	r.report()
	return r.shot, nil
}

// begin prepares a run, which ends with the deadline of its request, when the page has received too much, or with end.
func begin(ctx context.Context, tab Tab, req Request) (r *run, end func()) {
	ctx, abort := context.WithCancelCause(ctx)
	limit := newDeadline(req.Deadline, abort)
	guard := tab.Guard()
	stop := context.AfterFunc(guard.Context(), func() {
		if cause := context.Cause(guard.Context()); errors.Is(cause, egress.ErrTooLarge) {
			abort(&Failure{Reason: ReasonTooLarge, Err: cause})
		}
	})
	r = &run{ctx: ctx, tab: within{tab, ctx}, clock: tab.Clock(), token: rand.Text(), req: req, shot: newShot(), deadline: limit}
	r.events = newObserver(tab, func(f *Failure) { abort(f) })
	r.events.reuse = newReuse(ctx, r.events, req.scope())
	return r, func() {
		r.events.reuse.end()
		stop()
		limit.stop()
		abort(nil)
	}
}

// all runs the stages, again from restartStage whenever the page has navigated.
func (r *run) all() *Failure {
	for i := 0; i < len(stages); {
		s := stages[i]
		begin := r.clock.Now()
		err := s.do(r)
		r.time(s.name, r.clock.Now().Sub(begin))
		switch {
		case errors.Is(err, errRefused):
			return nil
		case err == nil && (i <= restartIndex || !r.moved()):
			i++
		case err == nil, errors.Is(err, errMoved):
			if r.moves++; r.moves > maxMoves {
				return &Failure{Reason: ReasonRedirectLoop, Stage: s.name, Err: errMoved}
			}
			i = restartIndex
			if r.shot.PNG != nil { // the browser may still have the size of the picture
				r.tab.Post(r.device.metrics())
			}
		default:
			return r.explain(err, s.name)
		}
	}
	return nil
}

// explain prefers the cause of the context's end to the error that the stage saw.
func (r *run) explain(err error, stageName string) *Failure {
	if cause := context.Cause(r.ctx); cause != nil {
		err = cause
		if errors.Is(cause, context.DeadlineExceeded) {
			err = &Failure{Reason: ReasonTimeout, Err: cause}
		}
	}
	failure := asFailure(err, stageName)
	if failure.Reason == ReasonRateLimited || failure.Reason == ReasonHTTPStatus {
		doc := r.events.current()
		failure.Status, failure.RetryAfter = doc.status, doc.pause
	}
	if failure.NeverReady() {
		failure.Awaited = r.events.awaited()
	}
	return failure
}

func (r *run) moved() bool { return r.events.current().count != r.since }

func (r *run) time(name string, took time.Duration) {
	ms := float64(took.Microseconds()) / 1000
	r.shot.Manifest.Stages = append(r.shot.Manifest.Stages, page.StageTime{Stage: name, Milliseconds: ms})
}

// waitedFor records what kept the readiness gate closed, each item once.
func (r *run) waitedFor(what ...string) {
	for _, name := range what {
		if !slices.Contains(r.shot.Manifest.WaitedFor, name) {
			r.shot.Manifest.WaitedFor = append(r.shot.Manifest.WaitedFor, name)
		}
	}
}

// gaveUp records waits that ended before they were complete.
func (r *run) gaveUp(what ...string) {
	r.shot.Manifest.TimedOut = append(r.shot.Manifest.TimedOut, what...)
}

// report copies what the observer recorded into the shot.
func (r *run) report() {
	o, s := r.events, r.shot
	o.mu.Lock()
	defer o.mu.Unlock()
	if r.unanswered {
		o.unanswered()
	}
	s.RetryAfter = o.doc.pause
	s.Status, s.FinalURL, s.Console = o.doc.status, o.doc.url, append(s.Console, o.console.entries...)
	s.Content.Title, s.Content.Assets, s.Content.Data = s.Title, o.sortedAssets(), slices.Sorted(maps.Keys(o.data))
	m := &s.Manifest
	m.Engine, m.Fonts, m.Pipeline, m.PipelineVersion = r.tab.Engine().String(), r.tab.Engine().Fonts, pipelineOf(r.clock), PipelineVersion
	m.Region = r.req.Region
	if p := r.req.Proxy; p != nil {
		m.Proxy = &page.ProxyUse{Type: p.Type, Country: p.Country}
	}
	m.Device = string(r.req.Device)
	m.Viewport = page.Viewport{Width: r.device.Width, Height: r.device.Height, DevicePixelRatio: r.device.PixelRatio}
	m.FinalURL, m.Status = s.FinalURL, s.Status
	m.Redirects, m.FailedRequests = append([]string{}, o.redirect...), append([]page.FailedRequest{}, o.failures...) // [] in JSON, not null
	m.Truncated, m.PageHeight, m.ReceivedBytes = s.Truncated, r.size.Height, r.tab.Guard().Received()
	m.ReusedRequests, m.ReusedBytes = o.reuse.total()
	r.tellMissing()
}

// StageNames are the names of all stages in order.
func StageNames() []string {
	names := make([]string, len(stages))
	for i, s := range stages {
		names[i] = s.name
	}
	return names
}
