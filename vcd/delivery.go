package vcd

import (
	"context"
	"time"
)

// DeliveryState says how far a delivery has come.
type DeliveryState string

// The delivery states.
const (
	DeliveryPending   DeliveryState = "pending"   // to be tried, perhaps again
	DeliveryDelivered DeliveryState = "delivered" // the receiver answered 2xx
	DeliveryFailed    DeliveryState = "failed"    // given up; it can be started again
)

// EventPing is what a delivery to try out a webhook is of. It stands for no event of the account.
const EventPing EventKind = "ping"

// Delivery is one event on its way to one webhook. All its attempts carry its id, by which receivers know a repetition.
type Delivery struct {
	ID, Account   ID
	WebhookID     ID
	Event         EventKind
	Number        *int64 // of the event; nil for a ping
	SubjectID     ID     // what the event is about; the webhook itself for a ping
	State         DeliveryState
	Problem       string // what was wrong with the last attempt, or why there was none; "" when delivered
	Attempts      int    // made so far
	Tries         int    // of them, those since it was last started
	NextAttemptAt *time.Time
	Body          []byte // what is sent; nil before the first attempt
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// DeliveryAttempt is one request of a delivery and what came of it.
type DeliveryAttempt struct {
	DeliveryID   ID
	Number       int // from 1
	At           time.Time
	Milliseconds int
	Status       int    // of the answer; 0 when there was none
	Answer       []byte // its beginning
	Problem      string // "" when delivered
}

// DeliveryFilter narrows a list of deliveries; nil fields do not narrow.
type DeliveryFilter struct {
	WebhookIDs *[]ID
	States     *[]DeliveryState
	Events     *[]EventKind
	From, To   *time.Time // created at or after From, before To
}

// DeliveryStore keeps deliveries and their attempts.
type DeliveryStore interface {
	Delivery(ctx context.Context, id ID) (*Delivery, error)
	LockDelivery(ctx context.Context, id ID) (*Delivery, error)
	// LockDeliveries locks the oldest of those that have ended, at most limit.
	LockDeliveries(ctx context.Context, f DeliveryFilter, limit int) ([]*Delivery, error)
	Deliveries(ctx context.Context, f DeliveryFilter, p Page) (*List[*Delivery], error)
	DeliveriesByIDs(ctx context.Context, ids []ID) ([]*Delivery, error)
	InsertDeliveries(ctx context.Context, list []*Delivery) error
	UpdateDelivery(ctx context.Context, d *Delivery) error // all but the body
	// KeepDeliveryBody stores the body unless there is one, and returns the one that is kept.
	KeepDeliveryBody(ctx context.Context, id ID, body []byte) ([]byte, error)
	InsertDeliveryAttempt(ctx context.Context, a *DeliveryAttempt) error
	// DeliveryAttempts lists the newest attempts at each delivery, at most limit, oldest first.
	DeliveryAttempts(ctx context.Context, deliveries []ID, limit int) (map[ID][]*DeliveryAttempt, error)
}
