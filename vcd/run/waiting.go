package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"afterimage/vcd"
)

// refusal is what an open entry waits for: who refuses since when, and when it may be asked again.
type refusal struct {
	entry  *vcd.QueueEntry
	who    refuser
	status int
	since  time.Time
	at     time.Time
}

// tellRefusals sets the refusal and a notice on open entries that wait for their site: for a host that rests, or for the page itself.
func (s *Service) tellRefusals(ctx context.Context, tx Tx, entries []*vcd.QueueEntry) error {
	now := s.clock.Now()
	refusals, err := s.refusalsOf(ctx, tx, entries, now)
	if err != nil {
		return err
	}
	var pause *vcd.DelayPause // read where a group has a delay
	for _, r := range refusals {
		if r.entry.Delay > 0 && pause == nil {
			if pause, err = tx.DelayPause(ctx, now); err != nil {
				return err
			}
		}
		r.tell(pause, now)
	}
	return nil
}

func (s *Service) refusalsOf(ctx context.Context, tx Tx, entries []*vcd.QueueEntry, now time.Time) ([]refusal, error) {
	var waiting []*vcd.QueueEntry
	hosts := map[string]bool{}
	for _, e := range entries {
		if e.Status == vcd.QueueOpen && e.Type != vcd.QueueCompare {
			waiting = append(waiting, e)
			hosts[hostOf(e.URLAddress)] = true
		}
	}
	if len(waiting) == 0 {
		return nil, nil
	}
	resting, err := tx.RestingHosts(ctx, slices.Sorted(maps.Keys(hosts)), now)
	if err != nil {
		return nil, err
	}
	var refusals []refusal
	for _, e := range waiting {
		if rest, rests := resting[hostOf(e.URLAddress)]; rests {
			refusals = append(refusals, refusal{e, wholeSite, rest.Status, rest.Since, rest.ProbeAt})
		} else if e.RefusedSince != nil && e.NotBefore != nil && e.Notice == "" {
			refusals = append(refusals, refusal{e, onePage, e.RefusedStatus, *e.RefusedSince, *e.NotBefore})
		}
	}
	return refusals, nil
}

// tell says what the entry waits for and when the next request is made.
func (r *refusal) tell(pause *vcd.DelayPause, now time.Time) {
	next, why := "as soon as a worker is free", ""
	if r.entry.Delay > 0 && pause.Until.After(later(r.at, now)) {
		why = fmt.Sprintf(", after the delay between screenshots (%d s in this group)", r.entry.Delay)
		if r.others(pause) {
			why = " at the earliest" + why
		}
		r.at = pause.Until
	}
	r.entry.Refusal = &vcd.SiteRefusal{WholeSite: r.who == wholeSite, Status: r.status, Since: r.since}
	if left := r.at.Sub(now); left > 0 {
		r.entry.Refusal.NextAttemptAt = &r.at
		next = fmt.Sprintf("in %d s", int64((left+time.Second-1)/time.Second))
	}
	r.entry.Notice = fmt.Sprintf("The %s has answered %s since %s; next attempt %s%s.", r.who, refusalNames[r.status],
		minuteOf(r.since), next, why)
}

// others reports whether the next screenshot with a delay may be another one: of another page or, for a site, of another site.
func (r *refusal) others(pause *vcd.DelayPause) bool {
	own := 1
	if r.who == wholeSite {
		own = pause.Due[hostOf(r.entry.URLAddress)]
	}
	all := 0
	for _, n := range pause.Due {
		all += n
	}
	return all > own
}
