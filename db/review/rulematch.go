package review

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// RulesOf implements run.Tx.
func (t *Tx) RulesOf(ctx context.Context, group, url vcd.ID) ([]*vcd.FeedbackRule, error) {
	var rows []*feedbackRuleRow
	err := t.Base(feedbackRules, func(q *bun.SelectQuery) *bun.SelectQuery { return q }).ColumnExpr("r.*").
		Where("r.is_active").
		Where(`CASE r.scope WHEN 'url' THEN r.url_id = ?0 WHEN 'group' THEN r.group_id = ?1 ELSE r.website_id = (
			SELECT wg.website_id FROM website_groups AS wg WHERE wg.account_id = ?2 AND wg.group_id = ?1) END`, url, group, t.Tenant).
		OrderExpr("r.created_at, r.id").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the feedback rules for a page: %w", err)
	}
	return query.ConvertAll(rows, func(r *feedbackRuleRow) *vcd.FeedbackRule {
		return (&feedbackRuleRead{feedbackRuleRow: *r}).feedbackRule()
	}), nil
}

// RecordRuleMatches implements run.Tx. The rows reference their rules, which locks the rules against
// deletion only.
func (t *Tx) RecordRuleMatches(ctx context.Context, comparison vcd.ID, regions map[vcd.ID]int, now time.Time) error {
	for rule, n := range regions {
		_, err := t.Bun.NewRaw(`
			INSERT INTO ai_feedback_rule_matches (account_id, rule_id, comparison_id, regions, matched_at)
			SELECT r.account_id, r.id, ?, ?, ? FROM ai_feedback_rules AS r WHERE r.account_id = ? AND r.id = ? FOR KEY SHARE`,
			comparison, n, now, t.Tenant, rule).Exec(ctx)
		if err != nil {
			return fmt.Errorf("store the matches of feedback rule %s: %w", rule, err)
		}
	}
	return nil
}

// CountRuleMatches implements review.Store. Matches that are being written concurrently are counted the next
// time.
func (d *Store) CountRuleMatches(ctx context.Context, limit int) (int, error) {
	counted := 0
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`
			WITH taken AS (
				SELECT ctid FROM ai_feedback_rule_matches ORDER BY account_id, rule_id LIMIT ? FOR UPDATE SKIP LOCKED
			), gone AS (
				DELETE FROM ai_feedback_rule_matches AS m USING taken WHERE m.ctid = taken.ctid RETURNING m.*
			), sums AS (
				SELECT account_id, rule_id, sum(regions) AS n, max(matched_at) AS last FROM gone GROUP BY 1, 2
			), counted AS (
				UPDATE ai_feedback_rules AS r SET match_count = r.match_count + s.n, last_matched_at = greatest(r.last_matched_at, s.last)
				FROM sums AS s WHERE r.account_id = s.account_id AND r.id = s.rule_id
			)
			SELECT count(*) FROM gone`, limit).Scan(ctx, &counted)
	})
	if err != nil {
		return 0, fmt.Errorf("count the matches of feedback rules: %w", err)
	}
	return counted, nil
}
