package resolver

import (
	"context"

	"afterimage/graph/view"
	"afterimage/vcd"
)

// neighbours finds the comparison that pick chooses among those beside each of several; nil where there is none.
func (r *Resolver) neighbours(
	ctx context.Context, of []*view.Comparison, pick func(vcd.Neighbours) *vcd.ID,
) ([]*view.Comparison, error) {
	beside, err := r.Service.Reviews.NeighboursOf(ctx, actor(ctx), idsOfComparisons(of))
	if err != nil {
		return nil, err
	}
	var wanted []vcd.ID
	for _, c := range of {
		if id := pick(beside[c.ID]); id != nil {
			wanted = append(wanted, *id)
		}
	}
	found, err := loadersIn(ctx).comparisons.loadAll(ctx, wanted)
	byID := make(map[vcd.ID]*view.Comparison, len(found))
	for _, c := range found {
		byID[c.ID] = c
	}
	return forEach(of, err, func(c *view.Comparison) *view.Comparison {
		id := pick(beside[c.ID])
		if id == nil {
			return nil
		}
		return byID[*id]
	})
}

func commentPayload(c *vcd.Comment, err error) (*view.CommentPayload, error) {
	if err != nil {
		return nil, err
	}
	return &view.CommentPayload{Comment: &view.Comment{Comment: c}}, nil
}

// facetsWith finds what each of several facets counts; nil where it counts what belongs to nothing.
func facetsWith[F, T any](
	facets []F, idOf func(F) *vcd.ID, load func([]vcd.ID) ([]*T, error), idOfFound func(*T) vcd.ID,
) ([]*T, error) {
	var wanted []vcd.ID
	for _, f := range facets {
		if id := idOf(f); id != nil {
			wanted = append(wanted, *id)
		}
	}
	found, err := load(wanted)
	byID := make(map[vcd.ID]*T, len(found))
	for _, item := range found {
		byID[idOfFound(item)] = item
	}
	return forEach(facets, err, func(f F) *T {
		if id := idOf(f); id != nil {
			return byID[*id]
		}
		return nil
	})
}
