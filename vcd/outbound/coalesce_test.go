package outbound

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestSharedReads: whoever asks gets a read that began later, and many who ask together cost few reads.
func TestSharedReads(t *testing.T) { synctest.Test(t, shareReads) }

func shareReads(t *testing.T) {
	var c coalescer[int64]
	var written, reads atomic.Int64
	read := func(context.Context) (int64, error) {
		reads.Add(1)
		value := written.Load()
		time.Sleep(time.Millisecond) // of the bubble's clock: until everybody else has asked and waits
		return value, nil
	}
	const readers, each = 50, 40
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			for range each {
				mine := written.Add(1)
				if got, err := c.do(t.Context(), "key", read); err != nil || got < mine {
					t.Errorf("read %d, %v after %d had been written", got, err, mine)
				}
			}
		})
	}
	all.Wait()
	if n := reads.Load(); n > readers*each/4 {
		t.Errorf("%d reads for %d who asked", n, readers*each)
	}
	if len(c.waiting)+len(c.running) > 0 {
		t.Errorf("%d reads waiting and %d running after all have been answered", len(c.waiting), len(c.running))
	}
}

// TestOneWhoLeavesASharedRead: the others get their answer.
func TestOneWhoLeavesASharedRead(t *testing.T) {
	var c coalescer[int]
	begun, proceed := make(chan struct{}), make(chan struct{})
	read := func(ctx context.Context) (int, error) {
		begun <- struct{}{}
		<-proceed
		return 7, ctx.Err()
	}
	leaving, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := c.do(leaving, "key", read)
		left <- err
	}()
	<-begun
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the one who left got %v", err)
	}
	stayed := make(chan error)
	go func() {
		got, err := c.do(t.Context(), "key", read)
		if got != 7 && err == nil {
			err = errors.New("another value")
		}
		stayed <- err
	}()
	close(proceed)
	<-begun
	if err := <-stayed; err != nil {
		t.Errorf("the one who stayed got %v", err)
	}
	other, err := c.do(t.Context(), "other", func(context.Context) (int, error) { return 8, nil })
	if other != 8 || err != nil {
		t.Errorf("another key: %d, %v", other, err)
	}
}
