package db

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// sealedColumns are where sealed secrets are stored. Each is unique, for the nonce that it begins with, so it needs no other key.
var sealedColumns = map[vcd.Sealed]struct{ table, column bun.Ident }{
	vcd.SealedProbes:                 {"secret_probe", "sealed"},
	vcd.SealedWebhookSecrets:         {"accounts", "sealed_webhook_secret"},
	vcd.SealedPreviousWebhookSecrets: {"accounts", "sealed_previous_webhook_secret"},
	vcd.SealedMagicLogins:            {"accounts", "sealed_magic_login"},
	vcd.SealedPasswords:              {"groups", "sealed_password"},
	vcd.SealedBatchLinks:             {"batch_links", "sealed"},
	vcd.SealedSignIns:                {"sign_in_attempts", "sealed"},
}

// SealedAfter implements vcd.SealedStore.
func (d *DB) SealedAfter(ctx context.Context, place vcd.Sealed, after []byte, limit int) (found [][]byte, err error) {
	at := sealedColumns[place]
	err = d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		return t.bun.NewRaw("SELECT ?0 FROM ?1 WHERE ?0 > ?2 ORDER BY ?0 LIMIT ?3", at.column, at.table, append([]byte{}, after...), limit).
			Scan(ctx, &found)
	})
	if err != nil {
		return nil, fmt.Errorf("read sealed secrets (%s): %w", place, err)
	}
	return found, nil
}

// ReplaceSealed implements vcd.SealedStore.
func (d *DB) ReplaceSealed(ctx context.Context, place vcd.Sealed, old, renewed [][]byte) error {
	at := sealedColumns[place]
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		for i := range old {
			_, err := t.bun.NewRaw("UPDATE ?0 SET ?1 = ?2 WHERE ?1 = ?3", at.table, at.column, renewed[i], old[i]).Exec(ctx)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("replace sealed secrets (%s): %w", place, err)
	}
	return nil
}
