package resolver

import (
	"context"

	"afterimage/graph/view"
	"afterimage/vcd"
)

// baselines finds the batch that each of several was compared with; nil where there is none.
func (r *Resolver) baselines(ctx context.Context, of []*view.Batch) ([]*view.Batch, error) {
	ids, err := r.Service.Runs.BaselinesOf(ctx, actor(ctx), idsOfBatches(of))
	if err != nil {
		return nil, err
	}
	var wanted []vcd.ID
	for _, b := range of {
		if id, ok := ids[b.ID]; ok {
			wanted = append(wanted, id)
		}
	}
	found, err := loadersIn(ctx).batches.loadAll(ctx, wanted)
	byID := make(map[vcd.ID]*view.Batch, len(found))
	for _, b := range found {
		byID[b.ID] = b
	}
	return forEach(of, err, func(b *view.Batch) *view.Batch { return byID[ids[b.ID]] })
}

func batchPayload(b *vcd.Batch, err error) (*view.BatchPayload, error) {
	if err != nil {
		return nil, err
	}
	return &view.BatchPayload{Batch: view.NewBatch(b)}, nil
}
