package vcd

import (
	"time"
)

// Webhook is an address that receives an account's events of some kinds, of all its groups or of some. Its requests are
// signed with the account's webhook secret.
type Webhook struct {
	ID, Account    ID
	Events         []EventKind // never empty
	GroupIDs       []ID        // with WebsiteIDs: only events of these groups and of these websites' groups; both empty for all
	WebsiteIDs     []ID
	URL            string
	ExpiresAt      *time.Time // no requests from then on
	DisabledAt     *time.Time // nil while enabled
	DisabledReason string     // with DisabledAt: the reason, in one word
	LastStatus     int        // HTTP status of the last answer; 0 when there was none
	NextCallAt     *time.Time // of one that is called, see IsCall: when something is to be done next
	GoneAt         *time.Time // of one that was called for the last time; it is kept for the record of its calls
	FailingSince   *time.Time // when the current run of failed attempts began; nil when the last one succeeded
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// WebhookSubjects maps the event kinds that webhooks can receive to their subjects.
var WebhookSubjects = map[EventKind]SubjectType{
	EventBatchFinished:       SubjectBatch,
	EventBatchDecided:        SubjectBatch,
	EventComparisonStatusNew: SubjectComparison,
	EventComparisonSilenced:  SubjectComparison,
	EventQueueStatusDone:     SubjectQueueEntry,
	EventQueueStatusFailed:   SubjectQueueEntry,
	EventComparisonReviewed:  SubjectComparison,
	EventRunMissed:           SubjectGroup,
	EventChecksLow:           SubjectAccount,
}

// Event is the first of its events, for readers who know of one only.
func (w *Webhook) Event() EventKind { return w.Events[0] }

// Narrow reports whether the webhook receives events of some groups only.
func (w *Webhook) Narrow() bool { return len(w.GroupIDs)+len(w.WebsiteIDs) > 0 }

// WebhookSubject is the subject type that a delivery of an event shows; empty for events without deliveries. A ping shows the
// webhook itself.
func WebhookSubject(event EventKind) SubjectType {
	if event == EventPing || IsCall(event) {
		return SubjectWebhook
	}
	return WebhookSubjects[event]
}

// Live reports whether the webhook receives events that happen at the given time.
func (w *Webhook) Live(at time.Time) bool {
	return w.DisabledAt == nil && (w.ExpiresAt == nil || w.ExpiresAt.After(at))
}

// Disable stops requests to the webhook, for a one-word reason.
func (w *Webhook) Disable(at time.Time, reason string) {
	w.DisabledAt, w.DisabledReason = &at, reason
}

// Enable resumes requests to a disabled webhook.
func (w *Webhook) Enable() { w.DisabledAt, w.DisabledReason, w.FailingSince = nil, "", nil }

// WebhookFilter filters a list of webhooks; nil fields match everything.
type WebhookFilter struct {
	Events *[]EventKind // webhooks that receive one of them
}
