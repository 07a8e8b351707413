package capture

import "time"

// Streams and workers are listened to in real time: what is sent on them knows nothing of the page's.
const (
	streamPause = 100 * time.Millisecond
	streamStep  = 50 * time.Millisecond // of the page's time, to take in what was said
	streamQuiet = 4                     // pauses without a message after which a stream has told what it has to tell
	streamMost  = 20                    // pauses
)

// rest lets a page come to what it is going to be: content that follows a loader, a message that goes away again.
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

// listen waits until the page's event streams and sockets fall quiet, and gives its workers some time.
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
