package vcd

import "context"

// PublicLinkStore finds whose comparison a public link shows; it asks across accounts, since whoever has the link may see it.
type PublicLinkStore interface {
	// ComparisonOwner is the account of the comparison with this public token; CodeNotFound also when its group or its URL was
	// deleted or the account cancelled.
	ComparisonOwner(ctx context.Context, token string) (ID, error)
}
