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
	NextCallAt     *time.Time // for one that is called, see IsCall: when the next action is due
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
	EventFlowFailed:          SubjectFlowRun,
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

// The kinds of webhooks that wake a CMS which works only while somebody visits it. Nothing happens that they tell of but that time
// passes: they are called by GET, unsigned and without a body.
const (
	EventSingleCall EventKind = "wordpress_single_call" // once, when the webhook expires
	EventCron       EventKind = "wordpress_cron"        // each minute until then
)

// CronInterval is the time between two calls of EventCron.
const CronInterval = time.Minute

// IsCall reports whether webhooks of a kind are called at a time, rather than notified of events.
func IsCall(kind EventKind) bool { return kind == EventSingleCall || kind == EventCron }

// FirstCall is when a webhook is called for the first time; nil if it is notified of events.
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

// DeliveryState says how far a delivery has come.
type DeliveryState string

// The delivery states.
const (
	DeliveryPending   DeliveryState = "pending"   // waiting for its first or another attempt
	DeliveryDelivered DeliveryState = "delivered" // the receiver answered 2xx
	DeliveryFailed    DeliveryState = "failed"    // given up; it can be restarted
)

// EventPing is the kind of a delivery that tests a webhook. No event of the account corresponds to it.
const EventPing EventKind = "ping"

// EventComparisonReviewed is the kind of a delivery for EventComparisonStatusChanged after a review. Verification changes
// states, too, of which EventComparisonSilenced tells.
const EventComparisonReviewed EventKind = "comparison_reviewed"

// EventBatchDecided is the kind of a delivery for EventBatchFinished of a run after an update, which shows what to do with the update.
const EventBatchDecided EventKind = "batch_decided"

// Delivery is one event being delivered to one webhook. All its attempts carry its id, so that receivers can detect repeats.
type Delivery struct {
	ID, Account   ID
	WebhookID     ID
	Event         EventKind
	Number        *int64 // of the event; nil for a ping
	SubjectID     ID     // what the event is about; the webhook itself for a ping
	State         DeliveryState
	Problem       string // what was wrong with the last attempt, or why there was none; "" when delivered
	Attempts      int    // made so far
	Tries         int    // attempts since it was last started
	NextAttemptAt *time.Time
	Body          []byte // what is sent; nil before the first attempt
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// DeliveryAttempt is one request of a delivery and its outcome.
type DeliveryAttempt struct {
	DeliveryID   ID
	Number       int // from 1
	At           time.Time
	Milliseconds int
	Status       int    // of the answer; 0 when there was none
	Answer       []byte // its beginning
	Problem      string // "" when delivered
}

// DeliveryFilter filters a list of deliveries; nil fields match everything.
type DeliveryFilter struct {
	WebhookIDs *[]ID
	States     *[]DeliveryState
	Events     *[]EventKind
	From, To   *time.Time // created at or after From, before To
}
