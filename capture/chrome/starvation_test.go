package chrome

import (
	"errors"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"afterimage/capture"
)

// TestAWaitIsProlongedWhileTheMachineIsBusy: a page that is left when its time was used up is at the same moment on a busy
// machine too.
func TestAWaitIsProlongedWhileTheMachineIsBusy(t *testing.T) {
	const limit = 10 * time.Second
	for name, c := range map[string]struct {
		starves func(since time.Duration) (time.Duration, error)
		want    time.Duration
	}{
		"much work": {func(time.Duration) (time.Duration, error) { return time.Minute, nil }, limit + starvationSlice},
		"busy for five seconds more": {func(since time.Duration) (time.Duration, error) {
			return time.Minute + min(since, limit+5*time.Second)/2, nil
		}, limit + 5*time.Second + starvationSlice},
		"nobody knows": {func(time.Duration) (time.Duration, error) { return 0, errors.New("no figures") }, limit},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				w := &wait{
					ctx: t.Context(), closed: make(chan struct{}), limit: time.NewTimer(limit),
					starvation: func() (time.Duration, error) { return c.starves(time.Since(begun)) },
				}
				if _, err := w.first(0, make(chan struct{})); !errors.Is(err, errBusy) {
					t.Errorf("the wait ended with %v", err)
				}
				if took := time.Since(begun); took != c.want {
					t.Errorf("the wait took %s, want %s", took, c.want)
				}
			})
		})
	}
}

// TestABrowsersStarvationIsTold: the figure is there and never shrinks, and one that has gone has none.
func TestABrowsersStarvationIsTold(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	process := p.lanes[0].browser.process
	before, err := process.starvation()
	if err != nil {
		t.Fatal(err)
	}
	takeWith(t, p, capture.Request{URL: site.page(t, "<p>work")})
	after, err := process.starvation()
	if err != nil || after < before {
		t.Errorf("before a capture %s, after it %s (%v)", before, after, err)
	}
	// Its lane buries it.
	if err := syscall.Kill(-process.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-process.exited
	if told, err := process.starvation(); err == nil {
		t.Errorf("a browser that has gone waited for %s", told)
	}
}
