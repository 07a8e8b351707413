package subprocess

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Config defines how processes are started and how long they are kept.
type Config struct {
	Command []string // path and arguments of a program that calls Serve
	Env     []string // its complete environment
	Limits  Limits
	Idle    time.Duration // idle time after which a process is ended; 0 means a minute
	Talks   int           // maximum conversations per process; 0 means 500
}

// Pool provides processes for conversations and keeps them warm in between. It starts as many as there are
// concurrent conversations; the caller limits their number.
type Pool struct {
	config Config

	mu     sync.Mutex
	idle   []*Process
	closed bool
}

// NewPool returns a pool without starting any process.
func NewPool(c Config) *Pool {
	if c.Idle == 0 {
		c.Idle = time.Minute
	}
	if c.Talks == 0 {
		c.Talks = 500
	}
	return &Pool{config: c}
}

// Limits returns the limits of each process.
func (p *Pool) Limits() Limits { return p.config.Limits }

// Take starts a conversation, which the caller ends with Release.
func (p *Pool) Take(ctx context.Context) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for {
		c, err := p.pop()
		if c == nil && err == nil {
			c, err = start(ctx, p)
		}
		if err != nil {
			return nil, err
		}
		if c.gone() { // somebody ended it while nobody needed it
			c.stop()
			continue
		}
		c.talks++
		return c, nil
	}
}

// pop is the process that was used last; nil when none is idle.
func (p *Pool) pop() (*Process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("the pool of processes is closed")
	}
	for len(p.idle) > 0 {
		c := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		c.idle.Stop()
		return c, nil
	}
	return nil, nil
}

// give takes a process back.
func (p *Pool) give(c *Process) {
	p.mu.Lock()
	keep := !c.broken && !p.closed && c.talks < p.config.Talks
	if keep {
		p.idle = append(p.idle, c)
		c.idle = time.AfterFunc(p.config.Idle, func() { p.drop(c) })
	}
	p.mu.Unlock()
	if !keep {
		c.stop()
	}
}

// drop ends a process that nobody needed for a while.
func (p *Pool) drop(c *Process) {
	p.mu.Lock()
	found := false
	for i, other := range p.idle {
		if other == c {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			found = true
			break
		}
	}
	p.mu.Unlock()
	if found {
		c.stop()
	}
}

// Close ends all idle processes; the others end with their conversation.
func (p *Pool) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, c := range idle {
		c.idle.Stop()
		c.stop()
	}
}
