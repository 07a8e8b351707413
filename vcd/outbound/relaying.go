package outbound

import (
	"context"
	"slices"

	"afterimage/vcd"
)

// RelayWebhooks turns new events of one account into deliveries to its webhooks, and reports whether any account had new
// events. A webhook receives no events from before its creation.
func (s *Service) RelayWebhooks(ctx context.Context) (bool, error) {
	if err := s.store.PassBacklog(ctx, vcd.ConsumerWebhooks, nil); err != nil {
		return false, err
	}
	return s.store.TakeBacklog(ctx, vcd.ConsumerWebhooks, func(ctx context.Context, account vcd.ID, tx Tx,
		position int64) (int64, error) {
		events, err := tx.EventsAfter(ctx, position, nil, eventPage)
		if err != nil || len(events) == 0 {
			return position, err
		}
		last := events[len(events)-1].Number
		list, batches, err := s.deliveriesOf(ctx, tx, account, events)
		if err != nil {
			return position, err
		}
		return last, s.startDeliveries(ctx, tx, batches, list...)
	})
}

// deliveriesOf also returns the batches that deliveries tell of.
func (s *Service) deliveriesOf(
	ctx context.Context, tx Tx, account vcd.ID, events []*vcd.Event,
) (list []*vcd.Delivery, batches map[vcd.ID]vcd.ID, err error) {
	events, err = webhookEvents(ctx, tx, events)
	if err != nil || len(events) == 0 {
		return nil, nil, err
	}
	hooks, err := tx.Webhooks(ctx, vcd.WebhookFilter{}, vcd.Page{Size: maxWebhooks})
	if err != nil || len(hooks.Items) == 0 {
		return nil, nil, err
	}
	events, err = withoutCompareEntries(ctx, tx, events)
	if err != nil {
		return nil, nil, err
	}
	events, err = withDecisions(ctx, tx, hooks.Items, events)
	if err != nil {
		return nil, nil, err
	}
	within, err := reachOf(ctx, tx, hooks.Items, events)
	if err != nil {
		return nil, nil, err
	}
	batches = make(map[vcd.ID]vcd.ID)
	for _, e := range events {
		for _, h := range hooks.Items {
			if slices.Contains(h.Events, e.Kind) && h.Live(e.CreatedAt) && !e.CreatedAt.Before(h.CreatedAt) && within.covers(h, e) {
				d := s.newDelivery(account, h.ID, e.Kind, e.SubjectID)
				d.Number = &e.Number
				if e.BatchID != nil {
					batches[d.ID] = *e.BatchID
				}
				list = append(list, d)
			}
		}
	}
	return list, batches, nil
}

// webhookEvents are those of the events that webhooks can receive, under the names that webhooks know.
func webhookEvents(ctx context.Context, tx eventReader, events []*vcd.Event) ([]*vcd.Event, error) {
	var list []*vcd.Event
	for i, e := range events {
		if e.Kind == vcd.EventComparisonStatusChanged {
			silenced, err := isSilencing(ctx, tx, e, events[i+1:])
			if err != nil {
				return nil, err
			}
			if silenced {
				continue
			}
			reviewed := *e
			reviewed.Kind = vcd.EventComparisonReviewed
			e = &reviewed
		}
		if vcd.WebhookSubjects[e.Kind] != "" {
			list = append(list, e)
		}
	}
	return list, nil
}

// withDecisions adds a decision to each end of a run after an update, if a webhook is to hear of it.
func withDecisions(ctx context.Context, tx reachStore, hooks []*vcd.Webhook, events []*vcd.Event) ([]*vcd.Event, error) {
	if !slices.ContainsFunc(hooks, func(h *vcd.Webhook) bool { return slices.Contains(h.Events, vcd.EventBatchDecided) }) {
		return events, nil
	}
	var ids []vcd.ID
	for _, e := range events {
		if e.Kind == vcd.EventBatchFinished {
			ids = append(ids, e.SubjectID)
		}
	}
	if len(ids) == 0 {
		return events, nil
	}
	batches, err := tx.BatchesByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	after := make(map[vcd.ID]bool, len(batches))
	for _, b := range batches {
		after[b.ID] = b.Type == vcd.QueuePost
	}
	var list []*vcd.Event
	for _, e := range events {
		if list = append(list, e); e.Kind == vcd.EventBatchFinished && after[e.SubjectID] {
			decided := *e
			decided.Kind = vcd.EventBatchDecided
			list = append(list, &decided)
		}
	}
	return list, nil
}

// isSilencing reports whether verification changed the state of a comparison: comparison_silenced is then the next event, of the
// same transaction and so visible as soon as this one, though a page of events may end between them.
func isSilencing(ctx context.Context, tx eventReader, e *vcd.Event, following []*vcd.Event) (bool, error) {
	if len(following) == 0 {
		var err error
		if following, err = tx.EventsAfter(ctx, e.Number, nil, 1); err != nil {
			return false, err
		}
	}
	return len(following) > 0 && following[0].Kind == vcd.EventComparisonSilenced && following[0].SubjectID == e.SubjectID, nil
}

// withoutCompareEntries removes the ends of comparison entries: webhooks are told only about individual screenshots.
func withoutCompareEntries(ctx context.Context, tx reachStore, events []*vcd.Event) ([]*vcd.Event, error) {
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
