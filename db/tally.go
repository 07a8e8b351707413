package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// Lists of queue entries and comparisons may be of millions. Their lengths and figures are read from counts that triggers
// keep for each batch, group and day (see migrations/0009_counts): some thousand rows. Where a filter asks for something
// that is not counted, the list's own rows are.

// tally is how many items of a filtered list were made on each day, newest day first; days without any are left out.
type tally []dayCount

type dayCount struct {
	Day   time.Time `bun:"day"` // its first moment, in UTC
	Count int       `bun:"n"`
	Above int       `bun:"above"` // of comparisons: how many are above their threshold
}

func (c tally) total() int {
	total := 0
	for _, d := range c {
		total += d.Count
	}
	return total
}

func (c tally) above() int {
	above := 0
	for _, d := range c {
		above += d.Above
	}
	return above
}

// start is where a numbered page begins: after skip items of those made since and before until.
type start struct {
	since, until *time.Time
	skip         int
	left         int  // items from here to the end of the list; 0 where that is not known
	beyond       bool // after the last item
}

// start finds where the page after skip items begins, stepping over whole days.
func (c tally) start(skip int, ascending bool) start {
	s := start{skip: skip}
	for i := range c {
		d := c[i]
		if ascending {
			d = c[len(c)-1-i]
		}
		if s.skip < d.Count {
			return s
		}
		s.skip -= d.Count
		if next := d.Day.AddDate(0, 0, 1); ascending {
			s.since = &next
		} else {
			s.until = &d.Day
		}
	}
	s.beyond = true
	return s
}

// wholeDays tells whether the bounds of a period are days, as counts are.
func wholeDays(bounds ...*time.Time) bool {
	for _, at := range bounds {
		if at != nil && !at.Equal(at.UTC().Truncate(24*time.Hour)) {
			return false
		}
	}
	return true
}

// countedComparisons tells whether counts know how many comparisons a filter leaves.
func countedComparisons(f vcd.ComparisonFilter) bool {
	return f.IDs == nil && f.Token == nil && f.URLIDs == nil && f.Changes == nil && wholeDays(f.From, f.To)
}

// comparisonCounts are the counts that a filter concerns. It holds nothing that is not counted.
func (t *tx) comparisonCounts(f vcd.ComparisonFilter) *bun.SelectQuery {
	q := t.bun.NewSelect().TableExpr("comparison_counts AS c").Where("c.account_id = ? AND c.count > 0", t.account)
	return ofDays(ofComparisons(withoutPeriod(f))(q), f.From, f.To)
}

func withoutPeriod(f vcd.ComparisonFilter) vcd.ComparisonFilter {
	f.From, f.To = nil, nil
	return f
}

// ofDays keeps the counts (alias c) of a period.
func ofDays(q *bun.SelectQuery, from, to *time.Time) *bun.SelectQuery {
	if from != nil {
		q = q.Where("c.day >= ?", from.UTC().Format(time.DateOnly))
	}
	if to != nil {
		q = q.Where("c.day < ?", to.UTC().Format(time.DateOnly))
	}
	return q
}

func (t *tx) comparisonTally(ctx context.Context, f vcd.ComparisonFilter) (tally, error) {
	var days tally
	err := t.comparisonCounts(f).
		ColumnExpr("c.day, sum(c.count) AS n, coalesce(sum(c.count) FILTER (WHERE c.above_threshold), 0) AS above").
		GroupExpr("c.day").OrderExpr("c.day DESC").Scan(ctx, &days)
	if err != nil {
		return nil, fmt.Errorf("count comparisons by day: %w", err)
	}
	return days, nil
}

// countedEntries tells whether counts know how many queue entries a filter leaves.
func countedEntries(f vcd.QueueFilter) bool { return f.IDs == nil && f.URLIDs == nil }

// entryCounts are the counts that a filter concerns, apart from its states, which are columns of each.
func (t *tx) entryCounts(f vcd.QueueFilter) *bun.SelectQuery {
	q := t.bun.NewSelect().TableExpr("queue_counts AS c").Where("c.account_id = ?", t.account)
	return among(among(among(q, "c.batch_id", f.BatchIDs), "c.group_id", f.GroupIDs), "c.type", f.Types)
}

// entriesCounted is an expression for how many entries a row of counts has in the states of a filter.
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

func (t *tx) entryTally(ctx context.Context, f vcd.QueueFilter) (tally, error) {
	var days tally
	n := "sum(" + entriesCounted(f) + ")"
	err := t.entryCounts(f).ColumnExpr("c.day, "+n+" AS n").GroupExpr("c.day").Having(n+" > 0").
		OrderExpr("c.day DESC").Scan(ctx, &days)
	if err != nil {
		return nil, fmt.Errorf("count queue entries by day: %w", err)
	}
	return days, nil
}

// countedScreenshots tells whether counts know how many screenshots a filter leaves.
func countedScreenshots(f vcd.ScreenshotFilter) bool { return f.IDs == nil && f.URLIDs == nil }

func (t *tx) screenshotTally(ctx context.Context, f vcd.ScreenshotFilter) (tally, error) {
	var days tally
	q := t.bun.NewSelect().TableExpr("screenshot_counts AS c").Where("c.account_id = ? AND c.count > 0", t.account)
	err := ofScreenshots("c", f)(q).ColumnExpr("c.day, sum(c.count) AS n").GroupExpr("c.day").OrderExpr("c.day DESC").Scan(ctx, &days)
	if err != nil {
		return nil, fmt.Errorf("count screenshots by day: %w", err)
	}
	return days, nil
}
