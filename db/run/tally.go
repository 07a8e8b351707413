package run

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// countedEntries reports whether the counts cover a queue filter.
func countedEntries(f vcd.QueueFilter) bool { return f.IDs == nil && f.URLIDs == nil }

// entryCounts selects the counts that match a filter, except for its states, which are columns of each count.
func (t *Tx) entryCounts(f vcd.QueueFilter) *bun.SelectQuery {
	q := t.Bun.NewSelect().TableExpr("queue_counts AS c").Where("c.account_id = ?", t.Tenant).Where(query.Undeleted("c.batch_id"), t.Tenant)
	return query.Among(query.Among(query.Among(q, "c.batch_id", f.BatchIDs), "c.group_id", f.GroupIDs), "c.type", f.Types)
}

// entriesCounted is an SQL expression for the number of entries in the states of a filter, for one row of counts.
func entriesCounted(f vcd.QueueFilter) string {
	states := []vcd.QueueStatus{vcd.QueueOpen, vcd.QueueProcessing, vcd.QueueDone, vcd.QueueFailed}
	if f.Statuses != nil {
		states = *f.Statuses
	}
	sum, seen := "0", map[vcd.QueueStatus]bool{}
	for _, state := range states {
		if column, ok := entryCountColumns[state]; ok && !seen[state] {
			seen[state] = true
			sum += " + " + column
		}
	}
	return "(" + sum + ")"
}

var entryCountColumns = map[vcd.QueueStatus]string{
	vcd.QueueOpen: "c.open", vcd.QueueProcessing: "c.processing", vcd.QueueDone: "c.done", vcd.QueueFailed: "c.failed",
}

func (t *Tx) entryTally(ctx context.Context, f vcd.QueueFilter) (query.Tally, error) {
	var days query.Tally
	n := "sum(" + entriesCounted(f) + ")"
	err := t.entryCounts(f).ColumnExpr("c.day, "+n+" AS n").GroupExpr("c.day").Having(n+" > 0").
		OrderExpr("c.day DESC").Scan(ctx, &days)
	if err != nil {
		return nil, fmt.Errorf("count queue entries by day: %w", err)
	}
	return days, nil
}

// countedScreenshots reports whether the counts cover a screenshot filter.
func countedScreenshots(f vcd.ScreenshotFilter) bool { return f.IDs == nil && f.URLIDs == nil }

func (t *Tx) screenshotTally(ctx context.Context, f vcd.ScreenshotFilter) (query.Tally, error) {
	var days query.Tally
	q := t.Bun.NewSelect().TableExpr("screenshot_counts AS c").Where("c.account_id = ? AND c.count > 0", t.Tenant).
		Where(query.Undeleted("c.batch_id"), t.Tenant)
	err := ofScreenshots("c", f)(q).ColumnExpr("c.day, sum(c.count) AS n").GroupExpr("c.day").OrderExpr("c.day DESC").Scan(ctx, &days)
	if err != nil {
		return nil, fmt.Errorf("count screenshots by day: %w", err)
	}
	return days, nil
}
