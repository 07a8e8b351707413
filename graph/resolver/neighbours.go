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
