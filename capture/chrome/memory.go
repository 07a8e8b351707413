package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"afterimage/capture"
)

const (
	// for a browser with all its processes while it captures, in bytes; a page of 16,000 pixels takes 0.3 to 0.5 GiB
	defaultMaxMemory     = 2 << 30
	defaultRecycleMemory = 512 << 20 // for a browser's lasting processes between captures, in bytes; a fresh one takes less than 0.1 GiB
	memoryInterval       = 250 * time.Millisecond
	// childrenKept is for how long the browser's own children count as known. To list them, the files of some forty threads
	// have to be read; they are zygotes and services, while pages are children of the zygotes, which are asked each time.
	childrenKept = 2 * time.Second
)

// memory is the memory that processes use for themselves, in bytes: anonymous and shared pages, but not the program's
// text, which all browsers of a machine share.
type memory struct {
	all     int64 // of all processes
	lasting int64 // of those that outlive a page: all except renderers
}

// memory sums up the browser and its descendants. Processes that end meanwhile are skipped.
func (p *process) memory() (memory, error) {
	var total memory
	family, err := p.family()
	if err != nil {
		return total, err
	}
	for _, pid := range family {
		used, err := residentBytes(pid)
		if err != nil {
			continue // it has just ended
		}
		total.all += used
		if !isRenderer(pid) {
			total.lasting += used
		}
	}
	if total.all == 0 {
		return total, errors.New("the kernel does not report the browser's memory")
	}
	return total, nil
}

// family lists the browser's first process and its descendants, of which its own children may have been listed a moment ago.
func (p *process) family() ([]int, error) {
	p.children.Lock()
	defer p.children.Unlock()
	if now := time.Now(); now.Sub(p.children.listed) > childrenKept {
		first, err := childrenOf(p.pid)
		if err != nil {
			return nil, err
		}
		p.children.first, p.children.listed = first, now
	}
	return appendDescendants(slices.Clone(p.children.first))
}

// descendantsOf lists a browser's first process and all its descendants. The kernel lists children by the thread that created
// them: the browser starts processes on any of its threads, while zygotes, which fork the others, have one thread that does.
func descendantsOf(browser int) ([]int, error) {
	family, err := childrenOf(browser)
	if err != nil {
		return nil, err
	}
	return appendDescendants(family)
}

// childrenOf lists a process and the children of all its threads.
func childrenOf(browser int) ([]int, error) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", browser))
	if err != nil {
		return nil, fmt.Errorf("list the browser's processes: %w", err)
	}
	family := []int{browser}
	for _, thread := range threads {
		if family, err = appendChildren(family, browser, thread.Name()); err != nil {
			return nil, err
		}
	}
	return family, nil
}

// appendDescendants appends the descendants of all but the first of the processes.
func appendDescendants(family []int) ([]int, error) {
	var err error
	for i := 1; i < len(family); i++ {
		if family, err = appendChildren(family, family[i], strconv.Itoa(family[i])); err != nil {
			return nil, err
		}
	}
	return family, nil
}

// appendChildren appends the processes that a thread of a process has started.
func appendChildren(family []int, pid int, thread string) ([]int, error) {
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, thread)) // it may have ended
	for field := range strings.FieldsSeq(string(children)) {
		child, err := strconv.Atoi(field)
		if err != nil {
			return nil, fmt.Errorf("list the browser's processes: %w", err)
		}
		family = append(family, child)
	}
	return family, nil
}

// residentBytes reads RssAnon and RssShmem (proc_pid_status(5)), which every process may read; the exact figures of
// smaps are not readable for processes in a sandbox.
func residentBytes(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	var total int64
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		if name != "RssAnon" && name != "RssShmem" {
			continue
		}
		kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read the memory of process %d: %w", pid, err)
		}
		total += kilobytes << 10
	}
	return total, nil
}

func isRenderer(pid int) bool {
	command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // empty when the process has ended
	return strings.Contains(string(command), "--type=renderer")
}

// limitMemory returns a context for a capture that ends, with the browser, when the browser exceeds its memory limit: a
// page that eats memory must not make the kernel choose which process to kill. The caller calls the function when the
// capture is over.
func (l *lane) limitMemory(ctx context.Context, p *process) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		ticker := time.NewTicker(memoryInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			used, err := p.memory()
			if err != nil {
				return // it has ended, which the capture notices itself
			}
			if used.all <= l.config.MaxMemory {
				continue
			}
			cancel(&capture.Failure{Reason: capture.ReasonCrashed,
				Err: fmt.Errorf("the browser took %d MiB of memory, at most %d are allowed", used.all>>20, l.config.MaxMemory>>20)})
			_ = syscall.Kill(-p.pid, syscall.SIGKILL) // fails only if it has just ended; the lane starts another one
			return
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-watched
	}
}

// swollen reports whether the browser uses so much memory that it should be replaced.
func (l *lane) swollen() bool {
	used, err := l.browser.process.memory()
	if err != nil || used.lasting <= l.config.RecycleMemory {
		return false
	}
	l.config.Logger.Info("browser has grown, replacing it", "lane", l.slot, "bytes", used.lasting, "captures", l.captures)
	return true
}
