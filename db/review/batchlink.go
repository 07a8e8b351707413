package review

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type batchLinkRow struct {
	bun.BaseModel `bun:"table:batch_links,alias:l"`

	Account    vcd.ID             `bun:"account_id,pk"`
	Batch      vcd.ID             `bun:"batch_id,pk"`
	ID         vcd.ID             `bun:"id"`
	Hash       []byte             `bun:"hash"`
	Sealed     []byte             `bun:"sealed"`
	Permission vcd.LinkPermission `bun:"permission"`
	ExpiresAt  *time.Time         `bun:"expires_at"`
	CreatedAt  time.Time          `bun:"created_at"`
}

// SetBatchLink implements review.PublicTx.
func (t *Tx) SetBatchLink(ctx context.Context, l *vcd.BatchLink) error {
	row := &batchLinkRow{
		Account: t.Tenant, Batch: l.Batch, ID: l.ID, Hash: l.Hash, Sealed: l.Sealed, Permission: l.Permission,
		ExpiresAt: l.ExpiresAt, CreatedAt: l.CreatedAt,
	}
	_, err := t.Bun.NewInsert().Model(row).On("CONFLICT (account_id, batch_id) DO UPDATE").
		Set("id = excluded.id, hash = excluded.hash, sealed = excluded.sealed, permission = excluded.permission").
		Set("expires_at = excluded.expires_at, created_at = excluded.created_at").
		Exec(ctx)
	if err != nil {
		return fmt.Errorf("set the link of batch %s: %w", l.Batch, err)
	}
	return nil
}

// RemoveBatchLink implements review.PublicTx.
func (t *Tx) RemoveBatchLink(ctx context.Context, batch vcd.ID) error {
	_, err := t.Bun.NewDelete().Table("batch_links").Where("account_id = ? AND batch_id = ?", t.Tenant, batch).Exec(ctx)
	if err != nil {
		return fmt.Errorf("remove the link of batch %s: %w", batch, err)
	}
	return nil
}

// BatchLinks implements review.Tx.
func (t *Tx) BatchLinks(ctx context.Context, batches []vcd.ID) (map[vcd.ID]*vcd.BatchLink, error) {
	var rows []*batchLinkRow
	err := t.Bun.NewSelect().Model(&rows).Where("l.account_id = ? AND l.batch_id = ANY(?)", t.Tenant, query.Array(batches)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the links of %d batches: %w", len(batches), err)
	}
	links := make(map[vcd.ID]*vcd.BatchLink, len(rows))
	for _, r := range rows {
		links[r.Batch] = &vcd.BatchLink{
			ID: r.ID, Batch: r.Batch, Hash: r.Hash, Sealed: r.Sealed, Permission: r.Permission,
			ExpiresAt: query.UTC(r.ExpiresAt), CreatedAt: r.CreatedAt.UTC(),
		}
	}
	return links, nil
}

// BatchByLink implements review.Store. It runs one statement, like AccountByToken.
func (d *Store) BatchByLink(ctx context.Context, hash []byte, now time.Time) (vcd.LinkedBatch, error) {
	var found []struct {
		Account    vcd.ID             `bun:"account_id"`
		Batch      vcd.ID             `bun:"batch_id"`
		Link       vcd.ID             `bun:"link_id"`
		Permission vcd.LinkPermission `bun:"permission"`
	}
	err := d.Ask(ctx, func(ctx context.Context, db bun.IDB) error {
		return db.NewRaw("SELECT * FROM batch_by_link(?, ?)", hash, now).Scan(ctx, &found)
	})
	switch {
	case err != nil:
		return vcd.LinkedBatch{}, fmt.Errorf("look up the batch of a link: %w", err)
	case len(found) == 0:
		return vcd.LinkedBatch{}, vcd.NotFound("Batch", "")
	}
	return vcd.LinkedBatch(found[0]), nil
}
