package vcd

import (
	"context"
	"time"
)

// How overloaded hosts are treated. A single page that reports overload may just be broken, so several are needed to rest a
// host.
const (
	// refusalsForRest is how many different pages have to refuse within refusalWindow, and more than were served.
	refusalsForRest = 3
	refusalWindow   = time.Minute
	// hostPause is how long a host rests that did not say for how long; doubled for each consecutive rest.
	hostPause = 30 * time.Second
	// MaxHostPause is the longest rest that a host can ask for.
	MaxHostPause = 10 * time.Minute
	// probePause is the time between captures that probe whether a resting host answers again.
	probePause = 10 * time.Second
)

// HostStore records which hosts are resting, for all accounts and machines. A host is the first part of a page address,
// including the port if there is one.
type HostStore interface {
	// RestHost rests the host for as long as it asked, and returns until when.
	RestHost(ctx context.Context, host string, now time.Time, wait time.Duration) (time.Time, error)
	// RefuseHost records that a page of the host refused a request. After enough refusals the host rests, except for captures
	// that probe whether it answers again. It returns the end of the rest; zero when the host is not resting.
	RefuseHost(ctx context.Context, host string, page ID, now time.Time) (time.Time, error)
	// WakeHost records that the host served a page. This ends its rest unless the host itself asked for it.
	WakeHost(ctx context.Context, host string) error
	// RestingHosts returns which of the hosts are resting at the given time, and until when.
	RestingHosts(ctx context.Context, hosts []string, now time.Time) (map[string]time.Time, error)
}

// HostPause is the length of the next rest after the given number of consecutive rests.
func HostPause(rests int) time.Duration {
	return min(hostPause<<min(rests, 10), MaxHostPause)
}

// HostPatience holds the thresholds for resting a host.
type HostPatience struct {
	Refusals      int           // refusing pages needed, which must outnumber the pages served
	Window, Probe time.Duration // the period in which refusals count; the time between two probes
}

// Patience returns the thresholds in use.
func Patience() HostPatience {
	return HostPatience{Refusals: refusalsForRest, Window: refusalWindow, Probe: probePause}
}
