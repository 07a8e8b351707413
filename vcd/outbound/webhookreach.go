package outbound

import (
	"context"
	"fmt"
	"slices"

	"afterimage/vcd"
)

// maxWebhookReach limits the groups of a webhook, and its websites.
const maxWebhookReach = 100

// validateEvents checks the events of a webhook.
func (in WebhookChange) validateEvents(v *vcd.Validation, creating bool) {
	switch first := in.Event.Value; {
	case first != nil && !known(*first):
		v.Add("event", "in", "The selected {field} is invalid.")
	case first != nil && in.Events.Value != nil && !slices.Contains(*in.Events.Value, *first):
		v.Add("events", "contains", "The {field} field must contain the event.")
	case first == nil && in.Event.Set, first == nil && creating && !in.Events.Set:
		v.Add("event", "required", "The {field} field is required.")
	}
	switch {
	case !in.Events.Set:
	case in.Events.Value == nil || len(*in.Events.Value) == 0:
		v.Add("events", "required", "The {field} field is required.")
	case len(*in.Events.Value) > len(vcd.WebhookSubjects):
		v.Add("events", "max", fmt.Sprintf("The {field} field must not have more than %d items.", len(vcd.WebhookSubjects)))
	default:
		for i, event := range *in.Events.Value {
			path := vcd.Indexed("events", i)
			v.Check(known(event), path, "in", "The selected {field} is invalid.")
			v.Check(!slices.Contains((*in.Events.Value)[:i], event), path, "distinct", "The {field} field has a duplicate value.")
		}
	}
}

// known reports whether webhooks can have an event.
func known(event vcd.EventKind) bool { return vcd.WebhookSubjects[event] != "" || vcd.IsCall(event) }

// applyEvents sets the events, the one that was named alone first.
func (in WebhookChange) applyEvents(w *vcd.Webhook) {
	first := in.Event.Value
	switch {
	case in.Events.Value != nil:
		w.Events = slices.Clone(*in.Events.Value)
		if first != nil {
			w.Events = slices.DeleteFunc(w.Events, func(e vcd.EventKind) bool { return e == *first })
			w.Events = slices.Insert(w.Events, 0, *first)
		}
	case first != nil && (len(w.Events) == 0 || w.Event() != *first):
		w.Events = []vcd.EventKind{*first}
	}
}

func (in WebhookChange) validateReach(v *vcd.Validation) {
	limit := func(path string, list vcd.Optional[[]vcd.ID]) {
		if list.Value != nil {
			v.Check(len(*list.Value) <= maxWebhookReach, path, "max",
				fmt.Sprintf("The {field} field must not have more than %d items.", maxWebhookReach))
		}
	}
	limit("groupIds", in.GroupIDs)
	limit("websiteIds", in.WebsiteIDs)
}

// checkReach refuses groups and websites that the account does not have.
func (in WebhookChange) checkReach(ctx context.Context, tx reachStore) error {
	v := &vcd.Validation{}
	if err := checkKnownGroups(ctx, tx, v, in.GroupIDs.Value); err != nil {
		return err
	}
	if err := checkKnownWebsites(ctx, tx, v, in.WebsiteIDs.Value); err != nil {
		return err
	}
	return v.Err()
}

func checkKnownGroups(ctx context.Context, tx reachStore, v *vcd.Validation, wanted *[]vcd.ID) error {
	if wanted == nil || len(*wanted) == 0 {
		return nil
	}
	known := identified(*wanted)
	found, err := tx.Groups(ctx, vcd.GroupFilter{IDs: &known}, vcd.Page{Size: maxWebhookReach})
	if err != nil {
		return err
	}
	checkKnown(v, "groupIds", *wanted, found.Items, func(g *vcd.Group) vcd.ID { return g.ID })
	return nil
}

func checkKnownWebsites(ctx context.Context, tx reachStore, v *vcd.Validation, wanted *[]vcd.ID) error {
	if wanted == nil || len(*wanted) == 0 {
		return nil
	}
	found, err := tx.WebsitesByIDs(ctx, identified(*wanted))
	if err != nil {
		return err
	}
	checkKnown(v, "websiteIds", *wanted, found, func(w *vcd.Website) vcd.ID { return w.ID })
	return nil
}

