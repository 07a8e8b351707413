package capture

import (
	"slices"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/flow"
	"afterimage/internal/page"
)

const maxRedirectsKept = 30

// observer records the browser's events about the page. Its handler runs on the reader of the browser connection, so it
// only updates this state, answers what would otherwise block (dialogs, authentication) and wakes waiters.
type observer struct {
	tab   Tab
	abort func(*Failure) // ends the capture immediately
	auth  *authenticator // nil without credentials
	reuse *reuse         // nil when nothing is shared

	mu        sync.Mutex
	waiters   []waiter
	doc       document
	inFlight  map[proto.NetworkRequestID]pendingRequest // that count for network quiet
	lingering map[proto.NetworkRequestID]bool           // all other requests; true for event streams and sockets
	heard     time.Time                                 // when the network was last heard of
	workers   bool                                      // the page has started workers
	messages  int                                       // number of messages on streams and sockets
	addresses map[proto.NetworkRequestID]string
	answers   map[string]bool                                       // places, see placeOf, that have answered scripts of this document
	worlds    map[proto.PageFrameID]proto.RuntimeExecutionContextID // of our script in each frame
	leaving   bool                                                  // the main frame is about to load another document
	asked     string                                                // last address from which a main document was requested
	console   console
	redirect  []string
	failures  []page.FailedRequest
	assets    map[page.Asset]bool
	data      map[string]bool // see page.Content
	drawings  drawings
	pictures  pictureFiles
	dialogs   flow.Dialogs // how the step of a flow answers them
	questions []dialog     // of the page, since they were last asked for
	fence     *fence       // nil without secrets
	moves     []*proto.AnimationAnimation
}

const maxDialogsKept = 20

// dialog is one that a page has opened.
type dialog struct {
	kind     proto.PageDialogType
	text     string
	accepted bool
}

// document is the main frame's current document.
type document struct {
	loader    proto.NetworkLoaderID // changes with every navigation
	url       string
	requested string // last address from which the document was requested
	status    int
	pause     string // value of Retry-After
	mime      string
	attached  bool // Content-Disposition: attachment
	refused   bool // answered by the egress proxy instead of the site
	parsed    bool // DOMContentLoaded
	loaded    bool
	abandoned bool // patience with its network has ended before it loaded
	count     int  // number of documents seen so far
}

// pendingRequest is a request that has not been answered completely.
type pendingRequest struct {
	loader  proto.NetworkLoaderID
	kind    proto.NetworkResourceType
	data    bool // made by a script for itself, which keeps no document from loading
	blocks  bool // by itself it keeps the document from being read or drawn
	begun   bool // the answer has begun
	streams bool // what is answered may have no end
	news    bool // it is kept open until something happens, or tells the site of the visit
	overdue bool // it had not come when the page was no longer waited for, and is code or data for the page
}

type waiter struct {
	ready func() bool
	done  chan struct{}
}

func newObserver(tab Tab, abort func(*Failure)) *observer {
	return &observer{
		tab: tab, abort: abort,
		inFlight: make(map[proto.NetworkRequestID]pendingRequest), addresses: make(map[proto.NetworkRequestID]string),
		answers:   make(map[string]bool),
		lingering: make(map[proto.NetworkRequestID]bool), assets: make(map[page.Asset]bool),
		worlds: make(map[proto.PageFrameID]proto.RuntimeExecutionContextID), data: make(map[string]bool),
	}
}

// when returns a channel that is closed as soon as ready returns true. ready is called with the state locked.
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

// world returns the execution context of our script in the main frame, 0 if there is none.
func (o *observer) world() proto.RuntimeExecutionContextID {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.worlds[o.tab.Frame()]
}

// otherWorlds returns our script's execution contexts in the page's frames except the main one.
func (o *observer) otherWorlds() []proto.RuntimeExecutionContextID {
	o.mu.Lock()
	defer o.mu.Unlock()
	var others []proto.RuntimeExecutionContextID
	for frame, id := range o.worlds {
		if frame != o.tab.Frame() && len(others) < maxFrames {
			others = append(others, id)
		}
	}
	slices.Sort(others)
	return others
}

const maxFrames = 50 // frames whose animations are stopped
