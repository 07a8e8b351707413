package outbound

import (
	"context"

	"afterimage/vcd"
)

// Delivery is one of the actor's deliveries.
func (s *Service) Delivery(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Delivery, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Delivery, error) { return tx.Delivery(ctx, id) })
}

// Deliveries lists the actor's deliveries.
func (s *Service) Deliveries(ctx context.Context, actor vcd.Actor, f vcd.DeliveryFilter, p vcd.Page) (*vcd.List[*vcd.Delivery], error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.List[*vcd.Delivery], error) {
		return tx.Deliveries(ctx, f, p)
	})
}

// DeliveriesByIDs looks several deliveries up at once; unknown ids are left out.
func (s *Service) DeliveriesByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Delivery, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]*vcd.Delivery,
		error) {
		return tx.DeliveriesByIDs(ctx, ids)
	})
}

// DeliveryAttempts lists up to limit of the newest attempts of each of the actor's deliveries, oldest first.
func (s *Service) DeliveryAttempts(
	ctx context.Context, actor vcd.Actor, deliveries []vcd.ID, limit int,
) (map[vcd.ID][]*vcd.DeliveryAttempt, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID][]*vcd.DeliveryAttempt, error) {
		return tx.DeliveryAttempts(ctx, deliveries, limit)
	})
}

// PingWebhook sends a webhook a request without an event, so that its owner can test the receiver. It is sent once, even to a
// disabled webhook.
func (s *Service) PingWebhook(ctx context.Context, actor vcd.Actor, webhook vcd.ID) (*vcd.Delivery, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Delivery, error) {
		if _, err := present(tx.Webhook(ctx, webhook)); err != nil {
			return nil, err
		}
		d := s.newDelivery(actor.Account, webhook, vcd.EventPing, webhook)
		return d, s.startDeliveries(ctx, tx, nil, d)
	})
}

func (s *Service) newDelivery(account, webhook vcd.ID, event vcd.EventKind, subject vcd.ID) *vcd.Delivery {
	now := s.clock.Now()
	return &vcd.Delivery{
		ID: s.ids.NewID(), Account: account, WebhookID: webhook, Event: event, SubjectID: subject, State: vcd.DeliveryPending,
		NextAttemptAt: &now, CreatedAt: now, UpdatedAt: now,
	}
}

// startDeliveries stores new deliveries and enqueues their first attempts. The batches are those that they tell of.
func (s *Service) startDeliveries(ctx context.Context, tx Tx, batches map[vcd.ID]vcd.ID, list ...*vcd.Delivery) error {
	if len(list) == 0 {
		return nil
	}
	if err := tx.InsertDeliveries(ctx, list); err != nil {
		return err
	}
	jobs := make([]vcd.DeliverJob, len(list))
	for i, d := range list {
		jobs[i] = vcd.DeliverJob{Account: d.Account, Delivery: d.ID, Batch: batches[d.ID]}
	}
	return tx.EnqueueDeliver(ctx, jobs...)
}

// maxRedeliveries limits one bulk redelivery.
const maxRedeliveries = 1000

// Redeliver restarts a delivery that has ended, with the same id and body.
func (s *Service) Redeliver(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Delivery, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Delivery, error) {
		d, err := tx.LockDelivery(ctx, id)
		if err != nil || d.State == vcd.DeliveryPending { // it is already pending
			return d, err
		}
		return d, s.restart(ctx, tx, d)
	})
}

// RedeliverMany restarts the ended deliveries of a webhook that match the filter, oldest first, and returns how many it
// restarted and whether there are more.
func (s *Service) RedeliverMany(
	ctx context.Context, actor vcd.Actor, webhook vcd.ID, f vcd.DeliveryFilter,
) (started int, more bool, err error) {
	err = s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		if _, err := tx.Webhook(ctx, webhook); err != nil {
			return err
		}
		f.WebhookIDs = &[]vcd.ID{webhook}
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

func (s *Service) restart(ctx context.Context, tx Tx, list ...*vcd.Delivery) error {
	jobs := make([]vcd.DeliverJob, len(list))
	for i, d := range list {
		now := s.clock.Now()
		d.State, d.Tries, d.Problem, d.NextAttemptAt, d.UpdatedAt = vcd.DeliveryPending, 0, "", &now, now
		if err := tx.UpdateDelivery(ctx, d); err != nil {
			return err
		}
		jobs[i] = vcd.DeliverJob{Account: d.Account, Delivery: d.ID}
	}
	return tx.EnqueueDeliver(ctx, jobs...)
}
