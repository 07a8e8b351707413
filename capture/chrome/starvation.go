package chrome

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// starvation is the total time for which the browser's threads have been ready to run but waited for a processor so
// far: the second number in their schedstat (Documentation/scheduler/sched-stats.rst of Linux). It fails if the system
// does not report it.
func (p *process) starvation() (time.Duration, error) {
	family, err := descendantsOf(p.pid)
	if err != nil {
		return 0, err
	}
	var total time.Duration
	threads := 0
	for _, pid := range family {
		folder := fmt.Sprintf("/proc/%d/task/", pid)
		entries, _ := os.ReadDir(folder) // it may have ended
		for _, entry := range entries {
			file := folder + entry.Name() + "/schedstat"
			text, err := os.ReadFile(file)
			fields := strings.Fields(string(text))
			if err != nil || len(fields) < 2 {
				continue // it has just ended
			}
			waited, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return 0, fmt.Errorf("read %s: %w", file, err)
			}
			total += time.Duration(waited)
			threads++
		}
	}
	if threads == 0 {
		return 0, errors.New("the kernel does not report how long the browser waited for a processor")
	}
	return total, nil
}
