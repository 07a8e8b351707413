package run

import (
	"context"
	"fmt"

	"afterimage/db/query"
	"afterimage/vcd"
)

// BatchesComparedWith implements run.Tx.
func (t *Tx) BatchesComparedWith(ctx context.Context, id vcd.ID) (n int, err error) {
	err = t.Bun.NewRaw(`SELECT count(DISTINCT c.batch_id) FROM screenshots AS s
		`+query.LookUp("comparisons", "c", "o.account_id = ?0 AND o.before_id = s.id AND o.batch_id <> ?1 AND "+
		query.Undeleted("o.batch_id"))+`
		WHERE s.account_id = ?0 AND s.batch_id = ?1`, t.Tenant, id).Scan(ctx, &n)
	if err != nil {
		return 0, fmt.Errorf("count the batches that compare with batch %s: %w", id, err)
	}
	return n, nil
}

// deletions take a batch away, what refers to others first. Files of pictures have no row then, and the sweeper finds them.
var deletions = []string{
	`WITH compared AS (DELETE FROM comparisons WHERE account_id = ?0 AND batch_id = ?1 RETURNING image_id),
		taken AS (DELETE FROM screenshots WHERE account_id = ?0 AND batch_id = ?1 RETURNING image_id)
	DELETE FROM images WHERE account_id = ?0 AND id IN (
		SELECT image_id FROM compared WHERE image_id IS NOT NULL UNION SELECT image_id FROM taken)`,
	`DELETE FROM queue_entries WHERE account_id = ?0 AND batch_id = ?1`,
	`DELETE FROM queue_counts WHERE account_id = ?0 AND batch_id = ?1`,
	`DELETE FROM comparison_counts WHERE account_id = ?0 AND batch_id = ?1`,
	`DELETE FROM screenshot_counts WHERE account_id = ?0 AND batch_id = ?1`,
	`DELETE FROM batch_groups WHERE account_id = ?0 AND batch_id = ?1`,
	`DELETE FROM batches WHERE account_id = ?0 AND id = ?1`,
}

// DeleteBatch deletes a batch with all that it still holds.
func (t *Tx) DeleteBatch(ctx context.Context, id vcd.ID) error {
	var used int
	err := t.Bun.NewRaw("SELECT count(*) FROM queue_entries AS q WHERE q.account_id = ?0 AND q.batch_id = ?1 AND "+usedCheck,
		t.Tenant, id).Scan(ctx, &used)
	if err != nil {
		return fmt.Errorf("count the checks of batch %s: %w", id, err)
	}
	for _, statement := range deletions {
		if _, err := t.Bun.NewRaw(statement, t.Tenant, id).Exec(ctx); err != nil {
			return fmt.Errorf("delete batch %s: %w", id, err)
		}
	}
	return t.keepChecks(ctx, id, used)
}

// usedCheck is the condition for an entry q that used one of the account's checks.
const usedCheck = "q.type <> 'compare' AND q.confirms_id IS NULL AND q.status = 'done'"

// keepChecks remembers the checks that removed entries of a batch used. The account's row is locked last, as by everybody.
func (t *Tx) keepChecks(ctx context.Context, id vcd.ID, used int) error {
	_, err := t.Bun.NewRaw("UPDATE accounts SET checks_deleted = checks_deleted + ? WHERE id = ?", used, t.Tenant).Exec(ctx)
	if err != nil {
		return fmt.Errorf("keep the checks of batch %s: %w", id, err)
	}
	return nil
}
