package run

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"afterimage/vcd"
)

// Reasons of refused pages, those of the capture engine.
const (
	reasonRateLimited = "rate_limited"
	reasonHTTPStatus  = "http_status"
)

func refusalReason(status int) string {
	if status == http.StatusTooManyRequests {
		return reasonRateLimited
	}
	return reasonHTTPStatus
}

// refusalNames say what a site means by a status.
var refusalNames = map[int]string{
	http.StatusTooManyRequests:    "429 (too many requests)",
	http.StatusServiceUnavailable: "503 (maintenance)",
}

// refusedSentence says why a page was given up.
func refusedSentence(status int, since, now time.Time) string {
	remedy := "Start the run again once the site is back."
	if status == http.StatusTooManyRequests {
		remedy = "Capture fewer of its pages at once, or exempt our visits."
	}
	return fmt.Sprintf("The site answered %s from %s to %s, so the page was given up. %s", refusalNames[status], minuteOf(since),
		minuteOf(now), remedy)
}

// tellRefusals sets a notice on open entries that wait for their site: for a host that rests, or for the page itself.
func (s *Service) tellRefusals(ctx context.Context, tx vcd.Tx, entries []*vcd.QueueEntry) error {
	byHost := map[string][]*vcd.QueueEntry{}
	var hosts []string
	now := s.clock.Now()
	for _, e := range entries {
		if e.Status != vcd.QueueOpen || e.Type == vcd.QueueCompare {
			continue
		}
		if e.RefusedSince != nil && e.NotBefore != nil && e.Notice == "" {
			e.Notice = refusalNotice("page", e.RefusedStatus, *e.RefusedSince, e.NotBefore.Sub(now))
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
	resting, err := tx.RestingHosts(ctx, hosts, now)
	for host, rest := range resting {
		for _, e := range byHost[host] {
			e.Notice = refusalNotice("site", rest.Status, rest.Since, rest.ProbeAt.Sub(now))
		}
	}
	return err
}

// refusalNotice says what a waiting entry waits for and when the next request is made.
func refusalNotice(who string, status int, since time.Time, left time.Duration) string {
	next := "as soon as a worker is free"
	if left > 0 {
		next = fmt.Sprintf("in %d s", int64((left+time.Second-1)/time.Second))
	}
	return fmt.Sprintf("The %s answers %s since %s; next try %s.", who, refusalNames[status], minuteOf(since), next)
}

// minuteOf formats a time for sentences about minutes.
func minuteOf(t time.Time) string { return t.UTC().Format("15:04 UTC") }

// clockTime formats a time for notices.
func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }
