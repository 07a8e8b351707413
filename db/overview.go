package db

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// standingRead is a group, of which only some columns are read, with its figures.
type standingRead struct {
	groupRead  `bun:",extend"`
	Domain     string  `bun:"domain"`
	OpenAlarms int     `bun:"open_alarms"`
	LastBatch  *vcd.ID `bun:"last_batch"`
	Failed     int     `bun:"failed"`
}

// standingsQuery counts all open alarms at once, by the index comparisons_open, and finds the newest batch of each group.
var standingsQuery = `
SELECT g.account_id, g.id, g.name, g.monitoring, g.enabled, g.schedule_type, g.hour_of_day, g.interval_hours, g.schedule_days,
	g.quiet_start, g.quiet_end, g.next_run_at, g.missed_run, wg.website_id, coalesce(w.domain, '') AS domain,
	coalesce(a.count, 0) AS open_alarms, l.batch_id AS last_batch, f.failed
FROM groups AS g
` + lookUpIfAny("website_groups", "wg", "o.account_id = ?0 AND o.group_id = g.id") + `
` + lookUpIfAny("websites", "w", "o.account_id = ?0 AND o.id = wg.website_id") + `
LEFT JOIN (
	SELECT c.group_id, count(*) FROM comparisons AS c WHERE c.account_id = ?0 AND c.status = 'new' AND ` + undeleted("c.batch_id") + `
	GROUP BY 1) AS a ON a.group_id = g.id
LEFT JOIN LATERAL (
	SELECT bg.batch_id FROM batch_groups AS bg WHERE bg.account_id = ?0 AND bg.group_id = g.id AND ` + undeleted("bg.batch_id") + `
	ORDER BY bg.batch_id DESC LIMIT 1) AS l ON true
CROSS JOIN LATERAL (
	SELECT coalesce(sum(n.failed), 0) AS failed FROM queue_counts AS n
	WHERE n.account_id = ?0 AND n.batch_id = l.batch_id AND n.group_id = g.id) AS f
WHERE g.account_id = ?0 AND g.deleted_at IS NULL
ORDER BY g.created_at, g.id LIMIT ?1`

// GroupStandings implements vcd.OverviewStore.
func (t *tx) GroupStandings(ctx context.Context, limit int) ([]*vcd.GroupStanding, error) {
	var rows []*standingRead
	if err := t.bun.NewRaw(standingsQuery, t.account, limit).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("read how groups stand: %w", err)
	}
	return convertAll(rows, func(r *standingRead) *vcd.GroupStanding {
		return &vcd.GroupStanding{
			Group: *r.group(), Domain: r.Domain, OpenAlarms: r.OpenAlarms, LastBatch: r.LastBatch, Failed: r.Failed,
		}
	}), nil
}

// CountOpenAlarms implements vcd.OverviewStore. Like standingsQuery, it reads the index comparisons_open.
func (t *tx) CountOpenAlarms(ctx context.Context, groups *[]vcd.ID) (n int, err error) {
	q := t.bun.NewSelect().TableExpr("comparisons AS c").ColumnExpr("count(*)").
		Join("JOIN groups AS g ON g.account_id = c.account_id AND g.id = c.group_id AND g.deleted_at IS NULL").
		Where("c.account_id = ? AND c.status = 'new'", t.account).Where(undeleted("c.batch_id"), t.account)
	if err := among(q, "c.group_id", groups).Scan(ctx, &n); err != nil {
		return 0, fmt.Errorf("count open alarms: %w", err)
	}
	return n, nil
}

// UnfinishedAnd implements vcd.OverviewStore.
func (t *tx) UnfinishedAnd(ctx context.Context, wanted []vcd.ID, limit int) ([]*vcd.Batch, error) {
	rows, err := fetch[batchRead](ctx, t, batches, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where(`b.id = ANY(?::uuid[] || ARRAY(SELECT u.id FROM batches AS u
			WHERE u.account_id = ? AND u.finished_at IS NULL ORDER BY u.id LIMIT ?))`, array(wanted), t.account, limit)
	})
	slices.SortFunc(rows, func(a, b *batchRead) int { return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID)) })
	return convertAll(rows, (*batchRead).batch), err
}

// OpenAlarms implements vcd.OverviewStore.
func (t *tx) OpenAlarms(ctx context.Context, of vcd.Holder, wanted []vcd.ID) (map[vcd.ID]int, error) {
	column := columnOf(of)
	var rows []struct {
		ID    vcd.ID `bun:"id"`
		Count int    `bun:"count"`
	}
	err := t.bun.NewRaw(`SELECT c.?1 AS id, count(*) FROM comparisons AS c
		WHERE c.account_id = ?0 AND c.status = 'new' AND c.?1 = ANY(?2) AND `+undeleted("c.batch_id")+" GROUP BY 1",
		t.account, bun.Ident(column), array(wanted)).
		Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count open alarms by %s: %w", column, err)
	}
	counts := make(map[vcd.ID]int, len(rows))
	for _, r := range rows {
		counts[r.ID] = r.Count
	}
	return counts, nil
}

// lastBatchQueries find the newest batch. Ids sort by time.
var lastBatchQueries = map[vcd.Holder]string{
	vcd.HolderGroup: `SELECT bg.batch_id FROM batch_groups AS bg
		WHERE bg.account_id = ?0 AND bg.group_id = p.id AND ` + undeleted("bg.batch_id") + ` ORDER BY bg.batch_id DESC LIMIT 1`,
	vcd.HolderURL: `SELECT q.batch_id FROM queue_entries AS q
		WHERE q.account_id = ?0 AND q.url_id = p.id AND ` + undeleted("q.batch_id") + ` ORDER BY q.created_at DESC, q.id DESC LIMIT 1`,
}

// LastBatches implements vcd.OverviewStore.
func (t *tx) LastBatches(ctx context.Context, of vcd.Holder, wanted []vcd.ID) (map[vcd.ID]vcd.ID, error) {
	var rows []struct {
		ID    vcd.ID `bun:"id"`
		Batch vcd.ID `bun:"batch_id"`
	}
	err := t.bun.NewRaw("SELECT p.id, l.batch_id FROM unnest(?1::uuid[]) AS p (id) CROSS JOIN LATERAL ("+lastBatchQueries[of]+") AS l",
		t.account, array(wanted)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("find the last batches by %s: %w", of, err)
	}
	batches := make(map[vcd.ID]vcd.ID, len(rows))
	for _, r := range rows {
		batches[r.ID] = r.Batch
	}
	return batches, nil
}

// Histories implements vcd.OverviewStore.
func (t *tx) Histories(
	ctx context.Context, of vcd.Holder, wanted []vcd.ID, f vcd.ComparisonFilter, p vcd.Page, count bool,
) (map[vcd.ID]*vcd.ComparisonList, error) {
	parentOf := func(r *comparisonRead) vcd.ID { return r.GroupID }
	if of == vcd.HolderURL {
		f.URLIDs, parentOf = &wanted, func(r *comparisonRead) vcd.ID { return r.URLID }
	} else {
		f.GroupIDs = &wanted
	}
	return t.comparisonsOf(ctx, columnOf(of), wanted, f, p, count, parentOf)
}

func columnOf(of vcd.Holder) string {
	if of == vcd.HolderURL {
		return "url_id"
	}
	return "group_id"
}
