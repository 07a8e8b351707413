package review

import (
	"context"

	"afterimage/vcd"
)

// Review is the comparison behind a public link.
func (s *Service) Review(ctx context.Context, token string) (*SharedComparison, error) {
	owner, err := s.store.ComparisonOwner(ctx, token)
	if err != nil {
		return nil, err
	}
	actor := vcd.Actor{Account: owner}
	c, err := vcd.Read(ctx, s.store.PublicPages(), actor, func(ctx context.Context, tx PublicTx) (*vcd.Comparison, error) {
		return tx.ComparisonByToken(ctx, token)
	})
	if err != nil {
		return nil, err
	}
	from, err := s.letterhead(ctx, actor)
	return &SharedComparison{Comparison: c, From: from}, err
}

// ReviewLogo is the logo on the page of the comparison behind a public link.
func (s *Service) ReviewLogo(ctx context.Context, token string) (*vcd.Logo, error) {
	owner, err := s.store.ComparisonOwner(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.publicLogo(ctx, owner)
}

// RenewPublicLink gives a comparison a new public token, which invalidates leaked links to its public page and the pictures
// on it.
func (s *Service) RenewPublicLink(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Comparison, error) {
	return vcd.Write(ctx, s.store.PublicPages(), actor, func(ctx context.Context, tx PublicTx) (*vcd.Comparison, error) {
		if err := tx.SetComparisonToken(ctx, id, vcd.RandomText(), s.clock.Now()); err != nil {
			return nil, err
		}
		return tx.Comparison(ctx, id)
	})
}
