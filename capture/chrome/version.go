package chrome

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// OldestMajor is the oldest supported major version of Chromium. `make test-browsers` runs the tests with it and with
// several newer ones.
const OldestMajor = 148

// ErrTooOld means that a browser is older than [OldestMajor]. Its text names the remedy.
var ErrTooOld = errors.New("the browser is too old")

// major is the first part of a version such as "156.0.8078.79"; 0 when it is not a number.
func major(version string) int {
	first, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// checkMajor rejects browsers that are too old.
func checkMajor(version string) error {
	if n := major(version); n < OldestMajor {
		return fmt.Errorf("%w: it is Chromium %s, but version %d or newer is required: update it with `make setup` or your "+
			"package manager, or name another one with --browser", ErrTooOld, version, OldestMajor)
	}
	return nil
}

// Chromium's release schedule: a major version every four weeks until 153, every two weeks since.
var (
	released153   = time.Date(2026, time.September, 8, 0, 0, 0, 0, time.UTC)
	cycleUntil153 = 4 * 7 * 24 * time.Hour
	cycleSince153 = 2 * 7 * 24 * time.Hour
)

// Released is the approximate release date of a browser's major version, by Chromium's schedule. The zero time stands
// for a version that is not a number.
func Released(version string) time.Time {
	n := major(version)
	switch {
	case n == 0:
		return time.Time{}
	case n < 153:
		return released153.Add(time.Duration(n-153) * cycleUntil153)
	}
	return released153.Add(time.Duration(n-153) * cycleSince153)
}
