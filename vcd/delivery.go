package vcd

import (
	"time"
)

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
