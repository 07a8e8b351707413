// Package processtree counts what a command and everything that it starts use, and leaves nothing of it running.
package processtree

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Keep runs a command and inherits every process that it leaves behind, so
// that none escapes the count of processor time. It is a process of its own,
// because whoever inherits must wait for all its children. Its own processor time,
// once it has ended, is that of the whole tree.
func Keep(argv []string) error {
	if len(argv) == 0 {
		return errors.New("a keeper needs a command")
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("inherit processes: %w", err)
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	// Before the command starts: a signal that came between would end the keeper alone.
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, unix.SIGTERM)
	attributes := &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}}
	child, err := os.StartProcess(path, argv, attributes) //nolint:gosec // a command of our own table
	if err != nil {
		return fmt.Errorf("start %s: %w", argv[0], err)
	}
	go func() {
		<-stopped
		killAll(os.Getpid())
	}()
	var ended unix.WaitStatus
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.ECHILD):
			if ended.ExitStatus() != 0 {
				return fmt.Errorf("%s ended with status %d", argv[0], ended.ExitStatus())
			}
			return nil
		case err != nil:
			return fmt.Errorf("wait for %s: %w", argv[0], err)
		case pid == child.Pid:
			ended = status
			killAll(os.Getpid())
		}
	}
}

// killAll ends what the command has left running.
func killAll(keeper int) {
	for _, p := range below(keeper) {
		if p.pid != keeper {
			_ = unix.Kill(p.pid, unix.SIGKILL) // it may be gone already
		}
	}
}

// process is a line of the kernel's table. Its processor time holds that of all
// children that it has waited for.
type process struct {
	pid, parent int
	used        time.Duration
}

// CPUTime is what a process and all below it have used, living and dead:
// the time of a dead one is its parent's.
func CPUTime(root int) time.Duration {
	var used time.Duration
	for _, p := range below(root) {
		used += p.used
	}
	return used
}

// below lists a process and all its descendants.
func below(root int) []process {
	children := make(map[int][]process)
	var found []process
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, path := range stats {
		p, err := readProcess(path)
		if err != nil {
			continue // gone meanwhile
		}
		if p.pid == root {
			found = append(found, p)
		}
		children[p.parent] = append(children[p.parent], p)
	}
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i].pid]...)
	}
	return found
}

// tick is the unit of processor time in /proc: 1/100 s on every Linux.
const tick = 10 * time.Millisecond

// readProcess reads /proc/pid/stat, see proc(5).
func readProcess(path string) (process, error) {
	stat, err := os.ReadFile(path)
	if err != nil {
		return process{}, err
	}
	pid, rest, _ := strings.Cut(string(stat), " ")
	fields := strings.Fields(rest[strings.LastIndex(rest, ")")+1:]) // from the state on, which is field 3
	if len(fields) < 15 {
		return process{}, fmt.Errorf("%s is not understood", path)
	}
	number := func(text string) int {
		n, _ := strconv.Atoi(text) // the kernel writes numbers
		return n
	}
	ticks := 0
	for _, field := range fields[11:15] { // user, system, and both of the children
		ticks += number(field)
	}
	return process{pid: number(pid), parent: number(fields[1]), used: time.Duration(ticks) * tick}, nil
}
