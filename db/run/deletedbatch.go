package run

import (
	"context"
	"fmt"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

// HideBatch implements run.Tx. Links and uploads go at once: their secrets and names are looked up without the batch.
func (t *Tx) HideBatch(ctx context.Context, id vcd.ID, now time.Time) error {
	for _, statement := range []string{
		"UPDATE batches SET deleted_at = ?2, updated_at = ?2 WHERE account_id = ?0 AND id = ?1",
		"DELETE FROM batch_links WHERE account_id = ?0 AND batch_id = ?1",
		"DELETE FROM uploads WHERE account_id = ?0 AND batch_id = ?1",
	} {
		if _, err := t.Bun.NewRaw(statement, t.Tenant, id, now).Exec(ctx); err != nil {
			return fmt.Errorf("hide batch %s: %w", id, err)
		}
	}
	return nil
}

// removableEntries selects some entries of batch ?1 of account ?0: comparisons first, which refer to screenshots, then confirmations,
// which refer to what they confirm. Whatever comparisons of other batches show stays; one may have been made while this batch was deleted.
const removableEntries = `SELECT q.id, q.status, ` + usedCheck + ` AS used FROM queue_entries AS q
	WHERE q.account_id = ?0 AND q.batch_id = ?1 AND NOT EXISTS (
		SELECT FROM screenshots AS s CROSS JOIN LATERAL (
			SELECT FROM comparisons AS c WHERE c.account_id = ?0 AND c.batch_id <> ?1 AND c.before_id = s.id
			UNION ALL SELECT FROM comparisons AS c WHERE c.account_id = ?0 AND c.batch_id <> ?1 AND c.after_id = s.id) AS c
		WHERE s.account_id = ?0 AND s.queue_id = q.id OFFSET 0)
	ORDER BY q.type <> 'compare', q.confirms_id IS NULL, q.id LIMIT ?2 FOR UPDATE OF q`

// removals take entries ?1 of account ?0 away with all that they made, what refers to others first. Files of pictures have no row then,
// and the sweeper finds them.
var removals = []string{
	`WITH compared AS (DELETE FROM comparisons WHERE account_id = ?0 AND queue_id = ANY(?1) RETURNING image_id)
		DELETE FROM images WHERE account_id = ?0 AND id IN (SELECT image_id FROM compared WHERE image_id IS NOT NULL)`,
	`WITH taken AS (DELETE FROM screenshots WHERE account_id = ?0 AND queue_id = ANY(?1) RETURNING image_id)
		DELETE FROM images WHERE account_id = ?0 AND id IN (SELECT image_id FROM taken)`,
	"DELETE FROM queue_entries WHERE account_id = ?0 AND id = ANY(?1)",
}

// RemoveHidden implements run.Tx.
func (t *Tx) RemoveHidden(ctx context.Context, id vcd.ID, limit int) (removed int, err error) {
	var rows []struct {
		ID     vcd.ID          `bun:"id"`
		Status vcd.QueueStatus `bun:"status"`
		Used   bool            `bun:"used"`
	}
	if err := t.Bun.NewRaw(removableEntries, t.Tenant, id, limit).Scan(ctx, &rows); err != nil {
		return 0, fmt.Errorf("lock entries of deleted batch %s: %w", id, err)
	}
	if len(rows) == 0 {
		return 0, nil
	}
	var counts vcd.StatusCounts
	entries, used := make([]vcd.ID, len(rows)), 0
	for i, r := range rows {
		entries[i] = r.ID
		counts.Add(r.Status, 1)
		if r.Used {
			used++
		}
	}
	for _, statement := range removals {
		if _, err := t.Bun.NewRaw(statement, t.Tenant, query.Array(entries)).Exec(ctx); err != nil {
			return 0, fmt.Errorf("remove entries of deleted batch %s: %w", id, err)
		}
	}
	_, err = t.Bun.NewRaw(`UPDATE batches SET done_count = done_count - ?2, failed_count = failed_count - ?3
		WHERE account_id = ?0 AND id = ?1`, t.Tenant, id, counts.Done, counts.Failed).Exec(ctx)
	if err != nil {
		return 0, fmt.Errorf("count what is left of deleted batch %s: %w", id, err)
	}
	if used == 0 {
		return len(rows), nil
	}
	return len(rows), t.keepChecks(ctx, id, used)
}

// RemoveEmptied implements run.Tx.
func (t *Tx) RemoveEmptied(ctx context.Context, id vcd.ID) (gone bool, err error) {
	var left bool
	err = t.Bun.NewRaw("SELECT EXISTS (SELECT FROM queue_entries WHERE account_id = ? AND batch_id = ?)", t.Tenant, id).Scan(ctx, &left)
	if err != nil {
		return false, fmt.Errorf("look what is left of deleted batch %s: %w", id, err)
	}
	if left {
		return false, nil
	}
	return true, t.DeleteBatch(ctx, id)
}

// DeletedBatches implements run.Store.
func (d *Store) DeletedBatches(ctx context.Context, limit int) ([]vcd.DeletedBatch, error) {
	var rows []struct {
		Account vcd.ID `bun:"account_id"`
		Batch   vcd.ID `bun:"id"`
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw("SELECT account_id, id FROM batches WHERE deleted_at IS NOT NULL ORDER BY "+
			query.InTurn("account_id")+" LIMIT ?",
			limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for deleted batches: %w", err)
	}
	left := make([]vcd.DeletedBatch, len(rows))
	for i, r := range rows {
		left[i] = vcd.DeletedBatch(r)
	}
	return left, nil
}
