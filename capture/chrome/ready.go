package chrome

import (
	"fmt"
	"os"
	"sync"
)

// browserLog remembers how browsers started.
type browserLog struct {
	mu     sync.Mutex
	number int64
	last   error // why the latest did not start; nil when it did
}

func (b *browserLog) add(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = err
	if err == nil {
		b.number++
	}
}

// Starts is the number of browsers that were started.
func (p *Pool) Starts() int64 {
	p.config.starts.mu.Lock()
	defer p.config.starts.mu.Unlock()
	return p.config.starts.number
}

// Ready reports why the pool cannot capture: it is closed, its browser is gone from the disk, or the latest did not start.
func (p *Pool) Ready() error {
	select {
	case <-p.closing:
		return ErrClosed
	default:
	}
	if info, err := os.Stat(p.config.Binary); err != nil || info.Mode()&0o111 == 0 {
		return fmt.Errorf("there is no browser at %s any more (%w)", p.config.Binary, os.ErrNotExist)
	}
	p.config.starts.mu.Lock()
	defer p.config.starts.mu.Unlock()
	return p.config.starts.last
}
