package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Probe returns the sealed probe; nil when there is none.
func (d *Store) Probe(ctx context.Context) (sealed []byte, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		err := t.Bun.NewRaw("SELECT sealed FROM secret_probe").Scan(ctx, &sealed)
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

// KeepProbe implements account.Store.
func (d *Store) KeepProbe(ctx context.Context, sealed []byte) (kept []byte, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		if _, err := t.Bun.NewRaw("INSERT INTO secret_probe (sealed) VALUES (?) ON CONFLICT DO NOTHING", sealed).Exec(ctx); err != nil {
			return fmt.Errorf("store the probe of the secret key: %w", err)
		}
		return t.Bun.NewRaw("SELECT sealed FROM secret_probe").Scan(ctx, &kept)
	})
	return kept, err
}
