package capture

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

const maxRedirectsKept = 30

// observer keeps what the browser's events told about the page. Its handler runs on the browser connection's reader, so
// it only updates this state, answers what would otherwise hang (dialogs, authentication) and wakes who waits.
type observer struct {
	tab   Tab
	abort func(*Failure) // ends the capture at once
	auth  *authenticator // nil without credentials

	mu       sync.Mutex
	waiters  []waiter
	doc      document
	inFlight map[string]string // requests that count for network quiet, and their loaders
	kinds    map[string]request
	worlds   map[string]int // frame id → our script's execution context there
	leaving  bool           // the main frame is about to load another document
	asked    string         // last address that a main document was requested from
	console  console
	redirect []string
	failures []FailedRequest
}

// document is the main frame's current document.
type document struct {
	loader    string // id that changes with every navigation
	url       string
	requested string // last address that the document was requested from
	status    int
	mime      string
	attached  bool // Content-Disposition: attachment
	refused   bool // answered by the egress proxy instead of the site
	parsed    bool // DOMContentLoaded
	loaded    bool
	count     int // documents seen so far
}

type request struct{ url, kind string }

type waiter struct {
	ready func() bool
	done  chan struct{}
}

func newObserver(tab Tab, abort func(*Failure)) *observer {
	return &observer{
		tab: tab, abort: abort,
		inFlight: make(map[string]string), kinds: make(map[string]request), worlds: make(map[string]int),
	}
}

// when returns a channel that is closed as soon as ready holds. ready is called with the state locked.
func (o *observer) when(ready func() bool) <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	done := make(chan struct{})
	if ready() {
		close(done)
		return done
	}
	o.waiters = append(o.waiters, waiter{ready, done})
	return done
}

func (o *observer) wake() {
	waiting := o.waiters[:0]
	for _, w := range o.waiters {
		if w.ready() {
			close(w.done)
			continue
		}
		waiting = append(waiting, w)
	}
	o.waiters = waiting
}

// current returns a copy of the main document's state.
func (o *observer) current() document {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.doc
}

// world returns the execution context of our script in the main frame, 0 while there is none.
func (o *observer) world() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.worlds[o.tab.Frame()]
}

// handlers decode the events we listen to. An event whose parameters do not decode is ignored: a page cannot forge events,
// so that would be a browser newer than us, and every wait has its budget.
var handlers = map[string]func(*observer, []byte){
	"Page.frameNavigated":                  on((*observer).frameNavigated),
	"Page.navigatedWithinDocument":         on((*observer).navigatedWithin),
	"Page.frameRequestedNavigation":        on((*observer).frameLeaving),
	"Page.frameScheduledNavigation":        on((*observer).frameLeaving),
	"Page.frameClearedScheduledNavigation": on((*observer).frameStays),
	"Page.domContentEventFired":            on(func(o *observer, _ struct{}) { o.doc.parsed = true }),
	"Page.loadEventFired":                  on(func(o *observer, _ struct{}) { o.doc.loaded = true }),
	"Page.javascriptDialogOpening":         on((*observer).dialogOpening),
	"Network.requestWillBeSent":            on((*observer).requestWillBeSent),
	"Network.responseReceived":             on((*observer).responseReceived),
	"Network.loadingFinished":              on((*observer).loadingFinished),
	"Network.loadingFailed":                on((*observer).loadingFailed),
	"Runtime.executionContextCreated":      on((*observer).contextCreated),
	"Runtime.executionContextDestroyed":    on((*observer).contextDestroyed),
	"Runtime.executionContextsCleared":     on(func(o *observer, _ struct{}) { clear(o.worlds) }),
	"Runtime.consoleAPICalled":             on(func(o *observer, e consoleCall) { o.console.called(e) }),
	"Runtime.exceptionThrown":              on(func(o *observer, e exceptionThrown) { o.console.thrown(e) }),
	"Log.entryAdded":                       on(func(o *observer, e logEntry) { o.console.logged(e) }),
	"Inspector.targetCrashed":              on(func(o *observer, _ struct{}) { o.abort(failed(ReasonCrashed, "the renderer crashed")) }),
	"Fetch.requestPaused":                  on(func(o *observer, e pausedRequest) { o.auth.paused(o.tab, e) }),
	"Fetch.authRequired":                   on(func(o *observer, e authChallenge) { o.auth.challenged(o.tab, e) }),
}

