package db

import (
	"context"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

var _ app.Store = (*DB)(nil)

// transactions are those of a DB as one room sees them.
type transactions[T any] struct {
	db *DB
	as func(*Tx) T
}

func (s transactions[T]) InTx(ctx context.Context, actor vcd.Actor, do func(ctx context.Context, tx T) error) error {
	return s.db.InTx(ctx, actor, func(ctx context.Context, t *Tx) error { return do(ctx, s.as(t)) })
}

func (s transactions[T]) Read(ctx context.Context, actor vcd.Actor, do func(ctx context.Context, tx T) error) error {
	return s.db.Read(ctx, actor, func(ctx context.Context, t *Tx) error { return do(ctx, s.as(t)) })
}

// The stores of the rooms: all that a DB has, and transactions as the room sees them.
type (
	forAccounts struct {
		*parts
		transactions[account.Tx]
	}
	forInventory struct {
		*parts
		transactions[inventory.Tx]
	}
	forOutbound struct {
		*parts
		transactions[outbound.Tx]
	}
	forReviews struct {
		*parts
		transactions[review.Tx]
	}
	forRuns struct {
		*parts
		transactions[run.Tx]
	}
)

// ForAccounts implements app.Store.
func (d *DB) ForAccounts() account.Store {
	return forAccounts{&d.parts, transactions[account.Tx]{d, func(t *Tx) account.Tx { return t }}}
}

// People implements account.Store.
func (s forAccounts) People() vcd.Store[account.PeopleTx] {
	return transactions[account.PeopleTx]{s.db, func(t *Tx) account.PeopleTx { return t }}
}

// ForInventory implements app.Store.
func (d *DB) ForInventory() inventory.Store {
	return forInventory{&d.parts, transactions[inventory.Tx]{d, func(t *Tx) inventory.Tx { return t }}}
}

// URLs implements inventory.Store.
func (s forInventory) URLs() vcd.Store[inventory.URLTx] {
	return transactions[inventory.URLTx]{s.db, func(t *Tx) inventory.URLTx { return t }}
}

// Websites implements inventory.Store.
func (s forInventory) Websites() vcd.Store[inventory.WebsiteTx] {
	return transactions[inventory.WebsiteTx]{s.db, func(t *Tx) inventory.WebsiteTx { return t }}
}

// Trials implements inventory.Store.
func (s forInventory) Trials() vcd.Store[inventory.TrialTx] {
	return transactions[inventory.TrialTx]{s.db, func(t *Tx) inventory.TrialTx { return t }}
}

// Imports implements inventory.Store.
func (s forInventory) Imports() vcd.Store[inventory.ImportTx] {
	return transactions[inventory.ImportTx]{s.db, func(t *Tx) inventory.ImportTx { return t }}
}

// ForOutbound implements app.Store.
func (d *DB) ForOutbound() outbound.Store {
	return forOutbound{&d.parts, transactions[outbound.Tx]{d, func(t *Tx) outbound.Tx { return t }}}
}

// Mails implements outbound.Store.
func (s forOutbound) Mails() outbound.Backlog[outbound.MailTx] {
	return backlog[outbound.MailTx]{transactions[outbound.MailTx]{s.db, func(t *Tx) outbound.MailTx { return t }}}
}

// ForReviews implements app.Store.
func (d *DB) ForReviews() review.Store {
	return forReviews{&d.parts, transactions[review.Tx]{d, func(t *Tx) review.Tx { return t }}}
}

// Rules implements review.Store.
func (s forReviews) Rules() vcd.Store[review.RuleTx] {
	return transactions[review.RuleTx]{s.db, func(t *Tx) review.RuleTx { return t }}
}

// PublicPages implements review.Store.
func (s forReviews) PublicPages() vcd.Store[review.PublicTx] {
	return transactions[review.PublicTx]{s.db, func(t *Tx) review.PublicTx { return t }}
}

// Updates implements review.Store.
func (s forReviews) Updates() vcd.Store[review.UpdateTx] {
	return transactions[review.UpdateTx]{s.db, func(t *Tx) review.UpdateTx { return t }}
}

// ForRuns implements app.Store.
func (d *DB) ForRuns() run.Store {
	return forRuns{&d.parts, transactions[run.Tx]{d, func(t *Tx) run.Tx { return t }}}
}

// OfFlows implements run.Tx.
func (t *Tx) OfFlows() run.FlowTx { return t }

// Trials implements run.Store.
func (s forRuns) Trials() vcd.Store[run.TrialTx] {
	return transactions[run.TrialTx]{s.db, func(t *Tx) run.TrialTx { return t }}
}

// backlog are transactions that also read new events.
type backlog[T any] struct{ transactions[T] }

// TakeBacklog implements outbound.Backlog.
func (s backlog[T]) TakeBacklog(
	ctx context.Context, c vcd.Consumer, do func(ctx context.Context, account vcd.ID, tx T, position int64) (int64, error),
) (bool, error) {
	return s.db.outboundStore.TakeBacklog(ctx, c, func(ctx context.Context, account vcd.ID, t *outboundTx, position int64) (int64, error) {
		return do(ctx, account, s.as(assemble(t.Tx)), position)
	})
}

// TakeBacklog implements outbound.Store.
func (s forOutbound) TakeBacklog(
	ctx context.Context, c vcd.Consumer, do func(ctx context.Context, account vcd.ID, tx outbound.Tx, position int64) (int64, error),
) (bool, error) {
	return backlog[outbound.Tx]{s.transactions}.TakeBacklog(ctx, c, do)
}

// TakeDueGroups implements run.Store.
func (s forRuns) TakeDueGroups(
	ctx context.Context, now time.Time, most int, do func(ctx context.Context, due []*vcd.Group, tx run.Tx) error,
) (taken int, err error) {
	return s.inventoryStore.TakeDueGroups(ctx, now, most, func(ctx context.Context, due []*vcd.Group, t *inventoryTx) error {
		return do(ctx, due, assemble(t.Tx))
	})
}

// TakeDueTrigger implements run.Store.
func (s forRuns) TakeDueTrigger(
	ctx context.Context, now time.Time, do func(ctx context.Context, p *vcd.PendingTrigger, tx run.Tx) error,
) (bool, error) {
	return s.runStore.TakeDueTrigger(ctx, now, func(ctx context.Context, p *vcd.PendingTrigger, t *runTx) error {
		return do(ctx, p, assemble(t.Tx))
	})
}
