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
	limitedMails     struct {
		outbound.Backlog[outbound.MailTx]
	}
	limitedReviews struct{ review.Store }
	limitedRuns    struct{ run.Store }

	// limitedPart is a part of a room, of which there are only transactions.
	limitedPart[Tx any] struct{ vcd.Store[Tx] }
)

func (s limitedPart[Tx]) Read(ctx context.Context, who vcd.Actor, do func(context.Context, Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

func (s limitedAccounts) Read(ctx context.Context, who vcd.Actor, do func(context.Context, account.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

// People implements account.Store.
func (s limitedAccounts) People() vcd.Store[account.PeopleTx] {
	return limitedPart[account.PeopleTx]{s.Store.People()}
}

func (s limitedInventory) Read(ctx context.Context, who vcd.Actor, do func(context.Context, inventory.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}

// URLs implements inventory.Store.
func (s limitedInventory) URLs() vcd.Store[inventory.URLTx] {
	return limitedPart[inventory.URLTx]{s.Store.URLs()}
}

// Websites implements inventory.Store.
func (s limitedInventory) Websites() vcd.Store[inventory.WebsiteTx] {
	return limitedPart[inventory.WebsiteTx]{s.Store.Websites()}
}

// Imports implements inventory.Store.
func (s limitedInventory) Imports() vcd.Store[inventory.ImportTx] {
	return limitedPart[inventory.ImportTx]{s.Store.Imports()}
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

// Rules implements review.Store.
func (s limitedReviews) Rules() vcd.Store[review.RuleTx] {
	return limitedPart[review.RuleTx]{s.Store.Rules()}
}

// PublicPages implements review.Store.
func (s limitedReviews) PublicPages() vcd.Store[review.PublicTx] {
	return limitedPart[review.PublicTx]{s.Store.PublicPages()}
}

// Updates implements review.Store.
func (s limitedReviews) Updates() vcd.Store[review.UpdateTx] {
	return limitedPart[review.UpdateTx]{s.Store.Updates()}
}

func (s limitedRuns) Read(ctx context.Context, who vcd.Actor, do func(context.Context, run.Tx) error) error {
	return limited(ctx, func() error { return s.Store.Read(ctx, who, do) })
}
