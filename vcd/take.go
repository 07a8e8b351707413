package vcd

import (
	"context"
	"fmt"
	"time"
)

// Limits of one call.
const (
	maxGroupsPerTake      = 1000
	maxScreenshotsPerTake = 20_000
)

// TakeInput asks for screenshots of everything that is selected in some groups.
type TakeInput struct {
	GroupIDs      []string
	Type          QueueType   // QueuePre or QueuePost
	Source        BatchSource // SourceManual when empty
	BatchPerGroup bool        // one batch for each group rather than one for all
}

// Taken is what was started.
type Taken struct {
	Batches     []*Batch
	ByGroup     map[ID]ID // the batch of each group that takes part
	GroupIDs    []ID      // those groups, in the order asked for
	Screenshots int
}

// TakeScreenshots starts a run: batches, an entry for each selected URL and device, and for post screenshots also the
// entry of the comparison, so that the batch never looks finished while comparisons are still to come. Groups that are
// disabled or have nothing selected are left out.
func (s *Service) TakeScreenshots(ctx context.Context, actor Actor, in TakeInput) (*Taken, error) {
	ids, places, err := in.validate()
	if err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Taken, error) {
		if err := mayRun(ctx, tx); err != nil {
			return nil, err
		}
		groups, err := takeGroups(ctx, tx, ids, places)
		if err != nil {
			return nil, err
		}
		selected, err := tx.SelectedOf(ctx, ids, maxScreenshotsPerTake+1)
		if err != nil {
			return nil, err
		}
		run := &run{service: s, account: actor.Account, in: in, now: s.Clock.Now()}
		run.plan(groups, selected)
		if err := run.checkSize(); err != nil {
			return nil, err
		}
		return run.start(ctx, tx)
	})
}

// validate checks the input and returns the groups, each once, with the place at which it was named first.
func (in *TakeInput) validate() ([]ID, map[ID]int, error) {
	v := &validation{}
	v.check(len(in.GroupIDs) > 0, "groupIds", "required", "The {field} field is required.")
	v.check(len(in.GroupIDs) <= maxGroupsPerTake, "groupIds", "max", "The {field} field must not have more than 1000 items.")
	oneOf(v, "scType", in.Type, QueuePre, QueuePost)
	if in.Source == "" {
		in.Source = SourceManual
	}
	oneOf(v, "source", in.Source, SourceManual, SourceMonitoring, SourceAutoUpdate)
	if err := v.err(); err != nil {
		return nil, nil, err
	}
	var ids []ID
	places := make(map[ID]int, len(in.GroupIDs))
	for i, raw := range in.GroupIDs {
		id, ok := ParseID(raw)
		v.check(ok, indexed("groupIds", i), "uuid", "The {field} field must be a valid UUID.")
		if _, known := places[id]; !known {
			places[id] = i
			ids = append(ids, id)
		}
	}
	return ids, places, v.err()
}

// takeGroups reads the groups in the order asked for; an unknown one is an error of its place.
func takeGroups(ctx context.Context, tx Tx, ids []ID, places map[ID]int) ([]*Group, error) {
	list, err := tx.Groups(ctx, GroupFilter{IDs: &ids}, Page{Size: len(ids)})
	if err != nil {
		return nil, err
	}
	byID := make(map[ID]*Group, len(list.Items))
	for _, g := range list.Items {
		byID[g.ID] = g
	}
	v := &validation{}
	groups := make([]*Group, len(ids))
	for i, id := range ids {
		groups[i] = byID[id]
		v.check(groups[i] != nil, indexed("groupIds", places[id]), "exists", "The selected {field} is invalid.")
	}
	return groups, v.err()
}

// run gathers what one call starts.
type run struct {
	service *Service
	account ID
	in      TakeInput
	now     time.Time
	taken   Taken
	groups  map[ID]*Group
	entries []*QueueEntry
}

