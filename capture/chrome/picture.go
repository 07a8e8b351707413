package chrome

import (
	"context"
	"errors"
	"image"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
)

const (
	// holdTime lets the browser work on a picture: enough for its tasks to run, too little for a page to notice.
	holdTime     = 0.001                  // ms
	holdLimit    = 20 * time.Second       // for a picture; wall time, like the next
	maxHoldPause = 100 * time.Millisecond // between two frames that a picture waits for
)

// Hold implements capture.Clock. The browser needs frames for its operation, and tasks that stand still with the page's time: so
// the page is repeatedly granted a negligible amount. How often is not deterministic: meanwhile no script runs, or none that
// would notice, and no animation continues.
func (c *virtualTime) Hold(ctx context.Context, done <-chan struct{}, silent bool) error {
	return c.hold(ctx, silent, func(w *wait) error {
		// The first frame is not displayed: the page learns in it that it is to be painted at another size, and displaying it at
		// the old one would be for nothing.
		display := false
		return c.until(w, done, func() (bool, error) {
			err := c.repaint(w, display)
			display = true
			return false, err
		})
	})
}

// Picture implements capture.Clock. The browser draws the page once at the size of the picture and once more to copy it, and then
// at its own size again. The last picture of a page is taken from the first of these frames instead, and nobody waits for the
// others. It is the same to the byte.
func (c *virtualTime) Picture(ctx context.Context, answer capture.Answer, size image.Point, silent, last bool) ([]byte, error) {
	if !last {
		if err := c.Hold(ctx, answer.Done(), silent); err != nil {
			return nil, err
		}
		return capture.PictureOf(answer.Result(ctx))
	}
	var picture []byte
	err := c.hold(ctx, silent, func(w *wait) error {
		if err := c.repaint(w, false); err != nil {
			return err
		}
		return c.until(w, answer.Done(), func() (enough bool, err error) {
			picture, err = c.shoot(w)
			return capture.HasSize(picture, size), err
		})
	})
	if err == nil && !capture.HasSize(picture, size) {
		return capture.PictureOf(answer.Result(ctx))
	}
	c.unfinished, c.pictured = answer, c.network.Document()
	return picture, err
}

// finishPicture lets the browser end its work on a picture that was taken from a frame: the page has its own size again. A page
// that has gone on to another document may have left the command behind in another process.
func (c *virtualTime) finishPicture(w *wait) error {
	if c.unfinished == nil {
		return nil
	}
	done := c.unfinished.Done()
	c.unfinished = nil
	return c.until(w, done, func() (enough bool, err error) {
		return c.network.Document() != c.pictured, c.repaint(w, true)
	})
}

// shoot issues a frame and returns the picture of it; nil when the browser does not make one of this frame.
func (c *virtualTime) shoot(w *wait) ([]byte, error) {
	if err := c.pass(w, holdTime); err != nil {
		return nil, err
	}
	raw, err := c.issue(w, proto.HeadlessExperimentalBeginFrame{Screenshot: &proto.HeadlessExperimentalScreenshotParams{
		Format: proto.HeadlessExperimentalScreenshotParamsFormatPng, OptimizeForSpeed: true,
	}})
	if err != nil {
		return nil, err
	}
	picture, err := capture.PictureOf(raw, nil)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // the next frame may have one
	}
	return picture, nil
}

// hold stops animations, and scripts if it is to be silent, as long as the work takes.
func (c *virtualTime) hold(ctx context.Context, silent bool, work func(*wait) error) error {
	w := newWait(ctx, c.process, holdLimit)
	defer w.limit.Stop()
	stopped := c.pipe.start(c.session, proto.AnimationSetPlaybackRate{PlaybackRate: 0})
	silenced := c.pipe.start(c.session, proto.EmulationSetScriptExecutionDisabled{Value: silent})
	defer func() {
		c.pipe.post(c.session, proto.EmulationSetScriptExecutionDisabled{Value: false})
		c.pipe.post(c.session, proto.AnimationSetPlaybackRate{PlaybackRate: 1})
	}()
	for _, obeyed := range []*reply{silenced, stopped} {
		if _, err := w.first(0, obeyed.done); err != nil {
			return busyAsTimeout(err)
		}
	}
	err := c.workers.show(w, func() error { return c.repaint(w, true) })
	if err == nil {
		err = work(w)
	}
	return busyAsTimeout(err)
}

func busyAsTimeout(err error) error {
	if errors.Is(err, errBusy) {
		return &capture.Failure{Reason: capture.ReasonTimeout, Err: err}
	}
	return err
}

// until issues frames, with growing pauses, until one of them is enough or done is closed.
func (c *virtualTime) until(w *wait, done <-chan struct{}, frame func() (enough bool, err error)) error {
	for pause := time.Millisecond; !isClosed(done); pause = min(2*pause, maxHoldPause) {
		if enough, err := frame(); err != nil || enough {
			return err
		}
		if _, err := w.first(pause, done); err != nil {
			return err
		}
	}
	return nil
}

// repaint issues a frame as soon as possible after the last one. Its tasks need some time, too.
func (c *virtualTime) repaint(w *wait, display bool) error {
	if err := c.pass(w, holdTime); err != nil {
		return err
	}
	return c.paint(w, display)
}
