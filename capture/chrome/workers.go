package chrome

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
)

const (
	maxWorkers = 32 // of a page whose time is ours; further ones live in wall time
	// workerSilence is how long a worker may keep its page waiting. After that nobody waits for the workers of the page: they are
	// told the time when they answer. The same holds when all waits together have taken workerPatience.
	workerSilence  = 2 * time.Second
	workerPatience = 10 * time.Second
	showTries      = 20 // frames until what a worker has drawn is on its way to the screen
	showPause      = 100 * time.Millisecond
)

// workers are the web workers of a page. The browser stops the clock that they see together with that of the page, but their
// timers wait in wall time and they run while the page stands still. So each gets a script of ours before its own ones (see
// capture.WorkerScript), and is told to let its time pass whenever a step of the page is over. A page without workers has no
// cost.
type workers struct {
	pipe *pipe

	mu       sync.Mutex
	expected int  // made by the page and not reported by the browser yet; below 0 where the browser was quicker
	made     bool // by the page, ever
	found    []*worker
	reported chan struct{} // receives when expected has changed

	patience time.Duration // that is left
	drawn    bool          // some of them have drawn: in which frame that comes to the screen varies
}

type worker struct {
	session proto.TargetSessionID
	loaded  chan struct{} // closed when its own script has been run, or the worker is gone
	over    sync.Once

	begun bool                        // has been given our script
	since float64                     // the page's time at which it began, ms
	pass  proto.RuntimeRemoteObjectID // the function that lets its time pass
	told  *reply                      // nil before the first time
	draws bool                        // on a canvas of the page
}

func newWorkers(p *pipe) *workers {
	return &workers{pipe: p, reported: make(chan struct{}, 1), patience: workerPatience}
}

// attach makes the browser report the workers that a target makes, each stopped before its first script.
func (ws *workers) attach(session proto.TargetSessionID) {
	ws.pipe.post(session, proto.TargetSetAutoAttach{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true,
		// Worklets are stopped, too, and have to be let go: the browser does not do so with those that it does not report.
		Filter: proto.TargetTargetFilter{{Type: "iframe", Exclude: true}, {}},
	})
}

// event handles an event of the page; it must not block.
func (ws *workers) event(method string, raw []byte) bool {
	return ws.target(method, raw, func() { ws.expect(-1) })
}

// target handles what the browser reports of the workers of a page or a worker, and calls made for each new one.
func (ws *workers) target(method string, raw []byte, made func()) bool {
	switch method {
	case (proto.TargetAttachedToTarget{}).ProtoEvent():
		var e proto.TargetAttachedToTarget
		switch {
		case json.Unmarshal(raw, &e) != nil:
		case e.TargetInfo != nil && e.TargetInfo.Type == "worker":
			ws.add(e.SessionID)
			made()
		default:
			ws.pipe.post(e.SessionID, proto.RuntimeRunIfWaitingForDebugger{})
		}
	case (proto.TargetDetachedFromTarget{}).ProtoEvent():
		var e proto.TargetDetachedFromTarget
		if json.Unmarshal(raw, &e) == nil {
			ws.drop(e.SessionID)
		}
	default:
		return false
	}
	return true
}

// any reports whether the page has made a worker, which may draw frames of its own.
func (ws *workers) any() bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return ws.made
}

func (ws *workers) expect(more int) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.expected = min(ws.expected+more, maxWorkers)
	ws.made = ws.made || more > 0
	select {
	case ws.reported <- struct{}{}:
	default:
	}
}

func (ws *workers) add(id proto.TargetSessionID) {
	ws.mu.Lock()
	full := len(ws.found) >= maxWorkers
	wk := &worker{session: id, loaded: make(chan struct{})}
	if !full {
		ws.found = append(ws.found, wk)
	}
	ws.mu.Unlock()
	if full {
		ws.pipe.post(id, proto.RuntimeRunIfWaitingForDebugger{})
		return
	}
	ws.pipe.handle(id, func(method string, raw []byte) {
		if method == "Inspector.workerScriptLoaded" { // rod's protocol does not have it
			wk.end()
			return
		}
		ws.target(method, raw, func() {}) // nobody counts those of workers
	})
}

func (wk *worker) end() { wk.over.Do(func() { close(wk.loaded) }) }