// plan makes the batches and the screenshot entries.
func (r *run) plan(groups []*Group, selected []*Selection) {
	byGroup := make(map[ID][]*Selection, len(groups))
	for _, sel := range selected {
		byGroup[sel.GroupID] = append(byGroup[sel.GroupID], sel)
	}
	r.groups = make(map[ID]*Group, len(groups))
	r.taken.ByGroup = make(map[ID]ID, len(groups))
	for _, g := range groups {
		if !g.Enabled || len(byGroup[g.ID]) == 0 {
			continue
		}
		r.groups[g.ID] = g
		batch := r.batchFor(g)
		r.taken.GroupIDs = append(r.taken.GroupIDs, g.ID)
		r.taken.ByGroup[g.ID] = batch.ID
		for _, sel := range byGroup[g.ID] {
			for _, device := range sel.Devices() {
				r.addEntry(batch, g, sel.URLID, device, r.in.Type, nil)
			}
		}
	}
	r.taken.Screenshots = len(r.entries)
}

func (r *run) checkSize() error {
	if r.taken.Screenshots == 0 {
		return Invalid("groupIds", "empty", "The {field} have nothing to capture: every group is disabled or has no URL with a device switched on.")
	}
	if r.taken.Screenshots > maxScreenshotsPerTake {
		return Invalid("groupIds", "max", "The {field} have more than 20000 screenshots selected; start fewer groups at once.")
	}
	return nil
}

func (r *run) batchFor(g *Group) *Batch {
	if len(r.taken.Batches) > 0 && !r.in.BatchPerGroup {
		return r.taken.Batches[0]
	}
	b := &Batch{ID: r.service.IDs.NewID(), Account: r.account, Source: r.in.Source, CreatedAt: r.now, UpdatedAt: r.now}
	b.Name = fmt.Sprintf("%s %s", g.Name, r.now.Format("2006-01-02 15:04"))
	r.taken.Batches = append(r.taken.Batches, b)
	return b
}

func (r *run) addEntry(b *Batch, g *Group, url ID, d Device, t QueueType, subject *ID) {
	delay := 0
	if g.ScreenshotDelay != nil && t != QueueCompare {
		delay = *g.ScreenshotDelay
	}
	r.entries = append(r.entries, &QueueEntry{
		ID: r.service.IDs.NewID(), Account: r.account, BatchID: b.ID, GroupID: g.ID, URLID: url, Device: d, Type: t,
		Status: QueueOpen, Delay: delay, SubjectID: subject, Dispatched: t != QueueCompare,
		CreatedAt: r.now, UpdatedAt: r.now,
	})
	b.Counts.Open++
}

// start reserves the checks of what was planned and stores it.
func (r *run) start(ctx context.Context, tx Tx) (*Taken, error) {
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
	return &Error{Code: CodeChecksExhausted, Message: fmt.Sprintf(
		"The checks of your plan are used up: this run needs %d. Select fewer URLs or upgrade the plan.", r.taken.Screenshots)}
}

// addComparisons makes the comparison entries of post and monitoring screenshots that have something to be compared with.
func (r *run) addComparisons(ctx context.Context, tx Tx) error {
	if r.in.Type == QueuePre {
		return nil
	}
	shots := r.entries
	places := make([]Place, len(shots))
	for i, e := range shots {
		places[i] = Place{GroupID: e.GroupID, URLID: e.URLID, Device: e.Device}
	}
	paired, err := tx.WithBaseline(ctx, r.in.Type.Baseline(), r.now, places)
	if err != nil {
		return err
	}
	batches := make(map[ID]*Batch, len(r.taken.Batches))
	for _, b := range r.taken.Batches {
		batches[b.ID] = b
	}
	for i, e := range shots {
		if paired[places[i]] {
			r.addEntry(batches[e.BatchID], r.groups[e.GroupID], e.URLID, e.Device, QueueCompare, &e.ID)
		}
	}
	return nil
}

// store writes everything down and lets the captures wait for their turns.
func (r *run) store(ctx context.Context, tx Tx) (*Taken, error) {
	for _, b := range r.taken.Batches {
		if err := tx.InsertBatch(ctx, b); err != nil {
			return nil, err
		}
		if err := tx.AppendEvents(ctx, r.service.batchEvent(EventBatchCreated, SubjectBatch, b.ID, b)); err != nil {
			return nil, err
		}
	}
	if err := tx.InsertQueueEntries(ctx, r.entries); err != nil {
		return nil, err
	}
	captures := make([]ID, 0, r.taken.Screenshots)
	for _, e := range r.entries {
		if e.Dispatched {
			captures = append(captures, e.ID)
		}
	}
	return &r.taken, tx.QueueUp(ctx, r.now, captures...)
}
