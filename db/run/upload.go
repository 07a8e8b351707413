package run

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type uploadRow struct {
	bun.BaseModel `bun:"table:uploads,alias:up"`

	Account   vcd.ID        `bun:"account_id,pk"`
	Batch     vcd.ID        `bun:"batch_id,pk"`
	Group     vcd.ID        `bun:"group_id"`
	Type      vcd.QueueType `bun:"type"`
	Build     *string       `bun:"build"`
	Shards    int           `bun:"shards"`
	Finished  []int         `bun:"finished_shards,array"`
	CreatedAt time.Time     `bun:"created_at"`
}

func (r *uploadRow) upload() *vcd.Upload {
	return &vcd.Upload{
		Batch: r.Batch, Group: r.Group, Type: r.Type, Build: r.Build, Shards: r.Shards, Finished: r.Finished, CreatedAt: r.CreatedAt.UTC(),
	}
}

// Upload implements run.Tx.
func (t *Tx) Upload(ctx context.Context, batch vcd.ID) (*vcd.Upload, error) {
	row := &uploadRow{}
	err := t.Bun.NewSelect().Model(row).Where("up.account_id = ? AND up.batch_id = ?", t.Tenant, batch).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the upload: %w", query.NotFound(err, "Batch", batch))
	}
	return row.upload(), nil
}

// UploadOfBuild implements run.Tx.
func (t *Tx) UploadOfBuild(ctx context.Context, group vcd.ID, kind vcd.QueueType, build string) (*vcd.Upload, error) {
	row := &uploadRow{}
	err := t.Bun.NewSelect().Model(row).
		Where("up.account_id = ? AND up.group_id = ? AND up.type = ? AND up.build = ?", t.Tenant, group, kind, build).Scan(ctx)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("look for the upload of a build: %w", err)
	}
	return row.upload(), nil
}

// OpenUploads implements run.Tx.
func (t *Tx) OpenUploads(ctx context.Context) (n int, err error) {
	err = t.Bun.NewRaw("SELECT count(*) FROM batches WHERE account_id = ? AND finished_at IS NULL AND uploading", t.Tenant).Scan(ctx, &n)
	if err != nil {
		return 0, fmt.Errorf("count the uploads under way: %w", err)
	}
	return n, nil
}

// InsertUpload implements run.Tx.
func (t *Tx) InsertUpload(ctx context.Context, u *vcd.Upload) error {
	row := &uploadRow{
		Account: t.Tenant, Batch: u.Batch, Group: u.Group, Type: u.Type, Build: u.Build, Shards: u.Shards, Finished: []int{},
		CreatedAt: u.CreatedAt,
	}
	if _, err := t.Bun.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("insert the upload: %w", err)
	}
	return t.noteGroups(ctx, []batchGroupRow{{Account: t.Tenant, BatchID: u.Batch, GroupID: u.Group}})
}

// FinishShards implements run.Tx.
func (t *Tx) FinishShards(ctx context.Context, u *vcd.Upload) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(&uploadRow{Finished: u.Finished}).Column("finished_shards").
		Where("account_id = ? AND batch_id = ?", t.Tenant, u.Batch), "Upload", u.Batch)
}

// UploadedHash implements run.Tx.
func (t *Tx) UploadedHash(ctx context.Context, batch vcd.ID, p vcd.Place) (string, error) {
	var found []string
	err := t.Bun.NewRaw(`SELECT i.hash FROM screenshots AS sh `+query.LookUp("images", "i", "o.account_id = ?0 AND o.id = sh.image_id")+`
		WHERE sh.account_id = ?0 AND sh.batch_id = ?1 AND sh.group_id = ?2 AND sh.url_id = ?3 AND sh.device = ?4`,
		t.Tenant, batch, p.GroupID, p.URLID, p.Device).Scan(ctx, &found)
	if err != nil {
		return "", fmt.Errorf("look for an uploaded picture: %w", err)
	}
	if len(found) == 0 {
		return "", nil
	}
	return found[0], nil
}

// UploadedOf implements inventory.Tx.
func (t *Tx) UploadedOf(ctx context.Context, urls []vcd.ID) ([]vcd.ID, error) {
	var found []string
	err := t.Bun.NewRaw("SELECT id FROM urls WHERE account_id = ? AND id = ANY(?) AND address LIKE ?",
		t.Tenant, query.Array(urls), query.UploadedAddress).Scan(ctx, &found)
	if err != nil {
		return nil, fmt.Errorf("look for uploaded pages: %w", err)
	}
	return query.IDs(found), nil
}

// StaleUploads implements run.Store.
func (d *Store) StaleUploads(ctx context.Context, since time.Time, limit int) ([]vcd.StaleUpload, error) {
	var rows []struct {
		Account vcd.ID `bun:"account_id"`
		Batch   vcd.ID `bun:"id"`
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw("SELECT account_id, id FROM batches WHERE uploading AND updated_at < ? ORDER BY updated_at LIMIT ?",
			since, limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for uploads that were given up: %w", err)
	}
	stale := make([]vcd.StaleUpload, len(rows))
	for i, r := range rows {
		stale[i] = vcd.StaleUpload(r)
	}
	return stale, nil
}
