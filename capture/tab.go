package capture

import (
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Tab is one empty page in a browser context of its own, driven over the DevTools protocol in the vocabulary of rod's
// lib/proto: proto.PageNavigate{URL: …}.Call(tab) is one command and one round trip. Commands of one tab are executed in the
// order in which they are given.
type Tab interface {
	proto.Client
	proto.Sessionable
	// CallAll sends all commands at once, one round trip, and returns the first error.
	CallAll(ctx context.Context, commands ...proto.Request) error
	// Post sends a command whose answer is of no interest. It never blocks, so event handlers may use it.
	Post(command proto.Request)
	// Screenshot is Call with the picture's bytes decoded. It has a method of its own because the answer is of many megabytes,
	// which encoding/json would read several times over.
	Screenshot(ctx context.Context, command proto.PageCaptureScreenshot) ([]byte, error)
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

// Guard is the egress guard as far as a capture reads it; egress.Visit is one.
type Guard interface {
	// Context ends with the cause egress.ErrTooLarge when the page received more than it may.
	Context() context.Context
	// Failure is the last error of dialling "host:port", nil when there was none.
	Failure(hostPort string) error
	// Received is the number of bytes received so far.
	Received() int64
}

// Clock is the page's time. [RealTime] lets it pass by itself; a browser with frame control lets it be driven, so that
// waiting costs no wall time and the same page is at the same frame in every run.
type Clock interface {
	// Now is for measuring stages.
	Now() time.Time
	// Wait lets the page's time pass until done is closed (true) or the budget is used up (false).
	Wait(ctx context.Context, done <-chan struct{}, budget time.Duration) (bool, error)
}

// RealTime is the Clock of a page whose time is the wall's.
type RealTime struct{}

// Now implements [Clock].
func (RealTime) Now() time.Time { return time.Now() }

// Wait implements [Clock].
func (RealTime) Wait(ctx context.Context, done <-chan struct{}, budget time.Duration) (bool, error) {
	select { // what is ready at once needs no timer
	case <-done:
		return true, nil
	default:
	}
	timer := time.NewTimer(budget)
	defer timer.Stop()
	select {
	case <-done:
		return true, nil
	case <-timer.C:
		return false, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}
