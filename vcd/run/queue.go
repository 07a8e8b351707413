package run

import (
	"context"

	"afterimage/vcd"
)

// maxAttempts is how often a capture is tried before its entry fails.
const maxAttempts = 3

// statusEvents maps each state to its event.
var statusEvents = map[vcd.QueueStatus]vcd.EventKind{
	vcd.QueueOpen:       vcd.EventQueueStatusOpen,
	vcd.QueueProcessing: vcd.EventQueueStatusProcessing,
	vcd.QueueDone:       vcd.EventQueueStatusDone,
	vcd.QueueFailed:     vcd.EventQueueStatusFailed,
}

// moveEntry moves an entry to another state, updates its batch's counts and appends the event; after the last entry ends, the
// batch finishes. An entry that is already in that state stays unchanged.
func (s *Service) moveEntry(ctx context.Context, tx Tx, e *vcd.QueueEntry, to vcd.QueueStatus) error {
	from := e.Status
	if from == to {
		return nil
	}
	e.Status, e.UpdatedAt = to, s.clock.Now()
	if to != vcd.QueueOpen { // it no longer waits for anything
		e.Notice = ""
		if to.Ended() {
			e.RefusedSince, e.RefusedStatus, e.NotBefore = nil, 0, nil
		}
	}
	if err := tx.UpdateQueueEntry(ctx, e); err != nil {
		return err
	}
	if to.Ended() {
		if err := tx.EndTurn(ctx, e.ID); err != nil {
			return err
		}
	}
	b, err := tx.LockBatch(ctx, e.BatchID)
	if err != nil {
		return err
	}
	b.Counts.Add(from, -1)
	b.Counts.Add(to, 1)
	b.UpdatedAt = e.UpdatedAt
	b.AddVersion(e.SCVersion)
	if err := tx.AppendEvents(ctx, vcd.NewBatchEvent(s.clock.Now(), statusEvents[to], vcd.SubjectQueueEntry, e.ID, b)); err != nil {
		return err
	}
	return s.storeBatch(ctx, tx, b)
}

// QueueEntry is one of the actor's queue entries.
func (s *Service) QueueEntry(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.QueueEntry, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.QueueEntry, error) {
		e, err := tx.QueueEntry(ctx, id)
		if err != nil {
			return nil, err
		}
		return e, s.tellRefusals(ctx, tx, []*vcd.QueueEntry{e})
	})
}

// QueueEntries lists the actor's queue entries, newest first.
func (s *Service) QueueEntries(ctx context.Context, actor vcd.Actor, f vcd.QueueFilter, p vcd.Page, figures bool) (*vcd.QueueList, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.QueueList, error) {
		list, err := tx.QueueEntries(ctx, f, p, figures)
		if err != nil {
			return nil, err
		}
		return list, s.tellRefusals(ctx, tx, list.Items)
	})
}

// QueueEntriesOfBatches lists the entries of several batches, each like QueueEntries; f.BatchIDs is ignored. A batch without
// entries has an empty list.
func (s *Service) QueueEntriesOfBatches(
	ctx context.Context, actor vcd.Actor, batches []vcd.ID, f vcd.QueueFilter, p vcd.Page, figures bool,
) (map[vcd.ID]*vcd.QueueList, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]*vcd.QueueList, error) {
		lists, err := tx.QueueEntriesOfBatches(ctx, batches, f, p, figures)
		if err != nil {
			return nil, err
		}
		var all []*vcd.QueueEntry
		for _, list := range lists {
			all = append(all, list.Items...)
		}
		return lists, s.tellRefusals(ctx, tx, all)
	})
}

// QueueEntriesByIDs looks several entries up at once; unknown ids are left out.
func (s *Service) QueueEntriesByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.QueueEntry, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]*vcd.QueueEntry, error) {
		list, err := tx.QueueEntriesByIDs(ctx, ids)
		if err != nil {
			return nil, err
		}
		return list, s.tellRefusals(ctx, tx, list)
	})
}
