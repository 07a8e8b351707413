package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"afterimage/vcd"
)

// Limits of one call.
const (
	maxGroupsPerTake      = 1000
	maxScreenshotsPerTake = 20_000
)

// TakeInput requests screenshots of everything selected in some groups.
type TakeInput struct {
	GroupIDs      []string
	Type          vcd.QueueType   // QueuePre or QueuePost
	Source        vcd.BatchSource // SourceManual when empty
	BatchPerGroup bool            // one batch for each group instead of one for all
	URLIDs        []string        // of the selected URLs, only these; nil for all
	FlowIDs       []string        // likewise only the checkpoints of these flows; nil for all
	Tags          []string        // of the selected URLs, only those that have one of these; nil for all
	Devices       []vcd.Device    // of the selected devices, only these; nil for all
}

// Taken is what was started.
type Taken struct {
	Batches     []*vcd.Batch
	ByGroup     map[vcd.ID]vcd.ID // the batch of each participating group
	GroupIDs    []vcd.ID          // those groups, in the requested order
	Screenshots int
	// UnpairedCount is how many of these have nothing to be compared with; 0 for pre screenshots.
	UnpairedCount int
}

// TakeScreenshots starts a run: batches, an entry for each selected URL and device, and for post screenshots also the entry
// of the comparison, so that the batch never appears finished while comparisons are still to come. Disabled groups and those
// without selected URLs are left out.
func (s *Service) TakeScreenshots(ctx context.Context, actor vcd.Actor, in TakeInput) (*Taken, error) {
	ids, places, err := in.validate()
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*Taken, error) {
		if err := mayRun(ctx, tx); err != nil {
			return nil, err
		}
		groups, err := takeGroups(ctx, tx, ids, places)
		if err != nil {
			return nil, err
		}
		if err := checkKnown(ctx, tx, in.Tags); err != nil {
			return nil, err
		}
		selected, err := tx.SelectedOf(ctx, ids, in.Tags, maxScreenshotsPerTake+1)
		if err != nil {
			return nil, err
		}
		if selected, err = in.narrow(selected); err != nil {
			return nil, err
		}
		run := &run{service: s, account: actor.Account, in: in, now: s.clock.Now()}
		run.plan(groups, selected)
		if err := run.checkSize(); err != nil {
			return nil, err
		}
		return run.start(ctx, tx)
	})
}

// validate checks the input and returns the distinct groups, with the position at which each was first named.
func (in *TakeInput) validate() ([]vcd.ID, map[vcd.ID]int, error) {
	v := &vcd.Validation{}
	v.Check(len(in.GroupIDs) > 0, "groupIds", "required", "The {field} field is required.")
	v.Check(len(in.GroupIDs) <= maxGroupsPerTake, "groupIds", "max", "The {field} field must not have more than 1000 items.")
	vcd.OneOf(v, "scType", in.Type, vcd.QueuePre, vcd.QueuePost)
	if in.Source == "" {
		in.Source = vcd.SourceManual
	}
	v.Check(in.Tags == nil || len(in.Tags) > 0, "tags", "required", "The {field} field is required.")
	in.Tags = vcd.CheckTags(v, "tags", in.Tags, vcd.MaxTags)
	v.Check(in.Devices == nil || len(in.Devices) > 0, "devices", "required", "The {field} field is required.")
	vcd.OneOf(v, "source", in.Source, vcd.SourceManual, vcd.SourceMonitoring, vcd.SourceAutoUpdate)
	if err := v.Err(); err != nil {
		return nil, nil, err
	}
	var ids []vcd.ID
	places := make(map[vcd.ID]int, len(in.GroupIDs))
	for i, raw := range in.GroupIDs {
		id, ok := vcd.ParseID(raw)
		v.Check(ok, vcd.Indexed("groupIds", i), "uuid", "The {field} field must be a valid UUID.")
		if _, known := places[id]; !known {
			places[id] = i
			ids = append(ids, id)
		}
	}
	return ids, places, v.Err()
}

