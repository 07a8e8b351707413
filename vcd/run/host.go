package run

import (
	"context"
	"fmt"
	"strings"
	"time"

	"afterimage/vcd"
)

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
func (s *Service) refused(ctx context.Context, tx vcd.Tx, e *vcd.QueueEntry, address string, o *Overload) (time.Time, error) {
	host, now := hostOf(address), s.clock.Now()
	if o.Wait > 0 {
		return tx.RestHost(ctx, host, now, min(o.Wait, vcd.MaxHostPause))
	}
	return tx.RefuseHost(ctx, host, e.URLID, now)
}

// tellRests gives open entries whose host is left alone a notice that says so.
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

// clockTime is a moment as notices show it.
func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// ForgetHosts forgets the hosts of which nothing was heard since a moment.
func (s *Service) ForgetHosts(ctx context.Context, before time.Time) error {
	return s.store.ForgetHosts(ctx, before)
}
