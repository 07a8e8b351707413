package capture

import (
	"errors"
	"time"

	"afterimage/internal/page"
)

const (
	maxShots = 4    // pictures taken of a page that does not hold still
	maxTitle = 1000 // bytes
)

// A page that shows a clock asks for the date at least once in the window. The shift changes every part of a date, from
// the second to the month and the weekday, and every digit of a number of milliseconds.
const (
	dateWindow = 1100 * time.Millisecond
	dateShift  = 34_567_234_567 * time.Millisecond
)

// pauses are the delays before each further picture: slow movement takes time to become visible.
var pauses = [maxShots]time.Duration{1: 0, 2: 100 * time.Millisecond, 3: 250 * time.Millisecond}

// shoot takes the picture, and more pictures if it may differ the next time.
func (r *run) shoot() error {
	shoot := r.shootUntilStable
	if r.clock.Virtual() {
		shoot = r.shootAtTwoDates
	}
	taken, err := shoot()
	if err != nil {
		return err
	}
	r.shot.PNG, err = taken.join()
	r.shot.Width, r.shot.Height, r.shot.Title = taken.width, taken.height, cut(r.size.Title, maxTitle)
	return err
}

// shootAtTwoDates handles a page whose time we control. Everything on it moves the same way every time, except what
// depends on the date: another picture at another date shows where that is. A page whose date is given needs none: it is
// compared with a picture of the same date.
//
// What is drawn apart from the document, such as a video, may appear only in the second frame in which it is in sight, so pages
// with such parts are not taken from the first one.
func (r *run) shootAtTwoDates() (picture, error) {
	dated := false
	if r.req.Date.IsZero() && !r.resumes { // a page could take another date for the end of a session
		var err error
		if dated, err = r.dated(0); err != nil {
			return picture{}, err
		}
	}
	taken, err := r.picture(!dated && !r.resumes && !r.req.Probe && !r.size.Canvases && !r.size.Embeds)
	if err != nil || !dated {
		return taken, err
	}
	return taken, r.retakeAtOtherDate(taken)
}

func (r *run) retakeAtOtherDate(taken picture) (err error) {
	var retaken picture
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
	case err != nil && r.ctx.Err() == nil: // a page that navigates away at another date, usually to log in
		r.gaveUp("stability")
		return nil
	case err != nil:
		return err
	}
	var unstable difference
	if err := unstable.add(taken, retaken); err != nil {
		return err
	}
	for i := range texts {
		texts[i].X, texts[i].Y = texts[i].X-r.size.X, texts[i].Y-r.size.Y
	}
	unstable.spread(texts) // a digit may be equal by chance
	r.shot.Manifest.Unstable = unstable.boxes()
	return nil
}

// dated shifts the date that the page's scripts see, in all frames that our script has reached, and reports whether
// they have asked for it recently.
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

// shootUntilStable takes pictures until two in a row are equal. A page on which nothing can have moved since it was
// stilled needs only one. If the pictures differ to the end, the differences are kept with the last one.
func (r *run) shootUntilStable() (picture, error) {
	last, err := r.picture(false)
	if err != nil {
		return picture{}, err
	}
	moving, err := r.maybeMoving()
	if err != nil {
		return picture{}, err
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
			return picture{}, err
		}
		if moving = !last.equal(retaken); moving {
			if err := unstable.add(last, retaken); err != nil {
				return picture{}, err
			}
		}
		last = retaken
	}
	return last, nil
}

// maybeMoving asks the page whether anything may have moved since it was stilled. A page that no longer answers is
// captured as it is: its picture exists.
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

// retake stills and measures the page again, since movement may have changed its size, and takes another picture.
func (r *run) retake(pause time.Duration) (picture, error) {
	if _, err := r.clock.Wait(r.ctx, nil, pause); err != nil {
		return picture{}, err
	}
	if err := r.still(); err != nil {
		return picture{}, err
	}
	return r.picture(false)
}

// picture captures the page up to the limits. The last picture may be taken from the first frame that shows it; see [Clock].
func (r *run) picture(last bool) (_ picture, err error) {
	width := min(r.size.Width, MaxWidth)
	height := min(r.size.Height, MaxHeight, MaxPixels/width)
	r.shot.Truncated = width < r.size.Width || height < r.size.Height
	// A canvas that is laid out again while scripts are disabled shows its fallback content instead, and timers that end meanwhile
	// are lost: to a page that goes on, and to parts that wait for them.
	silent := !r.size.Canvases && !r.resumes && !r.size.Late
	if r.size.Hides {
		return r.paintSteps(width, height, silent)
	}
	if !silent {
		if err := r.suppressScripts(true); err != nil {
			return picture{}, err
		}
		defer func() { err = errors.Join(err, r.suppressScripts(false)) }()
	}
	return r.paint(width, height, silent, last)
}

// suppressScripts prevents scripts that cannot be disabled from noticing a picture, in all frames that our script has
// reached.
func (r *run) suppressScripts(on bool) error {
	if !r.clock.Virtual() {
		return nil
	}
	for _, world := range r.events.otherWorlds() {
		_, _ = r.evaluate(call(world, "suppressScripts", r.token, on), stillBudget) // best effort, as in still
	}
	return r.ask("suppressScripts", stillBudget, nil, r.token, on)
}
