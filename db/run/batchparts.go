package run

import (
	"context"
	"fmt"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

// BatchSteps implements run.Tx.
func (t *Tx) BatchSteps(ctx context.Context, wanted []vcd.ID, since time.Time) (map[vcd.ID]vcd.BatchSteps, error) {
	var rows []struct {
		ID                        vcd.ID
		Confirming, Recent, Ahead int
	}
	err := t.Bun.NewRaw(`SELECT b.id,
			(SELECT count(*) FROM queue_entries AS q WHERE q.account_id = ?0 AND q.batch_id = b.id AND q.type = 'auto'
				AND q.status IN ('open', 'processing') AND q.confirms_id IS NOT NULL) AS confirming,
			(SELECT count(*) FROM queue_entries AS q WHERE q.account_id = ?0 AND q.batch_id = b.id
				AND q.status IN ('done', 'failed') AND q.updated_at > ?2) AS recent,
			(SELECT coalesce(sum(o.open_count + o.processing_count), 0) FROM batches AS o
				WHERE o.account_id = ?0 AND o.finished_at IS NULL AND (o.created_at, o.id) < (b.created_at, b.id)) AS ahead
		FROM batches AS b WHERE b.account_id = ?0 AND b.id = ANY(?1) AND b.finished_at IS NULL`,
		t.Tenant, query.Array(wanted), since).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the progress of %d batches: %w", len(wanted), err)
	}
	steps := make(map[vcd.ID]vcd.BatchSteps, len(rows))
	for _, r := range rows {
		steps[r.ID] = vcd.BatchSteps{Confirming: r.Confirming, Recent: r.Recent, Ahead: r.Ahead}
	}
	return steps, nil
}

// BatchParts implements run.Tx.
func (t *Tx) BatchParts(ctx context.Context, wanted []vcd.ID) (map[vcd.ID][]*vcd.BatchPart, error) {
	var rows []struct {
		Batch                         vcd.ID  `bun:"batch_id"`
		Group                         vcd.ID  `bun:"group_id"`
		Website                       *vcd.ID `bun:"website_id"`
		Open, Processing              int
		Done, Failed                  int
		OK, New, FalsePositive, ToFix int
		Above                         int
	}
	err := t.Bun.NewRaw(`SELECT bg.batch_id, bg.group_id, wg.website_id, q.*, c.* FROM batch_groups AS bg
		`+query.LookUp("groups", "g", "o.account_id = ?0 AND o.id = bg.group_id")+`
		`+query.LookUpIfAny("website_groups", "wg", "o.account_id = ?0 AND o.group_id = bg.group_id")+`
		CROSS JOIN LATERAL (SELECT coalesce(sum(n.open), 0) AS open, coalesce(sum(n.processing), 0) AS processing,
				coalesce(sum(n.done), 0) AS done, coalesce(sum(n.failed), 0) AS failed
			FROM queue_counts AS n WHERE n.account_id = ?0 AND n.batch_id = bg.batch_id AND n.group_id = bg.group_id) AS q
		CROSS JOIN LATERAL (SELECT coalesce(sum(n.count) FILTER (WHERE n.status = 'ok'), 0) AS ok,
				coalesce(sum(n.count) FILTER (WHERE n.status = 'new'), 0) AS new,
				coalesce(sum(n.count) FILTER (WHERE n.status = 'false_positive'), 0) AS false_positive,
				coalesce(sum(n.count) FILTER (WHERE n.status = 'to_fix'), 0) AS to_fix,
				coalesce(sum(n.count) FILTER (WHERE n.above_threshold), 0) AS above
			FROM comparison_counts AS n WHERE n.account_id = ?0 AND n.batch_id = bg.batch_id AND n.group_id = bg.group_id) AS c
		WHERE bg.account_id = ?0 AND bg.batch_id = ANY(?1) ORDER BY g.name, g.id`, t.Tenant, query.Array(wanted)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("split the figures of %d batches: %w", len(wanted), err)
	}
	parts := make(map[vcd.ID][]*vcd.BatchPart, len(wanted))
	for _, r := range rows {
		parts[r.Batch] = append(parts[r.Batch], &vcd.BatchPart{
			GroupID: r.Group, WebsiteID: r.Website,
			Counts: vcd.StatusCounts{Open: r.Open, Processing: r.Processing, Done: r.Done, Failed: r.Failed},
			Comparisons: vcd.ComparisonCounts{
				OK: r.OK, New: r.New, FalsePositive: r.FalsePositive, ToFix: r.ToFix, AboveThreshold: r.Above,
			},
		})
	}
	return parts, nil
}

// BaselineBatches implements run.Tx.
func (t *Tx) BaselineBatches(ctx context.Context, wanted []vcd.ID) (map[vcd.ID]vcd.ID, error) {
	var rows []struct {
		ID       vcd.ID
		Baseline vcd.ID
	}
	err := t.Bun.NewRaw(`SELECT b.id, m.baseline FROM unnest(?1::uuid[]) AS b (id) CROSS JOIN LATERAL (
			SELECT s.batch_id AS baseline FROM comparisons AS c
			`+query.LookUp("screenshots", "s", "o.account_id = ?0 AND o.id = c.before_id")+`
			WHERE c.account_id = ?0 AND c.batch_id = b.id
			GROUP BY s.batch_id ORDER BY count(*) DESC, s.batch_id DESC LIMIT 1) AS m`, t.Tenant, query.Array(wanted)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("find the baselines of %d batches: %w", len(wanted), err)
	}
	baselines := make(map[vcd.ID]vcd.ID, len(rows))
	for _, r := range rows {
		baselines[r.ID] = r.Baseline
	}
	return baselines, nil
}

// UnseenCounts implements run.Tx.
func (t *Tx) UnseenCounts(ctx context.Context, wanted []vcd.ID) (map[vcd.ID]int, error) {
	var rows []struct {
		ID    vcd.ID
		Count int
	}
	err := t.Bun.NewRaw(`SELECT batch_id AS id, count(*) FROM comparisons
		WHERE account_id = ?0 AND batch_id = ANY(?1) AND unseen <> '' GROUP BY batch_id`, t.Tenant, query.Array(wanted)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count the unseen comparisons of %d batches: %w", len(wanted), err)
	}
	counts := make(map[vcd.ID]int, len(rows))
	for _, r := range rows {
		counts[r.ID] = r.Count
	}
	return counts, nil
}
