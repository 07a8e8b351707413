package capture

import (
	"context"
	"time"
)

// Tab is one empty page in a browser context of its own, driven over the DevTools protocol.
// Commands of one tab are executed in the order in which they are given.
type Tab interface {
	// Call sends one command and decodes its result, which may be nil.
	Call(ctx context.Context, method string, params, result any) error
	// CallAll sends all commands at once, one round trip, and returns the first error.
	CallAll(ctx context.Context, commands []Command) error
	// Post sends a command whose answer is of no interest. It never blocks, so event handlers may use it.
	Post(method string, params any)
	// Screenshot is Page.captureScreenshot with the picture's bytes decoded.
	Screenshot(ctx context.Context, params any) ([]byte, error)
	// Handle makes the handler receive all events of the page, in order, on one goroutine. It must not block.
	Handle(handler func(method string, params []byte))
	// Frame is the id of the page's main frame.
	Frame() string
	// Engine is the browser that paints the page.
	Engine() Engine
	// Guard is what the page's network traffic goes through.
	Guard() Guard
	// Clock is the page's time.
	Clock() Clock
}

// Command is one DevTools command.
type Command struct {
	Method string
	Params any
}

// params are the arguments of a DevTools command.
type params = map[string]any

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
