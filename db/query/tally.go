package query

import (
	"time"

	"github.com/uptrace/bun"
)

// Lists of queue entries and comparisons may have millions of rows. Their lengths and figures are computed from counts
// that triggers keep for each batch, group and day (see migrations/0009_counts): several thousand rows. If a filter
// uses a criterion that is not counted, the rows of the list itself are counted.

// Tally is the number of items of a filtered list created on each day, newest day first; days without items are
// omitted.
type Tally []DayCount

// DayCount is the number of items that were created on one day.
type DayCount struct {
	Day   time.Time `bun:"day"` // start of the day, in UTC
	Count int       `bun:"n"`
	Above int       `bun:"above"` // of comparisons: how many are above their threshold

	Differing int `bun:"differing"` // of comparisons: how many have a difference
}

// Total is the number of items of all days.
func (c Tally) Total() int {
	total := 0
	for _, d := range c {
		total += d.Count
	}
	return total
}

// Above is the number of comparisons of all days that are above their threshold.
func (c Tally) Above() int {
	above := 0
	for _, d := range c {
		above += d.Above
	}
	return above
}

// Start is where a numbered page begins: after skip items of those created since and before until.
type Start struct {
	since, until *time.Time
	Skip         int
	Left         int  // items from here to the end of the list; 0 if unknown
	Beyond       bool // after the last item
}

// Start finds where the page after skip items begins, skipping whole days.
func (c Tally) Start(skip int, ascending bool) Start {
	s := Start{Skip: skip}
	for i := range c {
		d := c[i]
		if ascending {
			d = c[len(c)-1-i]
		}
		if s.Skip < d.Count {
			return s
		}
		s.Skip -= d.Count
		if next := d.Day.AddDate(0, 0, 1); ascending {
			s.since = &next
		} else {
			s.until = &d.Day
		}
	}
	s.Beyond = true
	return s
}

// WholeDays reports whether the bounds of a period are whole days, the granularity of the counts.
func WholeDays(bounds ...*time.Time) bool {
	for _, at := range bounds {
		if at != nil && !at.Equal(at.UTC().Truncate(24*time.Hour)) {
			return false
		}
	}
	return true
}

// OfDays keeps the counts (alias c) of a period.
func OfDays(q *bun.SelectQuery, from, to *time.Time) *bun.SelectQuery {
	if from != nil {
		q = q.Where("c.day >= ?", from.UTC().Format(time.DateOnly))
	}
	if to != nil {
		q = q.Where("c.day < ?", to.UTC().Format(time.DateOnly))
	}
	return q
}
