// Package machine tells how busy the machine is on which the program runs, within the limits of its control group (version 2). It reads
// /proc and /sys, which exist on Linux only.
package machine

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/prometheus/procfs"
)

// Load is how busy a machine is.
type Load struct {
	Busy float64 // share of the processors' time since the last reading that was used, by all programs: 0 to 1
	Free int64   // memory that can be used without swapping, in bytes
}

// Meter reads the load again and again. It is not safe for concurrent use.
type Meter struct {
	proc  procfs.FS
	group group
	last  used
}

// used is processor time that was used until a moment.
type used struct {
	at          time.Time
	idle, total float64       // of all processors, in seconds
	group       time.Duration // by our control group
}

// NewMeter returns a meter whose first reading is of the time since now.
func NewMeter() (*Meter, error) {
	proc, err := procfs.NewDefaultFS()
	if err != nil {
		return nil, fmt.Errorf("read the load of this machine: %w", err)
	}
	m := &Meter{proc: proc, group: ownGroup(proc, groupRoot)}
	m.last, err = m.used()
	return m, err
}

// Read returns the load since the last reading.
func (m *Meter) Read() (Load, error) {
	now, err := m.used()
	if err != nil {
		return Load{}, err
	}
	free, err := m.free()
	if err != nil {
		return Load{}, err
	}
	busy := busyBetween(m.last, now, runtime.GOMAXPROCS(0), runtime.NumCPU())
	m.last = now
	return Load{Busy: busy, Free: free}, nil
}

// busyBetween is the used share of the time between two readings. A program that may use some of the processors only, by its control
// group, is as busy as it uses those.
func busyBetween(before, after used, allowed, processors int) float64 {
	busy := 0.0
	if total := after.total - before.total; total > 0 {
		busy = 1 - (after.idle-before.idle)/total
	}
	if wall := after.at.Sub(before.at); allowed < processors && wall > 0 {
		busy = max(busy, float64(after.group-before.group)/float64(wall)/float64(allowed))
	}
	return min(max(busy, 0), 1)
}

func (m *Meter) used() (used, error) {
	stat, err := m.proc.Stat()
	if err != nil {
		return used{}, fmt.Errorf("read the load of this machine: %w", err)
	}
	all := stat.CPUTotal // guests are part of User and Nice
	idle := all.Idle + all.Iowait
	return used{
		at: time.Now(), idle: idle, total: idle + all.User + all.Nice + all.System + all.IRQ + all.SoftIRQ + all.Steal,
		group: m.group.cpuTime(),
	}, nil
}

func (m *Meter) free() (int64, error) {
	info, err := m.proc.Meminfo()
	if err != nil {
		return 0, fmt.Errorf("read the memory of this machine: %w", err)
	}
	if info.MemAvailableBytes == nil {
		return 0, errors.New("the kernel does not report how much memory is available")
	}
	free := int64(*info.MemAvailableBytes)
	if left, limited := m.group.memoryLeft(); limited {
		free = min(free, left)
	}
	return free, nil
}
