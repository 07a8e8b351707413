package outbound

import (
	"context"
	"sync"
	"time"
)

// sharedReadTimeout limits a read that several wait for: it does not end with the context of any of them.
const sharedReadTimeout = 30 * time.Second

// coalescer lets those who ask for the same at the same time share one read. Unlike with singleflight, what is shared always
// began after it was asked for, so it holds everything that the reader has been woken for: who asks while a read is running
// shares the one after it. The zero value is ready.
type coalescer[V any] struct {
	mu      sync.Mutex
	waiting map[string]*sharedRead[V] // by key: not begun yet, may be joined
	running map[string]*sharedRead[V]
}

type sharedRead[V any] struct {
	done  chan struct{} // closed once value and err are set
	value V
	err   error
}

// do returns what read returns for this key. The value is shared, so nobody may change it.
func (c *coalescer[V]) do(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error) {
	r := c.join(ctx, key, read)
	select {
	case <-r.done:
		return r.value, r.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

// join returns the next read of a key and sees to it that it happens.
func (c *coalescer[V]) join(ctx context.Context, key string, read func(context.Context) (V, error)) *sharedRead[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.waiting[key]; r != nil {
		return r
	}
	if c.waiting == nil {
		c.waiting, c.running = make(map[string]*sharedRead[V]), make(map[string]*sharedRead[V])
	}
	r := &sharedRead[V]{done: make(chan struct{})}
	c.waiting[key] = r
	go c.run(context.WithoutCancel(ctx), key, r, read)
	return r
}

// run waits until the read before is over, reads, and tells those who wait.
func (c *coalescer[V]) run(ctx context.Context, key string, r *sharedRead[V], read func(context.Context) (V, error)) {
	c.mu.Lock()
	before := c.running[key]
	c.mu.Unlock()
	if before != nil {
		<-before.done
	}
	c.mu.Lock()
	delete(c.waiting, key)
	c.running[key] = r
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, sharedReadTimeout)
	defer cancel()
	r.value, r.err = read(ctx)
	c.mu.Lock()
	delete(c.running, key)
	c.mu.Unlock()
	close(r.done)
}
