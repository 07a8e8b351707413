package outbound

import (
	"context"
	"slices"

	"afterimage/vcd"
)

// RelayWebhooks turns new events of one account into deliveries to its webhooks, and reports whether any account had new
// events. A webhook receives no events from before its creation.
func (s *Service) RelayWebhooks(ctx context.Context) (bool, error) {
	return s.store.TakeBacklog(ctx, vcd.ConsumerWebhooks, func(ctx context.Context, account vcd.ID, tx vcd.Tx,
		position int64) (int64, error) {
		events, err := tx.EventsAfter(ctx, position, nil, eventPage)
		if err != nil || len(events) == 0 {
			return position, err
		}
		last := events[len(events)-1].Number
		list, err := s.deliveriesOf(ctx, tx, account, events)
		if err != nil {
			return position, err
		}
		return last, s.startDeliveries(ctx, tx, list...)
	})
}

func (s *Service) deliveriesOf(ctx context.Context, tx vcd.Tx, account vcd.ID, events []*vcd.Event) ([]*vcd.Delivery, error) {
	events = slices.DeleteFunc(events, func(e *vcd.Event) bool { return vcd.WebhookSubjects[e.Kind] == "" })
	if len(events) == 0 {
		return nil, nil
	}
	hooks, err := tx.Webhooks(ctx, vcd.WebhookFilter{}, vcd.Page{Size: maxWebhooks})
	if err != nil || len(hooks.Items) == 0 {
		return nil, err
	}
	events, err = withoutCompareEntries(ctx, tx, events)
	if err != nil {
		return nil, err
	}
	var list []*vcd.Delivery
	for _, e := range events {
		for _, h := range hooks.Items {
			if h.Event == e.Kind && h.Live(e.CreatedAt) && !e.CreatedAt.Before(h.CreatedAt) {
				d := s.newDelivery(account, h.ID, e.Kind, e.SubjectID)
				d.Number = &e.Number
				list = append(list, d)
			}
		}
	}
	return list, nil
}

// withoutCompareEntries removes the ends of comparison entries: webhooks are told only about individual screenshots.
func withoutCompareEntries(ctx context.Context, tx vcd.Tx, events []*vcd.Event) ([]*vcd.Event, error) {
	var ids []vcd.ID
	for _, e := range events {
		if e.SubjectType == vcd.SubjectQueueEntry {
			ids = append(ids, e.SubjectID)
		}
	}
	if len(ids) == 0 {
		return events, nil
	}
	entries, err := tx.QueueEntriesByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	compares := make(map[vcd.ID]bool)
	for _, e := range entries {
		compares[e.ID] = e.Type == vcd.QueueCompare
	}
	return slices.DeleteFunc(events, func(e *vcd.Event) bool { return compares[e.SubjectID] }), nil
}
