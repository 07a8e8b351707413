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
	limitedPeople    struct{ vcd.Store[account.PeopleTx] }
	limitedInventory struct{ inventory.Store }
	limitedOutbound  struct{ outbound.Store }
	limitedMails     struct {
		outbound.Backlog[outbound.MailTx]
	}
	limitedReviews struct{ review.Store }
	limitedRuns    struct{ run.Store }
)

func (s limitedAccounts) Read(ctx context.Context, who vcd.Actor, do func(context.Context, account.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

// People implements account.Store.
func (s limitedAccounts) People() vcd.Store[account.PeopleTx] { return limitedPeople{s.Store.People()} }

func (s limitedPeople) Read(ctx context.Context, who vcd.Actor, do func(context.Context, account.PeopleTx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

func (s limitedInventory) Read(ctx context.Context, who vcd.Actor, do func(context.Context, inventory.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

func (s limitedOutbound) Read(ctx context.Context, who vcd.Actor, do func(context.Context, outbound.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

// Mails implements outbound.Store.
func (s limitedOutbound) Mails() outbound.Backlog[outbound.MailTx] {
	return limitedMails{s.Store.Mails()}
}

func (s limitedMails) Read(ctx context.Context, who vcd.Actor, do func(context.Context, outbound.MailTx) error) error {
	return limited(ctx, func() error { return s.Backlog.Read(ctx, who, do) })
}

func (s limitedReviews) Read(ctx context.Context, who vcd.Actor, do func(context.Context, review.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

func (s limitedRuns) Read(ctx context.Context, who vcd.Actor, do func(context.Context, run.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}
