package run

import (
	"context"
	"fmt"
	"strings"
	"time"

	"afterimage/vcd"
)

// Overload is a site's request for fewer requests, by status 429 or 503.
type Overload struct {
	Status int
	Wait   time.Duration // as requested by the site; 0 when not given
}

// hostOf is the host at the start of an address.
func hostOf(address string) string {
	if end := strings.IndexAny(address, "/?"); end >= 0 {
		return address[:end]
	}
	return address
}

// refused records the response of an overloaded site and returns until when the site rests; zero when it does not.
func (s *Service) refused(ctx context.Context, tx vcd.Tx, e *vcd.QueueEntry, address string, o *Overload) (time.Time, error) {
	host, now := hostOf(address), s.clock.Now()
	if o.Wait > 0 {
		return tx.RestHost(ctx, host, now, min(o.Wait, vcd.MaxHostPause))
	}
	return tx.RefuseHost(ctx, host, e.URLID, now)
}

// tellRests sets a notice on open entries whose host is resting.
func (s *Service) tellRests(ctx context.Context, tx vcd.Tx, entries []*vcd.QueueEntry) error {
	byHost := map[string][]*vcd.QueueEntry{}
	var hosts []string
	for _, e := range entries {
		if e.Status != vcd.QueueOpen || e.Type == vcd.QueueCompare || e.Notice != "" {
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
	resting, err := tx.RestingHosts(ctx, hosts, s.clock.Now())
	for host, until := range resting {
		for _, e := range byHost[host] {
			e.Notice = fmt.Sprintf("The site is rate limiting or overloaded. The screenshot follows after %s, or earlier if the site "+
				"recovers.", clockTime(until))
		}
	}
	return err
}

// clockTime formats a time for notices.
func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// ForgetHosts removes hosts that have not been heard of since before.
func (s *Service) ForgetHosts(ctx context.Context, before time.Time) error {
	return s.store.ForgetHosts(ctx, before)
}
