package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// usage is what a piece of work took of this process.
type usage struct {
	processor time.Duration
	memory    int // the largest resident size, in bytes
}

// used measures work. The browser's processes are not counted.
func used(work func() error) (usage, error) {
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // forget the largest size so far, see proc(5)
		return usage{}, fmt.Errorf("reset the largest resident size: %w", err)
	}
	before, err := processorTime()
	if err == nil {
		err = work()
	}
	if err != nil {
		return usage{}, err
	}
	after, err := processorTime()
	if err != nil {
		return usage{}, err
	}
	memory, err := highWater()
	return usage{after - before, memory}, err
}

func processorTime() (time.Duration, error) {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0, fmt.Errorf("read the processor time: %w", err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), nil
}

// highWater is the largest resident size of this process, in bytes.
func highWater() (int, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10, nil
		}
	}
	return 0, fmt.Errorf("the kernel does not tell the largest resident size")
}
