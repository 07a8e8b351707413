// Package outbound keeps events and their consumers, webhooks and deliveries, and mails.
package outbound

import (
	"context"

	"afterimage/db/pg"
)

// Tx is a transaction bound to an account.
type Tx struct{ *pg.Tx }

// Store is what is asked outside of the transactions of an account.
type Store struct{ *pg.DB }

// asSystem runs a query across accounts.
func (d *Store) asSystem(ctx context.Context, do func(ctx context.Context, t *Tx) error) error {
	return d.AsSystem(ctx, func(ctx context.Context, t *pg.Tx) error { return do(ctx, &Tx{t}) })
}