func on[Event any](apply func(*observer, Event)) func(*observer, []byte) {
	return func(o *observer, raw []byte) {
		var event Event
		if len(raw) > 0 && json.Unmarshal(raw, &event) != nil {
			return
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		apply(o, event)
		o.wake()
	}
}

func (o *observer) handle(method string, raw []byte) {
	if h, ok := handlers[method]; ok {
		h(o, raw)
	}
}

type frameNavigated struct {
	Frame struct {
		ID          string `json:"id"`
		ParentID    string `json:"parentId"`
		LoaderID    string `json:"loaderId"`
		URL         string `json:"url"`
		URLFragment string `json:"urlFragment"`
		MimeType    string `json:"mimeType"`
	} `json:"frame"`
}

func (o *observer) frameNavigated(e frameNavigated) {
	if e.Frame.ParentID != "" {
		return
	}
	previous := o.doc
	o.doc = document{loader: e.Frame.LoaderID, requested: o.asked, url: e.Frame.URL + e.Frame.URLFragment, mime: e.Frame.MimeType, count: previous.count + 1}
	if previous.loader == e.Frame.LoaderID { // the response came before the commit
		o.doc.status, o.doc.attached, o.doc.refused = previous.status, previous.attached, previous.refused
		o.doc.count = previous.count
	}
	o.leaving = false
	// What the replaced document was still loading is not always reported as ended.
	maps.DeleteFunc(o.inFlight, func(_, loader string) bool { return loader != e.Frame.LoaderID })
}

func (o *observer) navigatedWithin(e struct {
	FrameID string `json:"frameId"`
	URL     string `json:"url"`
}) {
	if e.FrameID == o.tab.Frame() {
		o.doc.url = e.URL
	}
}

type frameNavigation struct {
	FrameID     string  `json:"frameId"`
	Delay       float64 `json:"delay"` // seconds
	Disposition string  `json:"disposition"`
}

// frameLeaving notes that the document will be replaced at once. A page that refreshes itself in a minute stays.
func (o *observer) frameLeaving(e frameNavigation) {
	here := e.Disposition == "" || e.Disposition == "currentTab"
	if e.FrameID == o.tab.Frame() && e.Delay <= 1 && here {
		o.leaving = true
	}
}

func (o *observer) frameStays(e frameNavigation) {
	if e.FrameID == o.tab.Frame() {
		o.leaving = false
	}
}

// dialogOpening answers: leaving is allowed, everything else is declined as by a visitor who closes the box.
func (o *observer) dialogOpening(e struct {
	Type string `json:"type"`
}) {
	o.tab.Post("Page.handleJavaScriptDialog", params{"accept": e.Type == "beforeunload" || e.Type == "alert"})
}

type contextCreated struct {
	Context struct {
		ID      int    `json:"id"`
		Name    string `json:"name"`
		AuxData struct {
			FrameID string `json:"frameId"`
		} `json:"auxData"`
	} `json:"context"`
}

func (o *observer) contextCreated(e contextCreated) {
	if e.Context.Name == worldName {
		o.worlds[e.Context.AuxData.FrameID] = e.Context.ID
	}
}

func (o *observer) contextDestroyed(e struct {
	ID int `json:"executionContextId"`
}) {
	for frame, id := range o.worlds {
		if id == e.ID {
			delete(o.worlds, frame)
		}
	}
}

// otherWorlds returns our script's execution contexts in the page's frames except the main one.
func (o *observer) otherWorlds() []int {
	o.mu.Lock()
	defer o.mu.Unlock()
	var others []int
	for frame, id := range o.worlds {
		if frame != o.tab.Frame() && len(others) < maxFrames {
			others = append(others, id)
		}
	}
	slices.Sort(others)
	return others
}

const maxFrames = 50 // frames whose animations are stopped
