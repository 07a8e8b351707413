package capture

import (
	"context"
	"time"
)

// sliceTime is by how much the deadline of a capture is later for each slice of the page after the first.
const sliceTime = 10 * time.Second

// deadline ends a capture when its time is over. A page of several slices has more.
type deadline struct {
	timer   *time.Timer
	ends    time.Time
	granted time.Duration // so far
}

func newDeadline(after time.Duration, abort context.CancelCauseFunc) *deadline {
	timeout := failed(ReasonTimeout, "deadline of %s passed", after)
	return &deadline{timer: time.AfterFunc(after, func() { abort(timeout) }), ends: time.Now().Add(after)}
}

// extend moves the deadline for a picture that takes so much longer than others. Further pictures of the same page do not move it
// again.
func (d *deadline) extend(by time.Duration) {
	more := by - d.granted
	if more <= 0 || !d.timer.Stop() { // the time may be over by now
		return
	}
	d.granted += more
	d.ends = d.ends.Add(more)
	d.timer.Reset(time.Until(d.ends))
}

func (d *deadline) stop() { d.timer.Stop() }
