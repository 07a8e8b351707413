package capture

import (
	"bytes"
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

const (
	maxShots = 4    // pictures taken of a page that does not hold still
	maxTitle = 1000 // bytes
)

// A page whose clock is to be seen asks for the date at least once in the window. The shift changes every part of a date,
// from the second to the month and the weekday, and every digit of a number of milliseconds.
const (
	dateWindow = 1100 * time.Millisecond
	dateShift  = 34_567_234_567 * time.Millisecond
)

// pauses before a further picture: what moves slowly needs time to show it.
var pauses = [maxShots]time.Duration{1: 0, 2: 100 * time.Millisecond, 3: 250 * time.Millisecond}

// shoot takes the picture, and another one or more where it may not be the same the next time.
func (r *run) shoot() error {
	picture, err := r.picture()
	if err != nil {
		return err
	}
	if r.clock.Virtual() {
		err = r.retakeAtOtherDate(picture)
	} else {
		picture, err = r.shootUntilStable(picture)
	}
	if err != nil {
		return err
	}
	width, height, err := pngSize(picture)
	if err != nil {
		return err
	}
	r.shot.PNG, r.shot.Width, r.shot.Height, r.shot.Title = picture, width, height, cut(r.size.Title, maxTitle)
	return nil
}

// retakeAtOtherDate is for a page whose time is ours. However much moves on it, it moves the same way every time, but for what
// depends on the date: another picture at another date shows where that is.
func (r *run) retakeAtOtherDate(picture []byte) error {
	dated, err := r.dated(0)
	if err != nil || !dated {
		return err
	}
	var retaken []byte
	var texts []page.Box
	if err = r.ask("changes", stillBudget, nil); err == nil {
		_, err = r.dated(dateShift)
	}
	if err == nil {
		retaken, err = r.retake(dateWindow)
	}
	if err == nil {
		err = r.ask("changes", stillBudget, &texts)
	}
	switch {
	case err != nil && r.ctx.Err() == nil: // a page that goes away at another date, to log in as a rule
		r.gaveUp("stability")
		return nil
	case err != nil:
		return err
	}
	var unstable difference
	if err := unstable.add(picture, retaken); err != nil {
		return err
	}
	unstable.spread(texts) // a digit may be the same by chance
	r.shot.Manifest.Unstable = unstable.boxes()
	return nil
}

// dated moves the date that the page's scripts are told, in all frames that our script has reached, and tells whether they
// asked for it lately.
func (r *run) dated(shift time.Duration) (bool, error) {
	var age float64 // ms
	if err := r.ask("dated", stillBudget, &age, r.token, shift.Milliseconds()); err != nil {
		return false, err
	}
	for _, world := range r.events.otherWorlds() {
		// Best effort, as in still.
		answer, err := r.evaluate(call(world, "dated", r.token, shift.Milliseconds()), stillBudget)
		if err == nil && answer != nil && answer.Result != nil && answer.ExceptionDetails == nil {
			age = min(age, answer.Result.Value.Num())
		}
	}
	return age <= float64(dateWindow.Milliseconds()), r.ctx.Err()
}

// shootUntilStable takes pictures until two in a row are equal. A page in which nothing can have moved since it was stilled
// needs only one. Where the pictures differed to the end is kept with the last one.
func (r *run) shootUntilStable(picture []byte) ([]byte, error) {
	moving, err := r.maybeMoving()
	if err != nil {
		return nil, err
	}
	var unstable difference
	for taken := 1; moving; taken++ {
		if taken == maxShots {
			r.gaveUp("stability")
			r.shot.Manifest.Unstable = unstable.boxes()
			break
		}
		retaken, err := r.retake(pauses[taken])
		if err != nil {
			return nil, err
		}
		if moving = !bytes.Equal(picture, retaken); moving {
			if err := unstable.add(picture, retaken); err != nil {
				return nil, err
			}
		}
		picture = retaken
	}
	return picture, nil
}

// maybeMoving asks the page whether anything may have moved since it was stilled. A page that does not answer any more is taken
// as it is: its picture is there.
func (r *run) maybeMoving() (bool, error) {
	var moving bool
	err := r.ask("maybeMoving", stillBudget, &moving)
	var failure *Failure
	if errors.As(err, &failure) && r.ctx.Err() == nil {
		r.gaveUp("stability")
		return false, nil
	}
	return moving, err
}

// retake stills and measures the page again, for what moved may have changed its size, and takes a further picture.
func (r *run) retake(pause time.Duration) ([]byte, error) {
	if _, err := r.clock.Wait(r.ctx, nil, pause); err != nil {
		return nil, err
	}
	if err := r.still(); err != nil {
		return nil, err
	}
	return r.picture()
}

// picture paints beyond the viewport. Growing the viewport instead would stretch what is as high as the screen.
func (r *run) picture() (_ []byte, err error) {
	width := min(r.size.Width, MaxWidth)
	height := min(r.size.Height, MaxHeight, MaxPixels/width)
	r.shot.Truncated = width < r.size.Width || height < r.size.Height
	// A canvas that is laid out anew while there are no scripts gives way to what it has for browsers without any.
	silent := !r.size.Canvases
	if !silent {
		if err := r.suppressScripts(true); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, r.suppressScripts(false)) }()
	}
	answer := r.tab.Begin(proto.PageCaptureScreenshot{
		Format: proto.PageCaptureScreenshotFormatPng, OptimizeForSpeed: true, CaptureBeyondViewport: true, FromSurface: true,
		Clip: &proto.PageViewport{Width: float64(width), Height: float64(height), Scale: 1},
	})
	if err := r.clock.Hold(r.ctx, answer.Done(), silent); err != nil {
		return nil, err
	}
	result, err := answer.Result(r.ctx)
	if err != nil {
		return nil, err
	}
	return pictureIn(result)
}

// suppressScripts keeps scripts that cannot be switched off from noticing a picture, in all frames that our script has reached.
func (r *run) suppressScripts(on bool) error {
	if !r.clock.Virtual() {
		return nil
	}
	for _, world := range r.events.otherWorlds() {
		_, _ = r.evaluate(call(world, "suppressScripts", r.token, on), stillBudget) // best effort, as in still
	}
	return r.ask("suppressScripts", stillBudget, nil, r.token, on)
}
