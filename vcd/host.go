package vcd

import (
	"context"
	"time"
)

// How hosts are treated that are overloaded. One page that says so may well be broken: only several let a host rest.
const (
	// refusalsForRest is how many different pages have to refuse, more than are served, within refusalWindow.
	refusalsForRest = 3
	refusalWindow   = time.Minute
	// hostPause is how long a host is left alone that did not say for how long; doubled each time in a row.
	hostPause = 30 * time.Second
	// MaxHostPause bounds what a host can ask for.
	MaxHostPause = 10 * time.Minute
	// probePause is how long a resting host is left alone before a capture looks whether it answers again.
	probePause = 10 * time.Second
)

// HostStore remembers which hosts want to be left alone, for all accounts and machines. A host is what page addresses begin
// with, with the port if there is one.
type HostStore interface {
	// RestHost leaves the host alone for as long as it asked for itself, and returns until when.
	RestHost(ctx context.Context, host string, now time.Time, wait time.Duration) (time.Time, error)
	// RefuseHost notes that a page of the host refused us. When enough of them did it leaves the host alone for a while, but
	// for captures that look whether it answers again. It returns until when; zero when the host is not left alone.
	RefuseHost(ctx context.Context, host string, page ID, now time.Time) (time.Time, error)
	// WakeHost notes that the host served a page: unless it asked for its rest itself, it is captured again.
	WakeHost(ctx context.Context, host string) error
	// RestingHosts tells which of some hosts are left alone at a time, and until when.
	RestingHosts(ctx context.Context, hosts []string, now time.Time) (map[string]time.Time, error)
}

// HostPause is how long the next pause is after so many in a row.
func HostPause(rests int) time.Duration {
	return min(hostPause<<min(rests, 10), MaxHostPause)
}

// HostPatience is what lets a host rest.
type HostPatience struct {
	Refusals      int           // pages that refused us, more than were served
	Window, Probe time.Duration // in which they did; between two looks whether the host answers again
}

// Patience is the patience with hosts.
func Patience() HostPatience {
	return HostPatience{Refusals: refusalsForRest, Window: refusalWindow, Probe: probePause}
}
