package inventory

import (
	"context"

	"afterimage/vcd"
)

// NodeKinds returns what the ids identify in the actor's account; unknown and deleted ones are left out.
func (s *Service) NodeKinds(ctx context.Context, actor vcd.Actor, ids []vcd.ID) (map[vcd.ID]vcd.NodeKind, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]vcd.NodeKind,
		error) {
		return tx.NodeKinds(ctx, ids)
	})
}
