package review

import (
	"context"

	"afterimage/vcd"
)

// ChangesOf lists the distinct changes that a comparison shows.
func (s *Service) ChangesOf(c *vcd.Comparison) []*vcd.ShownChange {
	if c.Verification == nil {
		return nil
	}
	var list []*vcd.ShownChange
	known := map[string]*vcd.ShownChange{}
	for _, f := range c.Verification.Judged() {
		shown := known[f.Fingerprint]
		if shown == nil {
			shown = &vcd.ShownChange{
				ID: s.ids.NewID(), Fingerprint: f.Fingerprint, Kind: f.Kind, Description: f.Description, Category: f.Category,
				Ruled: f.Ruled, Element: f.Selector(),
			}
			known[f.Fingerprint] = shown
			list = append(list, shown)
		}
		shown.Category, shown.Ruled = shown.Category.Worse(f.Category), shown.Ruled.Worse(f.Ruled)
		if f.RuleID != nil {
			shown.RuleID = f.RuleID
		}
	}
	return list
}

// ChangesOfBatches lists the changes of several batches; the same change on several pages and devices is listed once. A batch
// without changes has an empty list.
func (s *Service) ChangesOfBatches(
	ctx context.Context, actor vcd.Actor, batches []vcd.ID, f vcd.ChangeFilter, p vcd.Page,
) (map[vcd.ID]*vcd.List[*vcd.BatchChange], error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]*vcd.List[*vcd.BatchChange], error) {
		return tx.ChangesOfBatches(ctx, batches, f, p)
	})
}

// ChangeStandings returns what has become of changes of batches, by their ids.
func (s *Service) ChangeStandings(ctx context.Context, actor vcd.Actor, changes []vcd.ID) (map[vcd.ID]vcd.ChangeStanding, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]vcd.ChangeStanding, error) {
		return tx.ChangeStandings(ctx, changes)
	})
}
