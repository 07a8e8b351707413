package app

import (
	"context"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

// Store has what each room stores.
type Store interface {
	ForAccounts() account.Store
	ForInventory() inventory.Store
	ForOutbound() outbound.Store
	ForReviews() review.Store
	ForRuns() run.Store
}

// The stores of the rooms with the limit that WithReadLimit sets.
type (
	limitedAccounts  struct{ account.Store }
	limitedInventory struct{ inventory.Store }
	limitedOutbound  struct{ outbound.Store }
	limitedReviews   struct{ review.Store }
	limitedRuns      struct{ run.Store }
)

func (s limitedAccounts) Read(ctx context.Context, who vcd.Actor, do func(context.Context, account.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

func (s limitedInventory) Read(ctx context.Context, who vcd.Actor, do func(context.Context, inventory.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

func (s limitedOutbound) Read(ctx context.Context, who vcd.Actor, do func(context.Context, outbound.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

func (s limitedReviews) Read(ctx context.Context, who vcd.Actor, do func(context.Context, review.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

func (s limitedRuns) Read(ctx context.Context, who vcd.Actor, do func(context.Context, run.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}
