package bucket

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// patience is how long calls are repeated, and how long they may take.
type patience struct {
	total    time.Duration // from when on no new attempt begins
	silence  time.Duration // how long an attempt may take before it has moved a byte
	slowest  int           // bytes per second at which it must write
	dripping int           // bytes per second at which it must read
	first    time.Duration // pause after the first attempt; it doubles
	longest  time.Duration
	maxTries int
}

var usualPatience = patience{
	total: 20 * time.Second, silence: 10 * time.Second, slowest: 256 << 10, dripping: 64 << 10, first: 100 * time.Millisecond,
	longest: 4 * time.Second, maxTries: 8,
}

// final is an error that another attempt would not change.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

var errSilent = errors.New("it did not answer in time")

// persist calls do until it succeeds, fails for good, or patience ends. An attempt that writes size bytes ends when it is too slow;
// arrived tells how many more bytes it has read.
func (b *Bucket) persist(ctx context.Context, verb string, size int, do func(ctx context.Context, arrived func(n int)) error) error {
	began, pause := time.Now(), b.first
	for try := 1; ; try++ {
		err := b.attempt(ctx, size, do)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !passing(err) || try >= b.maxTries || time.Since(began)+pause > b.total {
			return b.explain(verb, err)
		}
		timer := time.NewTimer(pause/2 + rand.N(pause/2+1)) //nolint:gosec // keeps processes from asking in step
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
		pause = min(2*pause, b.longest)
	}
}

func (b *Bucket) attempt(ctx context.Context, size int, do func(ctx context.Context, arrived func(n int)) error) error {
	deadline := time.Now().Add(b.silence + duration(size, b.slowest))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(time.Until(deadline), func() { cancel(errSilent) })
	defer watch.Stop()
	err := do(ctx, func(n int) {
		deadline = deadline.Add(duration(n, b.dripping))
		watch.Reset(min(time.Until(deadline), b.silence))
	})
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		return errSilent
	}
	return err
}

// duration is how long n bytes may take at a rate in bytes per second.
func duration(n, rate int) time.Duration { return time.Duration(n) * time.Second / time.Duration(rate) }

// passing reports whether another attempt may succeed.
func passing(err error) bool {
	var known final
	if errors.As(err, &known) {
		return false
	}
	switch reasonOf(err) {
	case reasonDenied, reasonNoBucket, reasonNoObject, reasonTaken, reasonUnsigned, reasonSecret, reasonUnable, reasonRegion:
		return false
	}
	return true
}
