package run

import (
	"context"
	"fmt"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

// TakeDueRetention implements run.Store. Two processes take different accounts.
func (d *Store) TakeDueRetention(ctx context.Context, now, next time.Time, limit int) ([]vcd.DueRetention, error) {
	var rows []struct {
		ID       vcd.ID     `bun:"id"`
		Days     *int       `bun:"keep_days"`
		Runs     int        `bun:"keep_runs"`
		Reviewed bool       `bun:"keep_reviewed"`
		Deleted  *time.Time `bun:"deleted_at"`
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`UPDATE accounts AS a SET retention_due_at = ? FROM (
				SELECT id FROM accounts WHERE retention_due_at <= ? ORDER BY retention_due_at LIMIT ? FOR NO KEY UPDATE SKIP LOCKED
			) AS due WHERE a.id = due.id RETURNING a.id, a.keep_days, a.keep_runs, a.keep_reviewed, a.deleted_at`,
			next, now, limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for accounts with expired runs: %w", err)
	}
	due := make([]vcd.DueRetention, len(rows))
	for i, r := range rows {
		due[i] = vcd.DueRetention{
			Account: r.ID, Rule: vcd.RunRetention{Days: r.Days, Runs: r.Runs, Reviewed: r.Reviewed}, Deleted: query.UTC(r.Deleted),
		}
	}
	return due, nil
}

// DueRetentionAt implements run.Tx.
func (t *Tx) DueRetentionAt(ctx context.Context, at time.Time) error {
	if _, err := t.Bun.NewRaw("UPDATE accounts SET retention_due_at = ? WHERE id = ?", at, t.Tenant).Exec(ctx); err != nil {
		return fmt.Errorf("set the next check of expired runs: %w", err)
	}
	return nil
}

// heldScreenshots selects the screenshots of batch ?1 of account ?0 that must stay: those that comparisons of other batches
// show, and those that the next screenshot of their place may be compared with. That is the newest one of its type until a
// newer one has been compared in a run that is over; and all of a place while a comparison of it is waiting or under way.
// A screenshot whose confirmation stays does so too: the entry of the one refers to that of the other.
var heldScreenshots = `needed AS (
	SELECT s.id, s.queue_id, own.confirms_id FROM screenshots AS s
	` + query.LookUp("queue_entries", "own", "o.account_id = ?0 AND o.id = s.queue_id") + `
	WHERE s.account_id = ?0 AND s.batch_id = ?1 AND (
		EXISTS (SELECT FROM comparisons AS c WHERE c.account_id = ?0 AND c.before_id = s.id AND c.batch_id <> ?1)
		OR EXISTS (SELECT FROM comparisons AS c WHERE c.account_id = ?0 AND c.after_id = s.id AND c.batch_id <> ?1)
		OR is_shown(s.account_id, s.group_id, s.url_id) AND (
			NOT EXISTS (SELECT FROM queue_entries AS q ` + query.LookUp("batches", "b", "o.account_id = ?0 AND o.id = q.batch_id") + `
				WHERE q.account_id = ?0 AND q.group_id = s.group_id AND q.url_id = s.url_id AND q.device = s.device
					AND q.type = s.type AND (q.created_at, q.id) > (own.created_at, own.id) AND q.status = 'done'
					AND q.batch_id <> ?1 AND b.finished_at IS NOT NULL
					AND NOT EXISTS (SELECT FROM queue_entries AS k
						WHERE k.account_id = ?0 AND k.subject_id = q.id AND k.status = 'failed' OFFSET 0))
			OR EXISTS (SELECT FROM queue_entries AS w
				WHERE w.account_id = ?0 AND w.group_id = s.group_id AND w.url_id = s.url_id AND w.device = s.device
					AND w.type = 'compare' AND w.status IN ('open', 'processing'))))
), held AS (
	SELECT s.id, s.queue_id FROM screenshots AS s WHERE s.account_id = ?0 AND s.batch_id = ?1
		AND (s.id IN (SELECT id FROM needed) OR s.queue_id IN (SELECT confirms_id FROM needed))
)`

// expiredBatches is the condition for a finished batch b of account ?0 whose runs the Expiry ?1 (before), ?2 (now), ?3 (runs),
// ?4 (reviewed) and ?5 (deleted) keeps no longer.
var expiredBatches = `b.account_id = ?0 AND b.deleted_at IS NULL AND b.finished_at < ?1 AND (?5 OR NOT (
	EXISTS (SELECT FROM batch_links AS l
		WHERE l.account_id = ?0 AND l.batch_id = b.id AND (l.expires_at IS NULL OR l.expires_at > ?2))
	OR ?4 AND EXISTS (SELECT FROM comparisons AS c WHERE c.account_id = ?0 AND c.batch_id = b.id AND c.review_id IS NOT NULL)
	OR ?4 AND EXISTS (SELECT FROM change_verdicts AS v WHERE v.account_id = ?0 AND v.batch_id = b.id)
	OR ?4 AND b.id IN (SELECT c.batch_id FROM comparison_comments AS m
		` + query.LookUp("comparisons", "c", "o.account_id = ?0 AND o.id = m.comparison_id") + ` WHERE m.account_id = ?0)
	OR EXISTS (SELECT FROM batch_groups AS own
		` + query.LookUp("groups", "g", "o.account_id = ?0 AND o.id = own.group_id AND o.deleted_at IS NULL") + `
		WHERE own.account_id = ?0 AND own.batch_id = b.id AND ?3 > (SELECT count(*) FROM (
			SELECT FROM batch_groups AS bg ` + query.LookUp("batches", "n", "o.account_id = ?0 AND o.id = bg.batch_id") + `
			WHERE bg.account_id = ?0 AND bg.group_id = own.group_id AND n.finished_at IS NOT NULL
				AND (n.created_at, n.id) > (b.created_at, b.id) LIMIT ?3) AS newer))))`

// expiryArguments are those of expiredBatches.
func (t *Tx) expiryArguments(e vcd.Expiry) []any {
	return []any{t.Tenant, e.Before, e.Now, e.Runs, e.Reviewed, e.Deleted}
}

// ExpiredBatches implements run.Tx. The newest come first: once their comparisons are gone, those no longer hold the
// screenshots of older ones. Batches that expired before come last, since their remaining screenshots may no longer be needed.
func (t *Tx) ExpiredBatches(ctx context.Context, e vcd.Expiry, limit int) ([]vcd.ID, error) {
	var found []string
	err := t.Bun.NewRaw(`SELECT id FROM (
			(SELECT b.id, b.finished_at, false AS again FROM batches AS b WHERE b.expired_at IS NULL AND `+expiredBatches+`
				ORDER BY b.finished_at DESC LIMIT ?6)
			UNION ALL
			SELECT b.id, b.finished_at, true FROM batches AS b WHERE b.expired_at < ?2 AND `+expiredBatches+`
		) AS expired ORDER BY again, finished_at DESC, id DESC LIMIT ?6`, append(t.expiryArguments(e), limit)...).Scan(ctx, &found)
	if err != nil {
		return nil, fmt.Errorf("list expired batches: %w", err)
	}
	return query.IDs(found), nil
}

// ExpireBatch implements run.Tx.
func (t *Tx) ExpireBatch(ctx context.Context, id vcd.ID, e vcd.Expiry) (freed vcd.Freed, gone bool, err error) {
	var still bool
	err = t.Bun.NewRaw("SELECT EXISTS (SELECT FROM batches AS b WHERE b.id = ?6 AND "+expiredBatches+")",
		append(t.expiryArguments(e), id)...).Scan(ctx, &still)
	if err != nil || !still {
		return freed, false, err
	}
	files, err := t.removeExpired(ctx, id, &freed)
	if err != nil {
		return freed, false, fmt.Errorf("remove the screenshots of batch %s: %w", id, err)
	}
	if gone, err = t.shrinkBatch(ctx, id, e.Now); err != nil {
		return freed, false, err
	}
	if gone {
		freed.Runs = 1
	}
	err = t.Bun.NewRaw("SELECT coalesce(sum(b.size), 0) FROM blobs AS b WHERE b.hash = ANY(?) AND "+query.Unnamed, query.Array(files)).
		Scan(ctx, &freed.Bytes)
	if err != nil {
		return freed, false, fmt.Errorf("count what batch %s freed: %w", id, err)
	}
	return freed, gone, nil
}

// removeExpired removes comparisons and screenshots of a batch, and returns the files that their rows named.
func (t *Tx) removeExpired(ctx context.Context, id vcd.ID, freed *vcd.Freed) (files []string, err error) {
	var removed struct {
		Comparisons int      `bun:"comparisons"`
		Screenshots int      `bun:"screenshots"`
		Images      []string `bun:"images,array"`
		Elements    []string `bun:"elements,array"`
	}
	// What holds a screenshot is read before the comparisons of the batch itself go, which hold nothing of it.
	err = t.Bun.NewRaw(`WITH `+heldScreenshots+`, compared AS (
			DELETE FROM comparisons WHERE account_id = ?0 AND batch_id = ?1 RETURNING image_id
		), taken AS (
			DELETE FROM screenshots WHERE account_id = ?0 AND batch_id = ?1 AND id NOT IN (SELECT id FROM held)
			RETURNING image_id, elements_hash
		)
		SELECT (SELECT count(*) FROM compared) AS comparisons, (SELECT count(*) FROM taken) AS screenshots,
			(SELECT coalesce(array_agg(image_id), '{}') FROM (SELECT image_id FROM compared WHERE image_id IS NOT NULL
				UNION SELECT image_id FROM taken) AS i) AS images,
			(SELECT coalesce(array_agg(DISTINCT elements_hash), '{}') FROM taken WHERE elements_hash IS NOT NULL) AS elements`,
		t.Tenant, id).Scan(ctx, &removed)
	if err != nil {
		return nil, err
	}
	freed.Comparisons, freed.Screenshots = removed.Comparisons, removed.Screenshots
	var named []string
	err = t.Bun.NewRaw(`WITH gone AS (DELETE FROM images WHERE account_id = ?0 AND id = ANY(?1) RETURNING hash, over)
		SELECT hash FROM gone UNION SELECT over FROM gone WHERE over IS NOT NULL`, t.Tenant, query.Array(removed.Images)).Scan(ctx, &named)
	return append(named, removed.Elements...), err
}

// shrinkBatch removes the entries of a batch whose screenshots and comparisons are gone, and the batch when nothing is left.
func (t *Tx) shrinkBatch(ctx context.Context, id vcd.ID, now time.Time) (gone bool, err error) {
	var left int
	err = t.Bun.NewRaw("SELECT count(*) FROM screenshots WHERE account_id = ? AND batch_id = ?", t.Tenant, id).Scan(ctx, &left)
	if err != nil {
		return false, fmt.Errorf("count the screenshots of batch %s: %w", id, err)
	}
	if left == 0 {
		return true, t.DeleteBatch(ctx, id)
	}
	var used int
	err = t.Bun.NewRaw(`WITH gone AS (
			DELETE FROM queue_entries AS q WHERE q.account_id = ?0 AND q.batch_id = ?1 AND NOT EXISTS (
				SELECT FROM screenshots AS s WHERE s.account_id = ?0 AND s.queue_id = q.id OFFSET 0)
			RETURNING q.type, q.confirms_id, q.status)
		SELECT count(*) FILTER (WHERE `+usedCheck+`) FROM gone AS q`, t.Tenant, id).Scan(ctx, &used)
	if err != nil {
		return false, fmt.Errorf("remove the entries of batch %s: %w", id, err)
	}
	for _, statement := range []string{
		"DELETE FROM comparison_counts WHERE account_id = ?0 AND batch_id = ?1",
		"UPDATE flow_runs SET image_id = NULL WHERE account_id = ?0 AND batch_id = ?1 AND image_id IS NOT NULL",
		`UPDATE batches SET expired_at = ?2, updated_at = ?2, open_count = 0, processing_count = 0, failed_count = 0, done_count = (
			SELECT count(*) FROM queue_entries WHERE account_id = ?0 AND batch_id = ?1) WHERE account_id = ?0 AND id = ?1`,
	} {
		if _, err := t.Bun.NewRaw(statement, t.Tenant, id, now).Exec(ctx); err != nil {
			return false, fmt.Errorf("shrink batch %s: %w", id, err)
		}
	}
	return false, t.keepChecks(ctx, id, used)
}

// RecordFreed implements run.Tx.
func (t *Tx) RecordFreed(ctx context.Context, day time.Time, f vcd.Freed) error {
	_, err := t.Bun.NewRaw(`INSERT INTO freed_storage AS s (account_id, day, runs, screenshots, comparisons, bytes)
		VALUES (?, utc_day(?), ?, ?, ?, ?) ON CONFLICT (account_id, day) DO UPDATE SET runs = s.runs + excluded.runs,
			screenshots = s.screenshots + excluded.screenshots, comparisons = s.comparisons + excluded.comparisons,
			bytes = s.bytes + excluded.bytes`, t.Tenant, day, f.Runs, f.Screenshots, f.Comparisons, f.Bytes).Exec(ctx)
	if err != nil {
		return fmt.Errorf("record what was freed: %w", err)
	}
	return nil
}

// FreedSince implements account.Tx.
func (t *Tx) FreedSince(ctx context.Context, day time.Time) ([]vcd.FreedDay, error) {
	var rows []struct {
		Day         time.Time `bun:"day"`
		Runs        int       `bun:"runs"`
		Screenshots int       `bun:"screenshots"`
		Comparisons int       `bun:"comparisons"`
		Bytes       int64     `bun:"bytes"`
	}
	err := t.Bun.NewRaw(`SELECT day, runs, screenshots, comparisons, bytes FROM freed_storage
		WHERE account_id = ? AND day >= utc_day(?) ORDER BY day DESC`, t.Tenant, day).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read what was freed: %w", err)
	}
	days := make([]vcd.FreedDay, len(rows))
	for i, r := range rows {
		days[i] = vcd.FreedDay{Day: r.Day.UTC(), Freed: vcd.Freed{
			Runs: r.Runs, Screenshots: r.Screenshots, Comparisons: r.Comparisons, Bytes: r.Bytes,
		}}
	}
	return days, nil
}

