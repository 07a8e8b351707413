package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// runCommand measures one cold process. Its peak memory includes nothing of
// this program's, which is smaller than any contender.
func runCommand(ctx context.Context, c contender, p pair) sample {
	argv := slices.Concat(c.argv, []string{p.Before, p.After}, c.tail)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return sample{err: fmt.Errorf("%s: %w", c.Name, err)}
	}
	if code := cmd.ProcessState.ExitCode(); !slices.Contains(c.codes, code) {
		return sample{err: fmt.Errorf("exit code %d", code)}
	}
	state := cmd.ProcessState
	s := sample{took: took, cpu: state.UserTime() + state.SystemTime()}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		s.peak = usage.Maxrss << 10
	}
	return s
}
