package review

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// replayPage is how many comparisons are in memory at the same time: each may have several hundred regions.
const replayPage = 200

// EachComparison implements review.RuleTx.
func (t *Tx) EachComparison(ctx context.Context, f vcd.ComparisonFilter, limit int, do func(*vcd.Comparison)) (bool, error) {
	var last *comparisonRow
	for read := 0; ; {
		var rows []*comparisonRow
		q := t.Base(comparisons, ofComparisons(t.Tenant, f)).ColumnExpr("c.*").
			OrderExpr("c.created_at DESC, c.id DESC").Limit(replayPage + 1)
		if last != nil {
			q = q.Where("(c.created_at, c.id) < (?, ?)", last.CreatedAt, last.ID)
		}
		if err := q.Scan(ctx, &rows); err != nil {
			return false, fmt.Errorf("read comparisons to be replayed: %w", err)
		}
		for _, row := range rows[:min(len(rows), replayPage)] {
			if read == limit {
				return false, nil
			}
			do(row.comparison())
			last = row
			read++
		}
		if len(rows) <= replayPage {
			return true, nil
		}
	}
}

// AllFeedbackRules implements review.RuleTx. An account has at most a thousand.
func (t *Tx) AllFeedbackRules(ctx context.Context) ([]*vcd.FeedbackRule, error) {
	rows, err := query.Fetch[feedbackRuleRead](ctx, t.Scope, feedbackRules, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.OrderExpr("r.created_at, r.id")
	})
	return query.ConvertAll(rows, (*feedbackRuleRead).feedbackRule), err
}

// RuleUses implements review.RuleTx.
func (t *Tx) RuleUses(ctx context.Context, since time.Time) (map[vcd.ID]vcd.RuleUse, error) {
	var rows []struct {
		Rule       vcd.ID `bun:"rule_id"`
		Elements   int    `bun:"elements"`
		AlertPages int    `bun:"alert_pages"`
	}
	err := t.Bun.NewRaw(`
		SELECT x.rule_id, count(DISTINCT x.element) AS elements, count(DISTINCT c.url_id) FILTER (WHERE x.ruled = 'alert') AS alert_pages
		FROM comparison_changes AS x `+query.LookUp("comparisons", "c", "o.account_id = x.account_id AND o.id = x.comparison_id")+`
		WHERE x.account_id = ? AND x.rule_id IS NOT NULL AND x.created_at >= ? GROUP BY x.rule_id`, t.Tenant, since).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("look at what feedback rules pass over: %w", err)
	}
	uses := make(map[vcd.ID]vcd.RuleUse, len(rows))
	for _, r := range rows {
		uses[r.Rule] = vcd.RuleUse{Elements: r.Elements, AlertPages: r.AlertPages}
	}
	return uses, nil
}
