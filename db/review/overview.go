package review

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// CountOpenAlarms implements outbound.Tx. Like standingsQuery, it reads the index comparisons_open.
func (t *Tx) CountOpenAlarms(ctx context.Context, groups *[]vcd.ID) (n int, err error) {
	q := t.Bun.NewSelect().TableExpr("comparisons AS c").ColumnExpr("count(*)").
		Join("JOIN groups AS g ON g.account_id = c.account_id AND g.id = c.group_id AND g.deleted_at IS NULL").
		Where("c.account_id = ? AND c.status = 'new'", t.Tenant).Where(query.Undeleted("c.batch_id"), t.Tenant)
	if err := query.Among(q, "c.group_id", groups).Scan(ctx, &n); err != nil {
		return 0, fmt.Errorf("count open alarms: %w", err)
	}
	return n, nil
}

// OpenAlarms implements review.Tx.
func (t *Tx) OpenAlarms(ctx context.Context, of vcd.Holder, wanted []vcd.ID) (map[vcd.ID]int, error) {
	column := columnOf(of)
	var rows []struct {
		ID    vcd.ID `bun:"id"`
		Count int    `bun:"count"`
	}
	err := t.Bun.NewRaw(`SELECT c.?1 AS id, count(*) FROM comparisons AS c
		WHERE c.account_id = ?0 AND c.status = 'new' AND c.?1 = ANY(?2) AND `+query.Undeleted("c.batch_id")+" GROUP BY 1",
		t.Tenant, bun.Ident(column), query.Array(wanted)).
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

// Histories implements review.Tx.
func (t *Tx) Histories(
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
