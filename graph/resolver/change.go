package resolver

import (
	"context"

	"afterimage/graph/view"
	"afterimage/vcd"
)

// standingsOf tells what has become of changes, by their ids; the zero value of a change whose comparisons were deleted in the
// meantime.
func standingsOf(ctx context.Context, changes []*view.BatchChange) (map[vcd.ID]vcd.ChangeStanding, error) {
	loader := loadersIn(ctx).standings
	if loader == nil {
		return nil, errNoLoaders
	}
	ids := make([]vcd.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.ID
	}
	found, err := loader.LoadAll(ctx, ids)
	if err != nil {
		return nil, err
	}
	standings := make(map[vcd.ID]vcd.ChangeStanding, len(ids))
	for i, id := range ids {
		standings[id] = found[i]
	}
	return standings, nil
}

// examplesOf shows each change on one comparison; nil for a change whose comparisons were deleted in the meantime.
func (r *Resolver) examplesOf(ctx context.Context, changes []*view.BatchChange) ([]*view.ChangeExample, error) {
	standings, err := standingsOf(ctx, changes)
	if err != nil {
		return nil, err
	}
	ids := make([]vcd.ID, 0, len(changes))
	for _, standing := range standings {
		if standing.Example != "" {
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

// verdictsOn tells what was decided about changes; nil for those about which nothing was.
func verdictsOn(ctx context.Context, changes []*view.BatchChange) ([]*view.ChangeVerdict, error) {
	loader := loadersIn(ctx).verdicts
	if loader == nil {
		return nil, errNoLoaders
	}
	batches := make([]vcd.ID, len(changes))
	for i, c := range changes {
		batches[i] = c.BatchID
	}
	found, err := loader.LoadAll(ctx, batches)
	if err != nil {
		return nil, err
	}
	shown := make([]*view.ChangeVerdict, len(changes))
	for i, c := range changes {
		if verdict := found[i][c.Fingerprint]; verdict != nil {
			shown[i] = &view.ChangeVerdict{ChangeVerdict: verdict}
		}
	}
	return shown, nil
}
