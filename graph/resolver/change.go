package resolver

import (
	"context"

	"afterimage/graph/view"
	"afterimage/vcd"
)

func idsOfChanges(changes []*view.BatchChange) []vcd.ID {
	ids := make([]vcd.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.ID
	}
	return ids
}

// examplesOf shows each change on one comparison; nil for a change whose comparisons were deleted in the meantime.
func (r *Resolver) examplesOf(ctx context.Context, changes []*view.BatchChange) ([]*view.ChangeExample, error) {
	standings, err := r.Service.Reviews.ChangeStandings(ctx, actor(ctx), idsOfChanges(changes))
	if err != nil {
		return nil, err
	}
	ids := make([]vcd.ID, 0, len(changes))
	for _, c := range changes {
		if standing, ok := standings[c.ID]; ok {
			ids = append(ids, standing.Example)
		}
	}
	comparisons, err := loadersIn(ctx).comparisons.loadAll(ctx, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[vcd.ID]*view.Comparison, len(comparisons))
	for _, c := range comparisons {
		byID[c.ID] = c
	}
	return forEach(changes, nil, func(c *view.BatchChange) *view.ChangeExample {
		comparison, ok := byID[standings[c.ID].Example]
		if !ok {
			return nil
		}
		return view.NewChangeExample(comparison, c.Fingerprint)
	})
}
