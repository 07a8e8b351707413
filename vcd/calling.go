package vcd

import (
	"time"
)

// The kinds of webhooks that wake a CMS which works only while somebody visits it. Nothing happens that they tell of but that time
// passes: they are called by GET, unsigned and without a body.
const (
	EventSingleCall EventKind = "wordpress_single_call" // once, when the webhook expires
	EventCron       EventKind = "wordpress_cron"        // each minute until then
)

// CronInterval is the time between two calls of EventCron.
const CronInterval = time.Minute

// IsCall reports whether webhooks of a kind are called rather than told of events.
func IsCall(kind EventKind) bool { return kind == EventSingleCall || kind == EventCron }

// FirstCall is when a webhook is called for the first time; nil if it is told of events.
func (w *Webhook) FirstCall(now time.Time) *time.Time {
	switch w.Event() {
	case EventSingleCall:
		return w.ExpiresAt
	case EventCron:
		return &now
	}
	return nil
}

// Called returns what has to be done at a time at which the webhook is due, and plans the next call: a call, and whether it was the
// last thing. A webhook that is due late is called once, not for each time that was missed.
func (w *Webhook) Called(now time.Time) (call, last bool) {
	expired := w.ExpiresAt == nil || !now.Before(*w.ExpiresAt)
	if w.Event() == EventSingleCall || expired {
		w.NextCallAt = nil
		return w.Event() == EventSingleCall, true
	}
	next := now.Add(CronInterval)
	if next.After(*w.ExpiresAt) {
		next = *w.ExpiresAt
	}
	w.NextCallAt = &next
	return true, false
}

// DueCall is a webhook that is due to be called, or to be removed.
type DueCall struct{ Account, Webhook ID }