// RemoveFreedStorage implements run.Store.
func (d *Store) RemoveFreedStorage(ctx context.Context, before time.Time, limit int) (removed int, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`WITH gone AS (
				DELETE FROM freed_storage AS f USING (
					SELECT account_id, day FROM freed_storage WHERE day < utc_day(?) LIMIT ? FOR UPDATE SKIP LOCKED
				) AS old WHERE f.account_id = old.account_id AND f.day = old.day RETURNING f.day)
			SELECT count(*) FROM gone`, before, limit).Scan(ctx, &removed)
	})
	if err != nil {
		return 0, fmt.Errorf("remove old reports of freed storage: %w", err)
	}
	return removed, nil
}

// storageRow is what an account stores, as measured last.
type storageRow struct {
	Bytes      int64      `bun:"stored_bytes"`
	Files      int64      `bun:"stored_files"`
	Limit      *int64     `bun:"storage_limit"`
	MeasuredAt *time.Time `bun:"stored_at"`
}

func (r storageRow) storage() *vcd.Storage {
	return &vcd.Storage{Bytes: r.Bytes, Files: r.Files, Limit: r.Limit, MeasuredAt: query.UTC(r.MeasuredAt)}
}

// MeasureStorage implements run.Tx. Each file counts once, however many rows of the account name it.
func (t *Tx) MeasureStorage(ctx context.Context, now time.Time) (*vcd.Storage, error) {
	var row storageRow
	err := t.Bun.NewRaw(`UPDATE accounts SET stored_bytes = n.bytes, stored_files = n.files, stored_at = ?1 FROM (
			SELECT count(*) AS files, coalesce(sum(b.size), 0) AS bytes FROM blobs AS b WHERE b.hash IN (
				SELECT hash FROM images WHERE account_id = ?0
				UNION SELECT over FROM images WHERE account_id = ?0 AND over IS NOT NULL
				UNION SELECT elements_hash FROM screenshots WHERE account_id = ?0 AND elements_hash IS NOT NULL)) AS n
		WHERE id = ?0 RETURNING stored_bytes, stored_files, storage_limit, stored_at`, t.Tenant, now).Scan(ctx, &row)
	if err != nil {
		return nil, fmt.Errorf("measure the storage: %w", err)
	}
	return row.storage(), nil
}

// Storage implements account.Tx.
func (t *Tx) Storage(ctx context.Context) (*vcd.Storage, error) {
	var row storageRow
	err := t.Bun.NewRaw("SELECT stored_bytes, stored_files, storage_limit, stored_at FROM accounts WHERE id = ?", t.Tenant).
		Scan(ctx, &row)
	if err != nil {
		return nil, fmt.Errorf("read what is stored: %w", err)
	}
	return row.storage(), nil
}

// TellStorage implements run.Tx.
func (t *Tx) TellStorage(ctx context.Context, percent int) (before int, err error) {
	err = t.Bun.NewRaw(`UPDATE accounts AS a SET storage_told = ?0 FROM (SELECT storage_told FROM accounts WHERE id = ?1) AS old
		WHERE a.id = ?1 RETURNING old.storage_told`, percent, t.Tenant).Scan(ctx, &before)
	if err != nil {
		return 0, fmt.Errorf("store which notice about storage was sent: %w", err)
	}
	return before, nil
}