// takeGroups reads the groups in the requested order; an unknown one is an error at its position.
func takeGroups(ctx context.Context, tx Tx, ids []vcd.ID, places map[vcd.ID]int) ([]*vcd.Group, error) {
	list, err := tx.Groups(ctx, vcd.GroupFilter{IDs: &ids}, vcd.Page{Size: len(ids)})
	if err != nil {
		return nil, err
	}
	byID := make(map[vcd.ID]*vcd.Group, len(list.Items))
	for _, g := range list.Items {
		byID[g.ID] = g
	}
	v := &vcd.Validation{}
	groups := make([]*vcd.Group, len(ids))
	for i, id := range ids {
		groups[i] = byID[id]
		v.Check(groups[i] != nil, vcd.Indexed("groupIds", places[id]), "exists", "The selected {field} is invalid.")
	}
	return groups, v.Err()
}

// run collects what one call starts.
type run struct {
	service *Service
	account vcd.ID
	in      TakeInput
	now     time.Time
	taken   Taken
	groups  map[vcd.ID]*vcd.Group
	entries []*vcd.QueueEntry
}

// plan creates the batches and the screenshot entries.
func (r *run) plan(groups []*vcd.Group, selected []*vcd.Selection) {
	byGroup := make(map[vcd.ID][]*vcd.Selection, len(groups))
	for _, sel := range selected {
		byGroup[sel.GroupID] = append(byGroup[sel.GroupID], sel)
	}
	r.groups = make(map[vcd.ID]*vcd.Group, len(groups))
	r.taken.ByGroup = make(map[vcd.ID]vcd.ID, len(groups))
	for _, g := range groups {
		if !g.Enabled || !slices.ContainsFunc(byGroup[g.ID], func(sel *vcd.Selection) bool { return len(r.in.devices(sel)) > 0 }) {
			continue
		}
		r.groups[g.ID] = g
		batch := r.batch()
		r.taken.GroupIDs = append(r.taken.GroupIDs, g.ID)
		r.taken.ByGroup[g.ID] = batch.ID
		leaders := map[flowOnDevice]*vcd.QueueEntry{}
		for _, sel := range byGroup[g.ID] {
			for _, device := range r.in.devices(sel) {
				e := r.addEntry(batch, g, sel.URLID, device, r.in.Type, nil)
				if sel.FlowID != nil {
					follow(leaders, flowOnDevice{*sel.FlowID, device}, e)
				}
			}
		}
	}
	r.taken.Screenshots = len(r.entries)
}

// flowOnDevice is a flow that a group has.
type flowOnDevice struct {
	flow   vcd.ID
	device vcd.Device
}

// follow lets the first checkpoint of a flow lead the others.
func follow(leaders map[flowOnDevice]*vcd.QueueEntry, of flowOnDevice, e *vcd.QueueEntry) {
	if leaders[of] == nil {
		leaders[of] = e
	}
	e.LeaderID, e.Dispatched = &leaders[of].ID, leaders[of] == e
}

func (r *run) checkSize() error {
	if r.taken.Screenshots == 0 {
		return vcd.Invalid("groupIds", "empty",
			"The {field} have nothing to capture: every group is disabled or has no URL with a device enabled.")
	}
	if r.taken.Screenshots > maxScreenshotsPerTake {
		return vcd.Invalid("groupIds", "max", "The {field} have more than 20000 screenshots selected; run fewer groups at once.")
	}
	return nil
}

func (r *run) batch() *vcd.Batch {
	if len(r.taken.Batches) > 0 && !r.in.BatchPerGroup {
		return r.taken.Batches[0]
	}
	b := &vcd.Batch{
		ID: r.service.ids.NewID(), Account: r.account, Source: r.in.Source, Type: r.in.Type, CreatedAt: r.now, UpdatedAt: r.now,
	}
	r.taken.Batches = append(r.taken.Batches, b)
	return b
}

