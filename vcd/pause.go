package vcd

import (
	"context"
	"time"
)

// Pause waits in real time, and reports whether ctx outlived the pause.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
