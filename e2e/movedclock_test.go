package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// movedClock is the clock of services, which a test moves: a file that says how far it is behind.
type movedClock string

func newMovedClock(t *testing.T) movedClock { return movedClock(filepath.Join(t.TempDir(), "behind")) }

// flags make a service go by the clock.
func (c movedClock) flags() []string {
	return []string{"--development", "--development-clock", string(c)}
}

// set moves the clock, which goes on from there.
func (c movedClock) set(t *testing.T, to time.Time) {
	t.Helper()
	draft := string(c) + ".new"
	if err := os.WriteFile(draft, []byte(time.Since(to).String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(draft, string(c)); err != nil {
		t.Fatal(err)
	}
}
