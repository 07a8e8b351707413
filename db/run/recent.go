package run

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// recentScreenshots is how many screenshots RecentPictures examines at most: two days at four runs an hour.
const recentScreenshots = 200

// ConfirmationOf implements run.Tx.
func (t *Tx) ConfirmationOf(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error) {
	row, err := query.FetchOne[entryRow](ctx, t.Scope, query.Own(entries), func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("q.confirms_id = ?", id)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for the confirmation of entry %s: %w", id, err)
	}
	return row.entry(), nil
}

// RecentPictures implements run.Tx. The index screenshots_version finds the newest screenshots.
func (t *Tx) RecentPictures(ctx context.Context, e *vcd.QueueEntry, version string, limit int) ([]string, error) {
	var hashes []string
	err := t.Bun.NewRaw(`
		SELECT i.hash FROM (
			SELECT sh.image_id, sh.created_at FROM screenshots AS sh JOIN queue_entries AS q ON q.account_id = sh.account_id
				AND q.id = sh.queue_id
			WHERE sh.account_id = ?0 AND sh.group_id = ?1 AND sh.url_id = ?2 AND sh.device = ?3 AND sh.sc_version = ?4
				AND sh.type = 'auto' AND (q.created_at, q.id) < (?5, ?6) AND q.confirms_id IS DISTINCT FROM ?6
				AND `+query.Undeleted("sh.batch_id")+`
				AND NOT EXISTS (SELECT FROM queue_entries AS again
					WHERE again.account_id = ?0 AND again.confirms_id = q.id AND again.status = 'done')
			ORDER BY sh.created_at DESC, sh.id DESC LIMIT ?7) AS shown
		`+query.LookUp("images", "i", "o.account_id = ?0 AND o.id = shown.image_id")+`
		GROUP BY i.hash ORDER BY max(shown.created_at) DESC LIMIT ?8`,
		t.Tenant, e.GroupID, e.URLID, e.Device, version, e.CreatedAt, e.ID, recentScreenshots, limit).Scan(ctx, &hashes)
	if err != nil {
		return nil, fmt.Errorf("look for the last pictures before entry %s: %w", e.ID, err)
	}
	return hashes, nil
}

// LastChange implements run.Tx. The order matches the index comparisons_changes.
func (t *Tx) LastChange(ctx context.Context, p vcd.Place, hash string) (vcd.ComparisonStatus, error) {
	q := t.Bun.NewSelect().TableExpr("comparisons AS c").ColumnExpr("c.status").
		Join(query.LookUp("screenshots", "sh", "o.account_id = ? AND o.id = c.after_id"), t.Tenant).
		Where("c.account_id = ? AND c.group_id = ? AND c.url_id = ? AND c.device = ?", t.Tenant, p.GroupID, p.URLID, p.Device).
		Where("c.above_threshold AND c.confirmation IS DISTINCT FROM 'vanished' AND sh.type = 'auto'").
		Where(query.Undeleted("c.batch_id"), t.Tenant)
	if hash != "" {
		q = q.Join(query.LookUp("images", "i", "o.account_id = ? AND o.id = sh.image_id"), t.Tenant).Where("i.hash = ?", hash)
	}
	var status vcd.ComparisonStatus
	err := q.OrderExpr("c.created_at DESC, c.id DESC").Limit(1).Scan(ctx, &status)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("look for the last change of a page: %w", err)
	}
	return status, nil
}
