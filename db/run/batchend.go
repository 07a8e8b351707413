package run

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// shotsFirst is the order in which every transaction locks the entries of a batch: screenshots before the comparisons
// that depend on them.
const shotsFirst = "q.type = 'compare', q.created_at, q.id"

// LockUnended implements run.Tx.
func (t *Tx) LockUnended(ctx context.Context, batch vcd.ID, limit int) ([]*vcd.QueueEntry, error) {
	return t.lockEntries(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("q.batch_id = ? AND q.status IN ('open', 'processing')", batch).
			OrderExpr("q.status = 'open', " + shotsFirst).Limit(int64(limit))
	})
}

// LockWithdrawn implements run.Tx.
func (t *Tx) LockWithdrawn(ctx context.Context, batch vcd.ID, limit int) (shots, comparisons []*vcd.QueueEntry, err error) {
	shots, err = t.lockEntries(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("q.batch_id = ? AND q.status = 'open' AND q.type <> 'compare' AND q.confirms_id IS NULL", batch).
			Where("q.leader_id IS DISTINCT FROM q.id"). // one that leads has followers, which stay
			Where("NOT EXISTS (SELECT FROM group_urls AS s WHERE s.account_id = q.account_id AND s.group_id = q.group_id AND " +
				"s.url_id = q.url_id OFFSET 0)").OrderExpr(shotsFirst).Limit(int64(limit))
	})
	if err != nil || len(shots) == 0 {
		return nil, nil, err
	}
	comparisons, err = t.lockEntries(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("q.batch_id = ? AND q.status = 'open' AND q.type = 'compare' AND q.subject_id = ANY(?)", batch,
			query.Array(entryIDs(shots))).OrderExpr(shotsFirst)
	})
	return shots, comparisons, err
}

// LockFollowers implements run.Tx.
func (t *Tx) LockFollowers(ctx context.Context, leader vcd.ID) ([]*vcd.QueueEntry, error) {
	return t.lockEntries(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("q.leader_id = ? AND q.id <> ? AND q.status = 'open'", leader, leader).OrderExpr(shotsFirst)
	})
}

// Lead implements run.Tx.
func (t *Tx) Lead(ctx context.Context, leader vcd.ID, followers []vcd.ID) error {
	_, err := t.Affect(ctx, "make an entry lead others", `UPDATE queue_entries SET leader_id = ?2, dispatched = id = ?2
		WHERE account_id = ?0 AND id = ANY(?1)`, t.Tenant, query.Array(followers), leader)
	return err
}

// LockFailed implements run.Tx.
func (t *Tx) LockFailed(ctx context.Context, batch vcd.ID) ([]*vcd.QueueEntry, error) {
	return t.lockEntries(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("q.batch_id = ? AND q.status = 'failed' AND q.confirms_id IS NULL", batch).OrderExpr(shotsFirst)
	})
}

// LockComparisonsBeyond implements run.Tx. The condition matches the index queue_entries_waiting. Comparisons whose own
// screenshot has not been taken wait for that.
func (t *Tx) LockComparisonsBeyond(ctx context.Context, batch vcd.ID, entries []*vcd.QueueEntry) ([]*vcd.QueueEntry, error) {
	places := t.Bun.NewSelect().TableExpr("queue_entries AS e").ColumnExpr("e.group_id, e.url_id, e.device").
		Where("e.account_id = ? AND e.id = ANY(?) AND e.type <> 'compare'", t.Tenant, query.Array(entryIDs(entries)))
	return t.lockEntries(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("q.type = 'compare' AND q.status = 'open' AND NOT q.dispatched AND q.batch_id <> ?", batch).
			Where("EXISTS (SELECT FROM queue_entries AS s WHERE s.account_id = q.account_id AND s.id = q.subject_id AND "+
				"s.status IN ('done', 'failed') OFFSET 0)").
			Where("(q.group_id, q.url_id, q.device) IN (?)", places).OrderExpr("q.created_at, q.id")
	})
}

