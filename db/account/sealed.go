package account

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

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
	vcd.SealedFlowSecrets:            {"flows", "sealed_secrets"},
	vcd.SealedTrialSecrets:           {"flow_trials", "sealed_secrets"},
	vcd.SealedPageSessions:           {"page_sessions", "sealed"},
}

// SealedAfter implements account.Store.
func (d *Store) SealedAfter(ctx context.Context, place vcd.Sealed, after []byte, limit int) (found [][]byte, err error) {
	at := sealedColumns[place]
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw("SELECT ?0 FROM ?1 WHERE ?0 > ?2 ORDER BY ?0 LIMIT ?3", at.column, at.table, append([]byte{}, after...), limit).
			Scan(ctx, &found)
	})
	if err != nil {
		return nil, fmt.Errorf("read sealed secrets (%s): %w", place, err)
	}
	return found, nil
}

// ReplaceSealed implements account.Store.
func (d *Store) ReplaceSealed(ctx context.Context, place vcd.Sealed, old, renewed [][]byte) error {
	if len(old) == 0 {
		return nil
	}
	at := sealedColumns[place]
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		_, err := t.Bun.NewRaw(`UPDATE ?0 AS t SET ?1 = n.renewed
			FROM (SELECT unnest(?2::bytea[]) AS old, unnest(?3::bytea[]) AS renewed) AS n WHERE t.?1 = n.old`,
			at.table, at.column, pgdialect.Array(old), pgdialect.Array(renewed)).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("replace sealed secrets (%s): %w", place, err)
	}
	return nil
}
