package run

import (
	"context"

	"afterimage/vcd"
)

// Limits of ending screenshots whose pages were removed from their group.
const (
	withdrawnAtOnce = 50 // screenshots that one transaction ends
	withdrawnSteps  = 20 // transactions, until another turn goes on
)

// endWithdrawn ends open screenshots of a batch whose pages are no longer in their group. Of a group with thousands of pages each would
// wait for its turn otherwise, and take that of others.
func (s *Service) endWithdrawn(ctx context.Context, actor vcd.Actor, batch vcd.ID) error {
	for range withdrawnSteps {
		more, err := s.endSomeWithdrawn(ctx, actor, batch)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

func (s *Service) endSomeWithdrawn(ctx context.Context, actor vcd.Actor, batch vcd.ID) (more bool, err error) {
	err = s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		shots, comparisons, err := tx.LockWithdrawn(ctx, batch, withdrawnAtOnce)
		if err != nil || len(shots) == 0 {
			return err
		}
		more = len(shots) == withdrawnAtOnce
		others, err := tx.LockComparisonsBeyond(ctx, batch, shots)
		if err != nil {
			return err
		}
		if err := s.failAll(ctx, tx, batch, shots, reasonWithdrawn, withdrawn); err != nil {
			return err
		}
		if err := s.failAll(ctx, tx, batch, comparisons, reasonNoScreenshot, noScreenshot+withdrawn); err != nil {
			return err
		}
		for _, c := range others {
			if err := s.pair(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	return more, err
}