func (r *run) addEntry(b *vcd.Batch, g *vcd.Group, url vcd.ID, d vcd.Device, t vcd.QueueType, subject *vcd.ID) *vcd.QueueEntry {
	delay := 0
	if g.ScreenshotDelay != nil && t != vcd.QueueCompare {
		delay = *g.ScreenshotDelay
	}
	e := &vcd.QueueEntry{
		ID: r.service.ids.NewID(), Account: r.account, BatchID: b.ID, GroupID: g.ID, URLID: url, Device: d, Type: t,
		Status: vcd.QueueOpen, Delay: delay, SubjectID: subject, Dispatched: t != vcd.QueueCompare,
		CreatedAt: r.now, UpdatedAt: r.now,
	}
	r.entries = append(r.entries, e)
	b.Counts.Open++
	return e
}

// start reserves the checks for the planned entries and stores them.
func (r *run) start(ctx context.Context, tx Tx) (*Taken, error) {
	account, err := tx.Account(ctx)
	if err != nil {
		return nil, err
	}
	r.nameBatches(account.Zone())
	if err := r.reserve(ctx, tx); err != nil {
		return nil, err
	}
	if err := r.addComparisons(ctx, tx); err != nil {
		return nil, err
	}
	return r.store(ctx, tx)
}

func (r *run) reserve(ctx context.Context, tx Tx) error {
	ok, err := tx.ReserveChecks(ctx, r.taken.Screenshots)
	if err != nil || ok {
		return err
	}
	return &vcd.Error{Code: vcd.CodeChecksExhausted, Message: fmt.Sprintf(
		"The checks of your plan are used up: this run needs %d. Select fewer URLs or upgrade the plan.", r.taken.Screenshots)}
}

// addComparisons creates the comparison entries of post and monitoring screenshots that have something to be compared with.
func (r *run) addComparisons(ctx context.Context, tx Tx) error {
	if r.in.Type == vcd.QueuePre {
		return nil
	}
	shots := r.entries
	places := make([]vcd.Place, len(shots))
	for i, e := range shots {
		places[i] = vcd.Place{GroupID: e.GroupID, URLID: e.URLID, Device: e.Device}
	}
	paired, err := tx.WithBaseline(ctx, r.in.Type.Baseline(), r.now, places)
	if err != nil {
		return err
	}
	batches := make(map[vcd.ID]*vcd.Batch, len(r.taken.Batches))
	for _, b := range r.taken.Batches {
		batches[b.ID] = b
	}
	for i, e := range shots {
		batch := batches[e.BatchID]
		if !paired[places[i]] {
			batch.UnpairedCount++
			r.taken.UnpairedCount++
		} else {
			r.addEntry(batch, r.groups[e.GroupID], e.URLID, e.Device, vcd.QueueCompare, &e.ID)
		}
	}
	return nil
}

// store stores everything and queues the captures.
func (r *run) store(ctx context.Context, tx Tx) (*Taken, error) {
	for _, b := range r.taken.Batches {
		b.Planned = b.Counts.Total()
	}
	if err := tx.InsertBatches(ctx, r.taken.Batches); err != nil {
		return nil, err
	}
	for _, b := range r.taken.Batches {
		if err := tx.AppendEvents(ctx, vcd.NewBatchEvent(r.service.clock.Now(), vcd.EventBatchCreated, vcd.SubjectBatch, b.ID,
			b)); err != nil {
			return nil, err
		}
	}
	if err := tx.InsertQueueEntries(ctx, r.entries); err != nil {
		return nil, err
	}
	if r.in.Source != vcd.SourceMonitoring {
		if err := tx.ProbeHosts(ctx, r.now); err != nil {
			return nil, err
		}
	}
	captures := make([]vcd.ID, 0, r.taken.Screenshots)
	for _, e := range r.entries {
		if e.Dispatched {
			captures = append(captures, e.ID)
		}
	}
	return &r.taken, tx.QueueUp(ctx, r.now, captures...)
}
