package capture

import (
	"context"
	"fmt"
	"image"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Tab is one empty page in a browser context of its own, driven over the DevTools protocol with the types of rod's
// lib/proto: proto.PageNavigate{URL: …}.Call(tab) is one command and one round trip. Commands of one tab are executed
// in order.
type Tab interface {
	proto.Client
	proto.Sessionable
	// Begin sends a command and returns immediately: several of them take one round trip.
	Begin(command proto.Request) Answer
	// Post sends a command and ignores its answer. It never blocks, so event handlers may use it.
	Post(command proto.Request)
	// Handle passes all events of the page to the handler, in order, on one goroutine. The handler must not block.
	Handle(handler func(method string, params []byte))
	// InFrames evaluates an expression in the frames that live in processes of their own, at most so many, in a world of its own,
	// and returns the answers to Runtime.evaluate. A frame that does not answer within a few seconds is left out.
	InFrames(ctx context.Context, world, expression string, most int) [][]byte
	// Frame is the id of the page's main frame.
	Frame() proto.PageFrameID
	// Engine is the browser that renders the page.
	Engine() Engine
	// Guard is the guard through which the page's network traffic goes.
	Guard() Guard
	// Clock is the page's time.
	Clock() Clock
}

// within is a tab whose commands end with a context: rod's requests get it from their client.
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

// Answer is the answer to a pending command.
type Answer interface {
	// Done is closed when the answer has arrived. All events before it have been handled by then.
	Done() <-chan struct{}
	// Result waits for the answer and returns it as JSON. The error is the context's, the browser's refusal, or its end.
	Result(ctx context.Context) ([]byte, error)
}

// Guard is the part of the egress guard that a capture reads; egress.Visit implements it.
type Guard interface {
	// Context ends with the cause egress.ErrTooLarge when the page received more than allowed.
	Context() context.Context
	// Failure is the last error of dialling "host:port", nil when there was none.
	Failure(hostPort string) error
	// Received is the number of bytes received so far.
	Received() int64
	// Reuse counts bytes that the page has although they were received for another one, towards the same limit.
	Reuse(bytes int64)
}

// Network is the page's traffic as a [Clock] sees it.
type Network interface {
	// Idle returns a channel that is closed once no request that counts for network quiet is pending, or the page has gone on
	// to another document.
	Idle() <-chan struct{}
	// Lingers reports whether a request that does not count is pending.
	Lingers() bool
	// Document is the number of the document that the page shows, or is about to.
	Document() int
	// Patience is how long the page's time may be held for its network without interruption.
	Patience() time.Duration
	// Abandon means that patience has ended: the page's time passes from now on whatever its network does.
	Abandon()
}

// Clock controls the page's time. [RealTime] lets it pass by itself. With a browser that has frame control, the clock
// drives it, so that waiting costs no wall time and the same page is at the same frame in every run.
type Clock interface {
	// Virtual reports whether we grant the page its time: then waiting costs no wall time, and the page moves the same
	// way at each visit.
	Virtual() bool
	// Start starts the page's time, at a date if the clock is virtual; the zero date is the present. It is called once, on an
	// empty page.
	Start(ctx context.Context, network Network, date time.Time) error
	// Now is for measuring stages.
	Now() time.Time
	// Wait lets the page's time pass until done is closed (true) or the budget is used up (false).
	Wait(ctx context.Context, done <-chan struct{}, budget time.Duration) (bool, error)
	// Hold waits for the browser to finish an operation while the page's time stands still. The page's scripts may run meanwhile
	// only when silent is false.
	Hold(ctx context.Context, done <-chan struct{}, silent bool) error
	// Picture holds the page until there is the picture, a PNG file of this size, for which the browser was asked. The last one may
	// be taken from the first frame that shows it, while the browser is still at work: if the page gets time after that, the browser
	// ends its work first.
	Picture(ctx context.Context, answer Answer, size image.Point, silent, last bool) ([]byte, error)
}

// Stepper is a [Clock] that grants a page its time, for flows.
type Stepper interface {
	// Renew lets the network of a new document hold the page's time as that of the first one did.
	Renew()
	// Frame issues a frame at once. The browser leaves most of a page's work after an input until there was one.
	Frame(ctx context.Context) error
	// Mark and Align stand before and after an input: where the page's time has jumped in between, as it does when a request ends, it
	// gets less of it next.
	Mark(ctx context.Context) error
	Align(ctx context.Context) error
}
