package capture

import "time"

// Streams, and what workers request, are waited for in real time: they do not depend on the page's time.
const (
	streamPause = 100 * time.Millisecond
	streamStep  = 50 * time.Millisecond // of the page's time, to process the messages
	streamQuiet = 4                     // pauses without a message after which a stream counts as quiet
	streamMost  = 20                    // maximum number of pauses
)

// rest lets a page reach its final state: content that replaces a loader, a message that disappears again.
func (r *run) rest() error {
	if !r.clock.Virtual() {
		return nil
	}
	if err := r.listen(); err != nil {
		return err
	}
	_, err := r.clock.Wait(r.ctx, nil, restTime)
	return err
}

// listen waits until the page's event streams and sockets become quiet, and gives its workers some time.
func (r *run) listen() error {
	for pauses, quiet := 0, 0; r.events.streaming() && pauses < streamMost && quiet < streamQuiet; pauses++ {
		told, err := RealTime{}.Wait(r.ctx, r.events.message(), streamPause)
		if err == nil {
			_, err = r.clock.Wait(r.ctx, nil, streamStep)
		}
		if err != nil {
			return err
		}
		if quiet++; told {
			quiet = 0
		}
	}
	return nil
}
