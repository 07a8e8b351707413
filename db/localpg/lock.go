package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// fileLock is a flock(2) lock. It belongs to the open file, so the kernel drops it when its process dies, and two locks
// in one process count as two.
type fileLock struct{ file *os.File }

func openLock(path string) (*fileLock, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock file: %w", err)
	}
	return &fileLock{file: file}, nil
}

// try takes the lock, or converts the one held, when that is possible at once. A failed conversion keeps nothing.
// how is syscall.LOCK_SH or syscall.LOCK_EX.
func (l *fileLock) try(how int) (bool, error) {
	conn, err := l.file.SyscallConn()
	if err != nil {
		return false, os.ErrClosed
	}
	var locked error
	if err := conn.Control(func(fd uintptr) { locked = syscall.Flock(int(fd), how|syscall.LOCK_NB) }); err != nil {
		return false, os.ErrClosed
	}
	switch {
	case locked == nil:
		return true, nil
	case errors.Is(locked, syscall.EWOULDBLOCK), errors.Is(locked, syscall.EINTR):
		return false, nil
	default:
		return false, fmt.Errorf("lock %s: %w", l.file.Name(), locked)
	}
}

// lock waits for the lock until ctx ends. flock itself cannot be interrupted, hence the polling.
func (l *fileLock) lock(ctx context.Context, how int) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if locked, err := l.try(how); err != nil || locked {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for lock %s: %w", l.file.Name(), ctx.Err())
		case <-tick.C:
		}
	}
}

// close gives the lock up. Closing twice is harmless.
func (l *fileLock) close() { _ = l.file.Close() }
