package db

import (
	"context"

	"afterimage/db/account"
	"afterimage/db/inventory"
	"afterimage/db/outbound"
	"afterimage/db/pg"
	"afterimage/db/review"
	"afterimage/db/run"
	"afterimage/db/schema"
	"afterimage/db/turns"
	"afterimage/vcd"
)

// Config configures the access to the database.
type Config = pg.Config

// The parts have names of their own, so that they can be embedded side by side.
type (
	accountStore   = account.Store
	inventoryStore = inventory.Store
	outboundStore  = outbound.Store
	reviewStore    = review.Store
	runStore       = run.Store
	schemaStore    = schema.Store
	turnsStore     = turns.Store

	accountTx   = account.Tx
	inventoryTx = inventory.Tx
	outboundTx  = outbound.Tx
	reviewTx    = review.Tx
	runTx       = run.Tx
	turnsTx     = turns.Tx
)

// DB is a database with the tables of all rooms. It implements app.Store and vcd.Feed and is safe for concurrent use.
type DB struct{ parts }

type parts struct {
	*pg.DB
	accountStore
	inventoryStore
	outboundStore
	reviewStore
	runStore
	schemaStore
	turnsStore
}

// Open connects to a database that schema.Migrate has brought up to date. It fails when the database cannot be reached. If the
// database becomes unreachable later, calls fail with CodeUnavailable until it is back.
func Open(ctx context.Context, c Config) (*DB, error) {
	d, err := pg.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return &DB{parts{
		DB: d, accountStore: accountStore{DB: d}, inventoryStore: inventoryStore{DB: d}, outboundStore: outboundStore{DB: d},
		reviewStore: reviewStore{DB: d}, runStore: runStore{DB: d}, schemaStore: schemaStore{DB: d}, turnsStore: turnsStore{DB: d},
	}}, nil
}

// Tx is one transaction with the statements of all rooms.
type Tx struct {
	*pg.Tx
	accountTx
	inventoryTx
	outboundTx
	reviewTx
	runTx
	turnsTx
}

func assemble(t *pg.Tx) *Tx {
	return &Tx{
		Tx: t, accountTx: accountTx{Tx: t}, inventoryTx: inventoryTx{Tx: t}, outboundTx: outboundTx{Tx: t}, reviewTx: reviewTx{Tx: t},
		runTx: runTx{Tx: t}, turnsTx: turnsTx{Tx: t},
	}
}

// InTx runs do in a transaction bound to the actor's account, as vcd.Store says.
func (d *DB) InTx(ctx context.Context, actor vcd.Actor, do func(ctx context.Context, tx *Tx) error) error {
	return d.Write(ctx, actor, func(ctx context.Context, t *pg.Tx) error { return do(ctx, assemble(t)) })
}

// Read runs do on one consistent snapshot, as vcd.Store says.
func (d *DB) Read(ctx context.Context, actor vcd.Actor, do func(ctx context.Context, tx *Tx) error) error {
	return d.DB.Read(ctx, actor, func(ctx context.Context, t *pg.Tx) error { return do(ctx, assemble(t)) })
}
