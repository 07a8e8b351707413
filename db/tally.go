package db

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// Lists of queue entries and comparisons may have millions of rows. Their lengths and figures are computed from counts
// that triggers keep for each batch, group and day (see migrations/0009_counts): several thousand rows. If a filter
// uses a criterion that is not counted, the rows of the list itself are counted.

// tally is the number of items of a filtered list created on each day, newest day first; days without items are
// omitted.
type tally []dayCount

type dayCount struct {
	Day   time.Time `bun:"day"` // start of the day, in UTC
	Count int       `bun:"n"`
	Above int       `bun:"above"` // of comparisons: how many are above their threshold

	Differing int `bun:"differing"` // of comparisons: how many have a difference
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

// start is where a numbered page begins: after skip items of those created since and before until.
type start struct {
	since, until *time.Time
	skip         int
	left         int  // items from here to the end of the list; 0 if unknown
	beyond       bool // after the last item
}

// start finds where the page after skip items begins, skipping whole days.
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

// wholeDays reports whether the bounds of a period are whole days, the granularity of the counts.
func wholeDays(bounds ...*time.Time) bool {
	for _, at := range bounds {
		if at != nil && !at.Equal(at.UTC().Truncate(24*time.Hour)) {
			return false
		}
	}
	return true
}

// countedComparisons reports whether the counts cover a comparison filter.
func countedComparisons(f vcd.ComparisonFilter) bool {
	return f.IDs == nil && f.Token == nil && f.URLIDs == nil && f.Changes == nil && !f.Shown && !f.Measured() && wholeDays(f.From, f.To)
}

// comparisonCounts selects the counts that match a filter. It ignores criteria that are not counted.
func (t *tx) comparisonCounts(f vcd.ComparisonFilter) *bun.SelectQuery {
	q := t.bun.NewSelect().TableExpr("comparison_counts AS c").Where("c.account_id = ? AND c.count > 0", t.account).
		Where(undeleted("c.batch_id"), t.account)
	return ofDays(ofComparisons(t.account, withoutPeriod(f))(q), f.From, f.To)
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
		ColumnExpr("sum(c.differing) AS differing").
		GroupExpr("c.day").OrderExpr("c.day DESC").Scan(ctx, &days)
	if err != nil {
		return nil, fmt.Errorf("count comparisons by day: %w", err)
	}
	return days, nil
}

// countedEntries reports whether the counts cover a queue filter.
func countedEntries(f vcd.QueueFilter) bool { return f.IDs == nil && f.URLIDs == nil }

// entryCounts selects the counts that match a filter, except for its states, which are columns of each count.
func (t *tx) entryCounts(f vcd.QueueFilter) *bun.SelectQuery {
	q := t.bun.NewSelect().TableExpr("queue_counts AS c").Where("c.account_id = ?", t.account).Where(undeleted("c.batch_id"), t.account)
	return among(among(among(q, "c.batch_id", f.BatchIDs), "c.group_id", f.GroupIDs), "c.type", f.Types)
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

// countedScreenshots reports whether the counts cover a screenshot filter.
func countedScreenshots(f vcd.ScreenshotFilter) bool { return f.IDs == nil && f.URLIDs == nil }

func (t *tx) screenshotTally(ctx context.Context, f vcd.ScreenshotFilter) (tally, error) {
	var days tally
	q := t.bun.NewSelect().TableExpr("screenshot_counts AS c").Where("c.account_id = ? AND c.count > 0", t.account).
		Where(undeleted("c.batch_id"), t.account)
	err := ofScreenshots("c", f)(q).ColumnExpr("c.day, sum(c.count) AS n").GroupExpr("c.day").OrderExpr("c.day DESC").Scan(ctx, &days)
	if err != nil {
		return nil, fmt.Errorf("count screenshots by day: %w", err)
	}
	return days, nil
}