func (t *Tx) lockEntries(ctx context.Context, which query.Narrow) ([]*vcd.QueueEntry, error) {
	var rows []*entryRow
	if err := query.ForChange(which(t.Bun.NewSelect().Model(&rows).Where("q.account_id = ?", t.Tenant))).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock queue entries: %w", err)
	}
	return query.ConvertAll(rows, (*entryRow).entry), nil
}

func entryIDs(entries []*vcd.QueueEntry) []vcd.ID {
	list := make([]vcd.ID, len(entries))
	for i, e := range entries {
		list[i] = e.ID
	}
	return list
}

// EndEntries implements run.Tx.
func (t *Tx) EndEntries(ctx context.Context, entries []*vcd.QueueEntry) error {
	first := entries[0]
	_, err := t.Affect(ctx, "end queue entries", `UPDATE queue_entries
		SET status = ?2, reason = ?3, error_msg = ?4, notice = '', updated_at = ?5 WHERE account_id = ?0 AND id = ANY(?1)`,
		t.Tenant, query.Array(entryIDs(entries)), first.Status, first.Reason, first.ErrorMsg, first.UpdatedAt)
	for _, e := range entries {
		t.Outbox.Ended = append(t.Outbox.Ended, e.ID)
		t.Outbox.Cancelled = append(t.Outbox.Cancelled, e.ID)
	}
	return err
}

// ReopenEntries implements run.Tx.
func (t *Tx) ReopenEntries(ctx context.Context, entries []*vcd.QueueEntry) error {
	_, err := t.Affect(ctx, "reopen queue entries", `UPDATE queue_entries
		SET status = 'open', reason = '', error_msg = '', notice = '', attempts = 0, dispatched = type <> 'compare',
			refused_since = NULL, refused_status = 0, not_before = NULL, reopened = reopened + 1, reopened_at = ?2, updated_at = ?2
		WHERE account_id = ?0 AND id = ANY(?1)`, t.Tenant, query.Array(entryIDs(entries)), entries[0].UpdatedAt)
	return err
}

// baselineOfSubject finds the entries q that may be the baseline of s, like olderBaselines.
var baselineOfSubject = `q.account_id = ?0 AND q.group_id = s.group_id AND q.url_id = s.url_id AND q.device = s.device
	AND q.type = CASE s.type WHEN 'post' THEN 'pre' ELSE s.type END AND (q.created_at, q.id) < (s.created_at, s.id)
	AND q.confirms_id IS DISTINCT FROM s.id AND ` + query.Undeleted("q.batch_id")

// dispatchReady asks for many comparisons at once what is otherwise asked for each: ConfirmationOf, HasPendingBaseline, and BaselineOf
// or BaselineOfVersion.
var dispatchReady = `UPDATE queue_entries AS c SET dispatched = true FROM queue_entries AS s
	WHERE c.account_id = ?0 AND c.id = ANY(?1) AND c.status = 'open' AND NOT c.dispatched
		AND s.account_id = c.account_id AND s.id = c.subject_id AND s.status = 'done'
		AND NOT EXISTS (SELECT FROM queue_entries AS r
			WHERE r.account_id = ?0 AND r.confirms_id = s.id AND r.status IN ('open', 'processing'))
		AND EXISTS (SELECT FROM (
				SELECT q.id, q.status FROM queue_entries AS q WHERE ` + baselineOfSubject + ` AND q.status <> 'failed'
				ORDER BY q.created_at DESC, q.id DESC LIMIT 1) AS newest
			WHERE newest.status = 'done' AND (s.type = 'auto' OR EXISTS (
				SELECT FROM screenshots AS sh WHERE sh.account_id = ?0 AND sh.queue_id = newest.id)))
		AND (s.type <> 'auto' OR EXISTS (SELECT FROM screenshots AS own CROSS JOIN queue_entries AS q
			JOIN screenshots AS taken ON taken.account_id = ?0 AND taken.queue_id = q.id AND taken.sc_version = own.sc_version
			WHERE own.account_id = ?0 AND own.queue_id = s.id AND q.status = 'done' AND ` + baselineOfSubject + `))
	RETURNING c.id`

