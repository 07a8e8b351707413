package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// UnfinishedAnd implements account.Tx.
func (t *Tx) UnfinishedAnd(ctx context.Context, wanted []vcd.ID, limit int) ([]*vcd.Batch, error) {
	rows, err := query.Fetch[batchRead](ctx, t.Scope, batches, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where(`b.id = ANY(?::uuid[] || ARRAY(SELECT u.id FROM batches AS u
			WHERE u.account_id = ? AND u.finished_at IS NULL ORDER BY u.id LIMIT ?))`, query.Array(wanted), t.Tenant, limit)
	})
	slices.SortFunc(rows, func(a, b *batchRead) int { return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID)) })
	return query.ConvertAll(rows, (*batchRead).batch), err
}

// lastBatchQueries find the newest batch. Ids sort by time.
var lastBatchQueries = map[vcd.Holder]string{
	vcd.HolderGroup: `SELECT bg.batch_id FROM batch_groups AS bg
		WHERE bg.account_id = ?0 AND bg.group_id = p.id AND ` + query.Undeleted("bg.batch_id") + ` ORDER BY bg.batch_id DESC LIMIT 1`,
	vcd.HolderURL: `SELECT q.batch_id FROM queue_entries AS q
		WHERE q.account_id = ?0 AND q.url_id = p.id AND ` +
		query.Undeleted("q.batch_id") + ` ORDER BY q.created_at DESC, q.id DESC LIMIT 1`,
}

// LastBatches implements run.Tx.
func (t *Tx) LastBatches(ctx context.Context, of vcd.Holder, wanted []vcd.ID) (map[vcd.ID]vcd.ID, error) {
	var rows []struct {
		ID    vcd.ID `bun:"id"`
		Batch vcd.ID `bun:"batch_id"`
	}
	err := t.Bun.NewRaw("SELECT p.id, l.batch_id FROM unnest(?1::uuid[]) AS p (id) CROSS JOIN LATERAL ("+lastBatchQueries[of]+") AS l",
		t.Tenant, query.Array(wanted)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("find the last batches by %s: %w", of, err)
	}
	batches := make(map[vcd.ID]vcd.ID, len(rows))
	for _, r := range rows {
		batches[r.ID] = r.Batch
	}
	return batches, nil
}
