package review

import (
	"context"

	"afterimage/vcd"
)

// Review is the comparison behind a public link.
func (s *Service) Review(ctx context.Context, token string) (*vcd.Comparison, error) {
	owner, err := s.store.ComparisonOwner(ctx, token)
	if err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, vcd.Actor{Account: owner}, func(ctx context.Context, tx vcd.Tx) (*vcd.Comparison, error) {
		return tx.ComparisonByToken(ctx, token)
	})
}

// RenewPublicLink gives a comparison a new public token, which invalidates leaked links to its public page and the pictures
// on it.
func (s *Service) RenewPublicLink(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Comparison, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*vcd.Comparison, error) {
		if err := tx.SetComparisonToken(ctx, id, vcd.RandomText(), s.clock.Now()); err != nil {
			return nil, err
		}
		return tx.Comparison(ctx, id)
	})
}
