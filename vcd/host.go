package vcd

import (
	"context"
	"fmt"
	"strings"
	"time"
)

const (
	// hostPause is how long a host is left alone that asked for it without saying for how long; doubled each time in a row.
	hostPause = 30 * time.Second
	// maxHostPause bounds what a host can ask for.
	maxHostPause = 10 * time.Minute
	// defaultVisit is how long a capture counts whose worker was killed, unless the service says otherwise.
	defaultVisit = 3 * time.Minute
)

// HostStore counts the captures of each host over all accounts and machines, and remembers which hosts want to be left alone. A
// host is what page addresses begin with, with the port if there is one.
type HostStore interface {
	// EnterHost notes that a capture visits the host. When it may not, because limit others do (0 for any number) or the host
	// rests, the admission says when to come again; each that is turned away is given a later time.
	EnterHost(ctx context.Context, host string, v HostVisit, limit int) (Admission, error)
	// LeaveHost notes that the entry's capture has ended, wherever it was.
	LeaveHost(ctx context.Context, entry ID) error
	// RestHost leaves the host alone for wait, or with zero for a pause that grows each time in a row, and returns until when.
	RestHost(ctx context.Context, host string, now time.Time, wait time.Duration) (time.Time, error)
	// WakeHost notes that the host served us: it asked for nothing.
	WakeHost(ctx context.Context, host string) error
}

// HostVisit is a capture under way.
type HostVisit struct {
	Entry     ID
	Now, Ends time.Time // it counts until it leaves, or until Ends when its worker was killed
}

// Admission answers who wants to visit a host.
type Admission struct {
	Again time.Time // zero for those who are let in
	Rests bool      // the host asked to be left alone
}

// HostPause is how long the next pause is after so many in a row.
func HostPause(rests int) time.Duration {
	return min(hostPause<<min(rests, 10), maxHostPause)
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

// enterHost lets an entry's capture in or tells its entry what it waits for.
func (s *Service) enterHost(ctx context.Context, tx Tx, e *QueueEntry, address string) (Admission, error) {
	now, visit := s.Clock.Now(), s.CaptureTimeout
	if visit == 0 {
		visit = defaultVisit
	}
	admission, err := tx.EnterHost(ctx, hostOf(address), HostVisit{Entry: e.ID, Now: now, Ends: now.Add(visit)}, s.HostCaptures)
	if err != nil || !admission.Rests {
		return admission, err
	}
	notice := fmt.Sprintf("The site asked to be left alone for a while. The screenshot follows after %s.", clockTime(admission.Again))
	if e.Notice == notice {
		return admission, nil
	}
	e.Notice = notice
	return admission, tx.UpdateQueueEntry(ctx, e)
}

// rest leaves the host of an overloaded site alone and returns until when.
func (s *Service) rest(ctx context.Context, tx Tx, address string, o *Overload) (time.Time, error) {
	return tx.RestHost(ctx, hostOf(address), s.Clock.Now(), min(o.Wait, maxHostPause))
}

// clockTime is a moment as notices show it.
func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }
