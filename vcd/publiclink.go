package vcd

import "context"

// PublicLinkStore finds whose comparison a public link shows; it asks across accounts, since whoever has the link may see it.
type PublicLinkStore interface {
	// ComparisonOwner is the account of the comparison with this public token; CodeNotFound also when its group or its URL was
	// deleted or the account cancelled.
	ComparisonOwner(ctx context.Context, token string) (ID, error)
}

// Review is the comparison behind a public link.
func (s *Service) Review(ctx context.Context, token string) (*Comparison, error) {
	owner, err := s.Store.ComparisonOwner(ctx, token)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, Actor{Account: owner}, func(ctx context.Context, tx Tx) (*Comparison, error) {
		return tx.ComparisonByToken(ctx, token)
	})
}

// RenewPublicLink gives a comparison another public token, so that links to it that went astray work no more, and neither do
// those of the pictures on its public page.
func (s *Service) RenewPublicLink(ctx context.Context, actor Actor, id ID) (*Comparison, error) {
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Comparison, error) {
		if err := tx.SetComparisonToken(ctx, id, randomText(), s.Clock.Now()); err != nil {
			return nil, err
		}
		return tx.Comparison(ctx, id)
	})
}