func (ws *workers) drop(id proto.TargetSessionID) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for i, wk := range ws.found {
		if wk.session == id {
			ws.found = append(ws.found[:i:i], ws.found[i+1:]...)
			wk.end()
			break
		}
	}
	ws.pipe.forget(id)
}

// close forgets them with their page.
func (ws *workers) close() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, wk := range ws.found {
		ws.pipe.forget(wk.session)
	}
}

// all waits for the workers that the page has just made, and returns all there are.
func (ws *workers) all(w *wait) ([]*worker, error) {
	for {
		ws.mu.Lock()
		found, expected := ws.found, ws.expected
		if ws.patience <= 0 {
			ws.expected = 0 // its script could not be loaded, for example
		}
		ws.mu.Unlock()
		if expected <= 0 || ws.patience <= 0 {
			return found, nil
		}
		if _, err := ws.await(w, ws.reported); err != nil {
			return nil, err
		}
	}
}

// await waits for a worker as long as the patience with all of them lasts.
func (ws *workers) await(w *wait, done <-chan struct{}) (bool, error) {
	if ws.patience <= 0 {
		return isClosed(done), nil
	}
	begin := time.Now()
	first, err := w.first(min(ws.patience, workerSilence), done)
	ws.patience -= time.Since(begin)
	if first < 0 {
		ws.patience = 0
	}
	return first == 0, err
}

// pass lets the time of all workers pass until that of the page, which stands still now (ms).
func (ws *workers) pass(w *wait, now float64) error {
	found, err := ws.all(w)
	if err != nil || len(found) == 0 {
		return err
	}
	for _, wk := range found {
		if !wk.begun {
			wk.begun, wk.since = true, now
			if err := ws.begin(w, wk); err != nil {
				return err
			}
		}
	}
	for _, wk := range found {
		if wk.told == nil || isClosed(wk.told.done) {
			ws.tell(wk, int(now-wk.since))
		}
	}
	for _, wk := range found {
		if err := ws.listen(w, wk); err != nil {
			return err
		}
	}
	return nil
}

// tell calls the function of our script in a worker.
func (ws *workers) tell(wk *worker, until int) {
	if wk.pass == "" {
		return // it did not take our script
	}
	wk.told = ws.pipe.start(wk.session, proto.RuntimeCallFunctionOn{
		ObjectID: wk.pass, FunctionDeclaration: fmt.Sprintf("function () { return this(%d) }", until),
		AwaitPromise: true, ReturnByValue: true,
	})
}

// listen waits for the answer of a worker.
func (ws *workers) listen(w *wait, wk *worker) error {
	if wk.told == nil {
		return nil
	}
	ready, err := ws.await(w, wk.told.done)
	if err != nil || !ready {
		return err
	}
	var answer proto.RuntimeCallFunctionOnResult
	if raw, err := wk.told.Result(w.ctx); err == nil && json.Unmarshal(raw, &answer) == nil && answer.Result != nil {
		wk.draws = wk.draws || answer.Result.Value.Bool()
		ws.drawn = ws.drawn || wk.draws
	}
	return nil
}

// show issues frames until what the workers have drawn is on its way to the screen: it leaves them in a frame of their own,
// which comes with one of the page.
func (ws *workers) show(w *wait, paint func() error) error {
	ws.mu.Lock()
	found := ws.found
	ws.mu.Unlock()
	for _, wk := range found {
		if wk.draws && isClosed(wk.told.done) {
			ws.tell(wk, -1)
		}
	}
	for _, wk := range found {
		for tries := 0; wk.draws && tries < showTries && !isClosed(wk.told.done); tries++ {
			if err := paint(); err != nil {
				return err
			}
			if _, err := w.first(showPause, wk.told.done); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin gives a worker our script and waits until it has run its own.
func (ws *workers) begin(w *wait, wk *worker) error {
	ws.attach(wk.session)
	ws.pipe.post(wk.session, proto.InspectorEnable{})
	made := ws.pipe.start(wk.session, proto.RuntimeEvaluate{Expression: capture.WorkerScript})
	ws.pipe.post(wk.session, proto.RuntimeRunIfWaitingForDebugger{})
	if ready, err := ws.await(w, made.done); err != nil || !ready {
		return err
	}
	var answer proto.RuntimeEvaluateResult
	if raw, err := made.Result(w.ctx); err == nil && json.Unmarshal(raw, &answer) == nil && answer.Result != nil {
		wk.pass = answer.Result.ObjectID
	}
	_, err := ws.await(w, wk.loaded)
	return err
}
