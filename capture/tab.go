package capture

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Tab is one empty page in a browser context of its own, driven over the DevTools protocol in the vocabulary of rod's
// lib/proto: proto.PageNavigate{URL: …}.Call(tab) is one command and one round trip. Commands of one tab are executed in the
// order in which they are given.
type Tab interface {
	proto.Client
	proto.Sessionable
	// Begin sends a command and returns at once: several of them take one round trip.
	Begin(command proto.Request) Answer
	// Post sends a command whose answer is of no interest. It never blocks, so event handlers may use it.
	Post(command proto.Request)
	// Handle makes the handler receive all events of the page, in order, on one goroutine. It must not block.
	Handle(handler func(method string, params []byte))
	// Frame is the id of the page's main frame.
	Frame() proto.PageFrameID
	// Engine is the browser that paints the page.
	Engine() Engine
	// Guard is what the page's network traffic goes through.
	Guard() Guard
	// Clock is the page's time.
	Clock() Clock
}

// within is a tab whose commands end with a context: rod's requests ask their client for it.
type within struct {
	Tab
	ctx context.Context
}

// GetContext implements proto.Contextable.
func (w within) GetContext() context.Context { return w.ctx }

// callAll sends all commands at once and returns the first error.
func (w within) callAll(commands ...proto.Request) error {
	answers := make([]Answer, len(commands))
	for i, command := range commands {
		answers[i] = w.Begin(command)
	}
	var first error
	for i, answer := range answers {
		if _, err := answer.Result(w.ctx); err != nil && first == nil {
			first = fmt.Errorf("%s: %w", commands[i].ProtoReq(), err)
		}
	}
	return first
}

// Answer is to a command under way.
type Answer interface {
	// Done is closed when the answer has arrived. All events before it have been handled by then.
	Done() <-chan struct{}
	// Result waits for the answer and returns it as JSON. The error is the context's, the browser's refusal, or its end.
	Result(ctx context.Context) ([]byte, error)
}

// Guard is the egress guard as far as a capture reads it; egress.Visit is one.
type Guard interface {
	// Context ends with the cause egress.ErrTooLarge when the page received more than it may.
	Context() context.Context
	// Failure is the last error of dialling "host:port", nil when there was none.
	Failure(hostPort string) error
	// Received is the number of bytes received so far.
	Received() int64
}

// Network is the page's traffic as far as a [Clock] has to know it.
type Network interface {
	// Idle returns a channel that is closed once no request that counts for network quiet is under way.
	Idle() <-chan struct{}
	// Lingers tells whether a request that does not count is under way.
	Lingers() bool
	// Document is the number of the document that the page shows, or is about to.
	Document() int
	// Patience is for how long in a row the page's time may be held for its network.
	Patience() time.Duration
}

// Clock is the page's time. [RealTime] lets it pass by itself; a browser with frame control lets it be driven, so that
// waiting costs no wall time and the same page is at the same frame in every run.
type Clock interface {
	// Virtual tells whether the page's time is granted by us: then waiting costs no wall time, and the page moves the same way
	// at each visit.
	Virtual() bool
	// Start begins the page's time. It is called once, on an empty page.
	Start(ctx context.Context, network Network) error
	// Now is for measuring stages.
	Now() time.Time
	// Wait lets the page's time pass until done is closed (true) or the budget is used up (false).
	Wait(ctx context.Context, done <-chan struct{}, budget time.Duration) (bool, error)
	// Hold waits for what the browser does with the page, a picture for example, while the page's time stands still. The page's
	// scripts may run meanwhile only when silent is false.
	Hold(ctx context.Context, done <-chan struct{}, silent bool) error
}
