package vcd

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// How hosts are treated that are overloaded. One page that says so may well be broken: only several let a host rest.
const (
	// refusalsForRest is how many different pages have to refuse, more than are served, within refusalWindow.
	refusalsForRest = 3
	refusalWindow   = time.Minute
	// hostPause is how long a host is left alone that did not say for how long; doubled each time in a row.
	hostPause = 30 * time.Second
	// maxHostPause bounds what a host can ask for.
	maxHostPause = 10 * time.Minute
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
	return min(hostPause<<min(rests, 10), maxHostPause)
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

// Overload is a site that asks for fewer requests, by the status 429 or 503.
type Overload struct {
	Status int
	Wait   time.Duration // as the site says; 0 when it does not
}

// hostOf is the host that an address begins with.
func hostOf(address string) string {
	if end := strings.IndexAny(address, "/?"); end >= 0 {
		return address[:end]
	}
	return address
}

// refused notes what an overloaded site says and returns until when it is left alone; zero when it is not.
func (s *Service) refused(ctx context.Context, tx Tx, e *QueueEntry, address string, o *Overload) (time.Time, error) {
	host, now := hostOf(address), s.Clock.Now()
	if o.Wait > 0 {
		return tx.RestHost(ctx, host, now, min(o.Wait, maxHostPause))
	}
	return tx.RefuseHost(ctx, host, e.URLID, now)
}

// tellRests gives open entries whose host is left alone a notice that says so.
func (s *Service) tellRests(ctx context.Context, tx Tx, entries []*QueueEntry) error {
	byHost := map[string][]*QueueEntry{}
	var hosts []string
	for _, e := range entries {
		if e.Status != QueueOpen || e.Type == QueueCompare || e.Notice != "" {
			continue
		}
		host := hostOf(e.URLAddress)
		if byHost[host] == nil {
			hosts = append(hosts, host)
		}
		byHost[host] = append(byHost[host], e)
	}
	if len(hosts) == 0 {
		return nil
	}
	resting, err := tx.RestingHosts(ctx, hosts, s.Clock.Now())
	for host, until := range resting {
		for _, e := range byHost[host] {
			e.Notice = fmt.Sprintf("The site asked to be left alone for a while. The screenshot follows after %s, or earlier when the site answers again.", clockTime(until))
		}
	}
	return err
}

// clockTime is a moment as notices show it.
func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }
