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

// Delivery is one of the actor's deliveries.
func (s *Service) Delivery(ctx context.Context, actor Actor, id ID) (*Delivery, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*Delivery, error) { return tx.Delivery(ctx, id) })
}

// Deliveries lists the actor's deliveries.
func (s *Service) Deliveries(ctx context.Context, actor Actor, f DeliveryFilter, p Page) (*List[*Delivery], error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*List[*Delivery], error) { return tx.Deliveries(ctx, f, p) })
}

// DeliveriesByIDs looks several deliveries up at once; unknown ids are left out.
func (s *Service) DeliveriesByIDs(ctx context.Context, actor Actor, ids []ID) ([]*Delivery, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) ([]*Delivery, error) { return tx.DeliveriesByIDs(ctx, ids) })
}

// DeliveryAttempts lists the newest attempts at each of the actor's deliveries, at most limit, oldest first.
func (s *Service) DeliveryAttempts(ctx context.Context, actor Actor, deliveries []ID, limit int) (map[ID][]*DeliveryAttempt, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (map[ID][]*DeliveryAttempt, error) {
		return tx.DeliveryAttempts(ctx, deliveries, limit)
	})
}

// PingWebhook sends a webhook a request of no event, so that its owner sees whether the receiver works. It is sent once,
// to a disabled webhook too.
func (s *Service) PingWebhook(ctx context.Context, actor Actor, webhook ID) (*Delivery, error) {
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Delivery, error) {
		if _, err := tx.Webhook(ctx, webhook); err != nil {
			return nil, err
		}
		d := s.newDelivery(actor.Account, webhook, EventPing, webhook)
		return d, s.startDeliveries(ctx, tx, d)
	})
}

func (s *Service) newDelivery(account, webhook ID, event EventKind, subject ID) *Delivery {
	now := s.Clock.Now()
	return &Delivery{
		ID: s.IDs.NewID(), Account: account, WebhookID: webhook, Event: event, SubjectID: subject, State: DeliveryPending,
		NextAttemptAt: &now, CreatedAt: now, UpdatedAt: now,
	}
}

// startDeliveries stores new deliveries and asks for their first attempts.
func (s *Service) startDeliveries(ctx context.Context, tx Tx, list ...*Delivery) error {
	if len(list) == 0 {
		return nil
	}
	if err := tx.InsertDeliveries(ctx, list); err != nil {
		return err
	}
	jobs := make([]DeliverJob, len(list))
	for i, d := range list {
		jobs[i] = DeliverJob{Account: d.Account, Delivery: d.ID}
	}
	return tx.EnqueueDeliver(ctx, jobs...)
}

// maxRedeliveries bounds one call that starts many deliveries again.
const maxRedeliveries = 1000

// Redeliver starts a delivery that has ended again, with the same id and body.
func (s *Service) Redeliver(ctx context.Context, actor Actor, id ID) (*Delivery, error) {
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Delivery, error) {
		d, err := tx.LockDelivery(ctx, id)
		if err != nil || d.State == DeliveryPending { // it is on its way already
			return d, err
		}
		return d, s.restart(ctx, tx, d)
	})
}

// RedeliverMany starts again the deliveries of a webhook that match the filter and have ended, oldest first, and returns
// how many there were and whether there are more.
func (s *Service) RedeliverMany(ctx context.Context, actor Actor, webhook ID, f DeliveryFilter) (started int, more bool, err error) {
	err = s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		if _, err := tx.Webhook(ctx, webhook); err != nil {
			return err
		}
		f.WebhookIDs = &[]ID{webhook}
		list, err := tx.LockDeliveries(ctx, f, maxRedeliveries+1)
		if err != nil {
			return err
		}
		more = len(list) > maxRedeliveries
		list = list[:min(len(list), maxRedeliveries)]
		started = len(list)
		return s.restart(ctx, tx, list...)
	})
	return started, more, err
}

func (s *Service) restart(ctx context.Context, tx Tx, list ...*Delivery) error {
	jobs := make([]DeliverJob, len(list))
	for i, d := range list {
		now := s.Clock.Now()
		d.State, d.Tries, d.Problem, d.NextAttemptAt, d.UpdatedAt = DeliveryPending, 0, "", &now, now
		if err := tx.UpdateDelivery(ctx, d); err != nil {
			return err
		}
		jobs[i] = DeliverJob{Account: d.Account, Delivery: d.ID}
	}
	return tx.EnqueueDeliver(ctx, jobs...)
}
