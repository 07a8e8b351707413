package run

import (
	"context"
	"errors"
	"strings"
	"time"

	"afterimage/vcd"
)

// How long refused pages wait (decision 16).
const (
	// refusalPatience is how long a page is asked for again after its first refusal, and how long it waits for a host that rests.
	refusalPatience = 5 * time.Minute
	// While somebody waits for the run, a site can ask for the first pause of a page, which grows to the longest with the time that has
	// passed.
	firstPause   = 15 * time.Second
	longestPause = time.Minute
	// refusedAtOnce is how many captures one round of EndRefused ends.
	refusedAtOnce = 100
)

// Overload is a site's request for fewer requests, by status 429 or 503.
type Overload struct {
	Status int
	Wait   time.Duration // as requested by the site; 0 when not given
}

// pause is how long a page waits that a site has refused for some time. The site's wish counts, within bounds: it neither stops a run
// nor makes it a hammer.
func (o *Overload) pause(refused time.Duration, attended bool) time.Duration {
	longest := refusalPatience
	if attended {
		longest = min(max(firstPause, refused/4), longestPause)
	}
	return min(max(o.Wait, refused/10, time.Second), longest)
}

// hostOf is the host at the start of an address.
func hostOf(address string) string {
	if end := strings.IndexAny(address, "/?"); end >= 0 {
		return address[:end]
	}
	return address
}

// refused records the response of an overloaded site. It returns the rest of the host, nil when it does not rest.
func (s *Service) refused(ctx context.Context, tx Tx, e *vcd.QueueEntry, address string, o *Overload) (*vcd.HostRest, error) {
	now := s.clock.Now()
	if e.RefusedSince == nil {
		e.RefusedSince = &now
	}
	e.RefusedStatus = o.Status
	rest, err := tx.RefuseHost(ctx, vcd.HostRefusal{Host: hostOf(address), Page: e.URLID, Status: o.Status, At: now,
		First: *e.RefusedSince})
	if rest != nil { // it has waited with the others
		e.RefusedSince = new(earlier(*e.RefusedSince, later(rest.Since, e.Since())))
	}
	return rest, err
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// waitForSite makes a refused page wait. It asks for fewer requests for itself, with a pause, or together with others, when its host
// rests and at is when the next page probes it. After refusalPatience the page fails.
func (s *Service) waitForSite(ctx context.Context, tx Tx, e *vcd.QueueEntry, o *Overload, rest *vcd.HostRest) error {
	now := s.clock.Now()
	waited := now.Sub(*e.RefusedSince)
	if waited >= refusalPatience {
		who := onePage
		if rest != nil {
			who = wholeSite
		}
		return s.failRefused(ctx, tx, e, who, o.Status, *e.RefusedSince)
	}
	at := now // whose turn it is decides the rest
	if rest == nil {
		b, err := tx.LockBatch(ctx, e.BatchID)
		if err != nil {
			return err
		}
		attended := b.Source != vcd.SourceMonitoring || b.Trigger != nil
		at = now.Add(min(o.pause(waited, attended), refusalPatience-waited))
	}
	e.Notice, e.NotBefore = "", &at
	return s.retryCapture(ctx, tx, e, at)
}

// failRefused fails a page that it or its site has refused for too long.
func (s *Service) failRefused(ctx context.Context, tx Tx, e *vcd.QueueEntry, who refuser, status int, since time.Time) error {
	e.Reason, e.ErrorMsg = refusalReason(status), refusedSentence(who, status, since, s.clock.Now())
	if err := tx.RecordCrawl(ctx, vcd.Crawl{URLID: e.URLID, At: s.clock.Now()}); err != nil {
		return err
	}
	return s.endCapture(ctx, tx, e)
}

// EndRefused fails pages that have waited for a resting host for too long. It returns whether there may be more.
func (s *Service) EndRefused(ctx context.Context) (bool, error) {
	now := s.clock.Now()
	refused, err := s.store.RefusedTurns(ctx, now, refusalPatience, refusedAtOnce)
	if err != nil {
		return false, err
	}
	var errs []error // one account must not block the others
	for _, r := range refused {
		errs = append(errs, s.store.InTx(ctx, vcd.Actor{Account: r.Account}, func(ctx context.Context, tx Tx) error {
			e, err := vcd.OrGone(tx.LockQueueEntry(ctx, r.Subject))
			if err != nil || e == nil || e.Status != vcd.QueueOpen {
				return err
			}
			return s.failRefused(ctx, tx, e, wholeSite, r.Rest.Status, r.Rest.Since)
		}))
	}
	return len(refused) == refusedAtOnce, errors.Join(errs...)
}

// ForgetHosts removes hosts that have not been used since before.
func (s *Service) ForgetHosts(ctx context.Context, before time.Time) error {
	return s.store.ForgetHosts(ctx, before)
}
