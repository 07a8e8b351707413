package review

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// countedComparisons reports whether the counts cover a comparison filter.
func countedComparisons(f vcd.ComparisonFilter) bool {
	return f.IDs == nil && f.Token == nil && f.URLIDs == nil && f.Changes == nil && !f.Shown && !f.Measured() &&
		query.WholeDays(f.From, f.To)
}

// comparisonCounts selects the counts that match a filter. It ignores criteria that are not counted.
func (t *Tx) comparisonCounts(f vcd.ComparisonFilter) *bun.SelectQuery {
	q := t.Bun.NewSelect().TableExpr("comparison_counts AS c").Where("c.account_id = ? AND c.count > 0", t.Tenant).
		Where(query.Undeleted("c.batch_id"), t.Tenant)
	return query.OfDays(ofComparisons(t.Tenant, withoutPeriod(f))(q), f.From, f.To)
}

func withoutPeriod(f vcd.ComparisonFilter) vcd.ComparisonFilter {
	f.From, f.To = nil, nil
	return f
}

func (t *Tx) comparisonTally(ctx context.Context, f vcd.ComparisonFilter) (query.Tally, error) {
	var days query.Tally
	err := t.comparisonCounts(f).
		ColumnExpr("c.day, sum(c.count) AS n, coalesce(sum(c.count) FILTER (WHERE c.above_threshold), 0) AS above").
		ColumnExpr("sum(c.differing) AS differing").
		GroupExpr("c.day").OrderExpr("c.day DESC").Scan(ctx, &days)
	if err != nil {
		return nil, fmt.Errorf("count comparisons by day: %w", err)
	}
	return days, nil
}