// identified leaves out what is no id.
func identified(ids []vcd.ID) []vcd.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id vcd.ID) bool { return id == "" })
}

func checkKnown[T any](v *vcd.Validation, path string, wanted []vcd.ID, found []T, idOf func(T) vcd.ID) {
	known := make(map[vcd.ID]bool, len(found))
	for _, f := range found {
		known[idOf(f)] = true
	}
	for i, id := range wanted {
		v.Check(known[id], vcd.Indexed(path, i), "exists", "The selected {field} is invalid.")
	}
}

// reach tells which events of an account its narrow webhooks receive.
type reach struct {
	hooks  map[vcd.ID]map[vcd.ID]bool // the groups of each narrow webhook
	groups map[vcd.ID][]vcd.ID        // of the events' subjects
}

// reachOf reads what is needed to decide on these events; nothing when no webhook is narrow.
func reachOf(ctx context.Context, tx reachStore, hooks []*vcd.Webhook, events []*vcd.Event) (reach, error) {
	narrow := slices.DeleteFunc(slices.Clone(hooks), func(h *vcd.Webhook) bool { return !h.Narrow() })
	r := reach{hooks: make(map[vcd.ID]map[vcd.ID]bool, len(narrow))}
	if len(narrow) == 0 {
		return r, nil
	}
	err := r.readHooks(ctx, tx, narrow)
	if err != nil {
		return r, err
	}
	r.groups, err = groupsOf(ctx, tx, events)
	return r, err
}

func (r reach) readHooks(ctx context.Context, tx reachStore, narrow []*vcd.Webhook) error {
	var ids []vcd.ID
	for _, h := range narrow {
		ids = append(ids, h.WebsiteIDs...)
	}
	slices.Sort(ids)
	websites, err := tx.WebsitesByIDs(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	for _, h := range narrow {
		r.hooks[h.ID] = make(map[vcd.ID]bool)
		for _, id := range h.GroupIDs {
			r.hooks[h.ID][id] = true
		}
		for _, w := range websites {
			if !slices.Contains(h.WebsiteIDs, w.ID) {
				continue
			}
			for _, id := range w.GroupIDs() {
				r.hooks[h.ID][id] = true
			}
		}
	}
	return nil
}

// groupsOf finds the groups of the subjects of events: of groups, batches, comparisons, queue entries and runs of flows.
func groupsOf(ctx context.Context, tx reachStore, events []*vcd.Event) (map[vcd.ID][]vcd.ID, error) {
	of := make(map[vcd.SubjectType][]vcd.ID)
	for _, e := range events {
		of[e.SubjectType] = append(of[e.SubjectType], e.SubjectID)
	}
	groups := make(map[vcd.ID][]vcd.ID, len(events))
	for _, id := range of[vcd.SubjectGroup] {
		groups[id] = []vcd.ID{id}
	}
	batches, err := tx.BatchesByIDs(ctx, of[vcd.SubjectBatch])
	if err != nil {
		return nil, err
	}
	for _, b := range batches {
		groups[b.ID] = b.GroupIDs
	}
	comparisons, err := tx.ComparisonsByIDs(ctx, of[vcd.SubjectComparison])
	if err != nil {
		return nil, err
	}
	for _, c := range comparisons {
		groups[c.ID] = []vcd.ID{c.GroupID}
	}
	entries, err := tx.QueueEntriesByIDs(ctx, of[vcd.SubjectQueueEntry])
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		groups[e.ID] = []vcd.ID{e.GroupID}
	}
	runs, err := tx.FlowRunsByIDs(ctx, of[vcd.SubjectFlowRun])
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		groups[r.ID] = []vcd.ID{r.GroupID}
	}
	return groups, nil
}

// covers reports whether a webhook receives an event. One of the account as a whole reaches every webhook.
func (r reach) covers(h *vcd.Webhook, e *vcd.Event) bool {
	if !h.Narrow() || e.SubjectType == vcd.SubjectAccount {
		return true
	}
	return slices.ContainsFunc(r.groups[e.SubjectID], func(group vcd.ID) bool { return r.hooks[h.ID][group] })
}
