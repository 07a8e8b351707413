package capture

import (
	"context"
	_ "embed" // for the script below
	"image"
	"time"
)

// clockScript makes the clocks that the page's scripts see consistent with our virtual time. TOKEN in it must be
// replaced.
//
//go:embed clock.js
var clockScript string

// WorkerScript does the same for a worker. It has to run before the worker's own scripts.
//
//go:embed worker.js
var WorkerScript string

// What clockScript tells of a page's scripts.
const (
	AskedForFrames = "frames" // at most every half second of the page's time
	MadeWorker     = "worker"
)

// The pipelines. The name in a manifest identifies the one that made the picture.
const (
	VirtualTimePipeline = "virtual-time" // we control time and frames of the page
	RealTimePipeline    = "real-time"    // the fallback for browsers without frame control
)

func pipelineOf(c Clock) string {
	if c.Virtual() {
		return VirtualTimePipeline
	}
	return RealTimePipeline
}

// RealTime is the Clock of a page that runs in wall time.
type RealTime struct{}

// Virtual implements [Clock].
func (RealTime) Virtual() bool { return false }

// Start implements [Clock].
func (RealTime) Start(context.Context, Network, time.Time) error { return nil }

// Now implements [Clock].
func (RealTime) Now() time.Time { return time.Now() }

// Wait implements [Clock].
func (RealTime) Wait(ctx context.Context, done <-chan struct{}, budget time.Duration) (bool, error) {
	select { // without a timer if a channel is ready at once
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

// Hold implements [Clock]. Real time cannot be stopped.
func (RealTime) Hold(ctx context.Context, done <-chan struct{}, _ bool) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Picture implements [Clock].
func (RealTime) Picture(ctx context.Context, answer Answer, _ image.Point, _, _ bool) ([]byte, error) {
	return PictureOf(answer.Result(ctx))
}
