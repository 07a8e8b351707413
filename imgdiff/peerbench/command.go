package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// launch asks the launcher to run one command.
type launch struct {
	Argv []string `json:"argv"`
}

// landing is how the command ended.
type landing struct {
	NS    int64  `json:"ns"`
	CPU   int64  `json:"cpu"`  // nanoseconds
	Peak  int64  `json:"peak"` // bytes
	Code  int    `json:"code"`
	Error string `json:"error,omitempty"`
}

// launcher runs commands for the benchmark. It is a process of its own that
// does nothing else, because the kernel counts the memory of whoever starts a
// program towards that program's peak.
func launcher(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var l launch
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("read a command: %w", err)
		}
		if err := json.NewEncoder(out).Encode(l.run(ctx)); err != nil {
			return fmt.Errorf("write how it ended: %w", err)
		}
	}
	return lines.Err()
}

// run runs the command to its end.
func (l launch) run(ctx context.Context) landing {
	cmd := exec.CommandContext(ctx, l.Argv[0], l.Argv[1:]...)
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return landing{Error: err.Error()}
	}
	state := cmd.ProcessState
	ended := landing{NS: took.Nanoseconds(), CPU: (state.UserTime() + state.SystemTime()).Nanoseconds(), Code: state.ExitCode()}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		ended.Peak = usage.Maxrss << 10
	}
	return ended
}

// runCommand measures one cold process.
func (s *service) runCommand(c contender, p pair) sample {
	var l landing
	if err := s.ask(launch{Argv: slices.Concat(c.argv, []string{p.Before, p.After}, c.tail)}, &l); err != nil {
		return sample{err: err}
	}
	switch {
	case l.Error != "":
		return sample{err: errors.New(l.Error)}
	case !slices.Contains(c.codes, l.Code):
		return sample{err: fmt.Errorf("exit code %d", l.Code)}
	}
	return sample{took: time.Duration(l.NS), cpu: time.Duration(l.CPU), peak: l.Peak}
}