// DispatchReady implements run.Tx.
func (t *Tx) DispatchReady(ctx context.Context, comparisons []vcd.ID) ([]vcd.ID, error) {
	if len(comparisons) == 0 {
		return nil, nil
	}
	var ready []string
	if err := t.Bun.NewRaw(dispatchReady, t.Tenant, query.Array(comparisons)).Scan(ctx, &ready); err != nil {
		return nil, fmt.Errorf("dispatch those of %d comparisons that are ready: %w", len(comparisons), err)
	}
	return query.IDs(ready), nil
}

// StopBatches implements run.Tx. It locks the batches in the order of their ids.
func (t *Tx) StopBatches(ctx context.Context, now time.Time) ([]vcd.ID, error) {
	var stopped []string
	err := t.Bun.NewRaw(`
		WITH going AS (SELECT id FROM batches WHERE account_id = ?0 AND finished_at IS NULL AND cancelled_at IS NULL ORDER BY id FOR UPDATE)
		UPDATE batches AS b SET cancelled_at = ?1, updated_at = ?1, uploading = false FROM going
		WHERE b.account_id = ?0 AND b.id = going.id RETURNING b.id`, t.Tenant, now).Scan(ctx, &stopped)
	if err != nil {
		return nil, fmt.Errorf("stop the batches of the account: %w", err)
	}
	return query.IDs(stopped), nil
}

// UnfinishedBatches implements run.Tx.
func (t *Tx) UnfinishedBatches(ctx context.Context, limit int) ([]vcd.ID, error) {
	return t.ownIDs(ctx, "SELECT id FROM batches WHERE account_id = ? AND finished_at IS NULL ORDER BY id LIMIT ?", limit)
}

// UnendedImports implements run.Tx.
func (t *Tx) UnendedImports(ctx context.Context, limit int) ([]vcd.ID, error) {
	return t.ownIDs(ctx, "SELECT subject_id FROM turns WHERE account_id = ? AND kind = 'import' ORDER BY subject_id LIMIT ?", limit)
}

func (t *Tx) ownIDs(ctx context.Context, question string, limit int) ([]vcd.ID, error) {
	var found []string
	if err := t.Bun.NewRaw(question, t.Tenant, limit).Scan(ctx, &found); err != nil {
		return nil, fmt.Errorf("list the account's work in progress: %w", err)
	}
	return query.IDs(found), nil
}

// CancelledBatches implements run.Store.
func (d *Store) CancelledBatches(ctx context.Context, limit int) ([]vcd.CancelledBatch, error) {
	var rows []struct {
		Account vcd.ID            `bun:"account_id"`
		Batch   vcd.ID            `bun:"id"`
		Status  vcd.AccountStatus `bun:"status"`
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`SELECT b.account_id, b.id, a.status FROM batches AS b `+query.LookUp("accounts", "a", "o.id = b.account_id")+`
			WHERE b.finished_at IS NULL AND (b.cancelled_at IS NOT NULL OR a.status <> 'active')
			ORDER BY `+query.InTurn("b.account_id")+` LIMIT ?`, limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for batches to be ended: %w", err)
	}
	left := make([]vcd.CancelledBatch, len(rows))
	for i, r := range rows {
		left[i] = vcd.CancelledBatch(r)
	}
	return left, nil
}

// CancelledImports implements run.Store.
func (d *Store) CancelledImports(ctx context.Context, limit int) ([]vcd.CancelledImport, error) {
	var rows []struct {
		Account vcd.ID            `bun:"account_id"`
		Import  vcd.ID            `bun:"subject_id"`
		Status  vcd.AccountStatus `bun:"status"`
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`SELECT t.account_id, t.subject_id, a.status FROM turns AS t `+
			query.LookUp("accounts", "a", "o.id = t.account_id")+`
			WHERE t.kind = 'import' AND a.status <> 'active' ORDER BY `+query.InTurn("t.account_id")+` LIMIT ?`, limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for imports to be ended: %w", err)
	}
	left := make([]vcd.CancelledImport, len(rows))
	for i, r := range rows {
		left[i] = vcd.CancelledImport(r)
	}
	return left, nil
}
