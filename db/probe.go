package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Probe implements vcd.Store.
func (d *DB) Probe(ctx context.Context) (sealed []byte, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		err := t.bun.NewRaw("SELECT sealed FROM secret_probe").Scan(ctx, &sealed)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the probe: %w", err)
	}
	return sealed, nil
}

// KeepProbe implements vcd.Store.
func (d *DB) KeepProbe(ctx context.Context, sealed []byte) (kept []byte, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		if _, err := t.bun.NewRaw("INSERT INTO secret_probe (sealed) VALUES (?) ON CONFLICT DO NOTHING", sealed).Exec(ctx); err != nil {
			return fmt.Errorf("keep the probe: %w", err)
		}
		return t.bun.NewRaw("SELECT sealed FROM secret_probe").Scan(ctx, &kept)
	})
	return kept, err
}
