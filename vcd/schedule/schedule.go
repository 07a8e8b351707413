// Package schedule computes when the groups of an account run: the meaning of the settings, and wall-clock arithmetic. It
// does not depend on the rest of the domain.
package schedule

import (
	"slices"
	"strconv"
)

// Type is how a monitoring group's runs are planned.
type Type string

// The schedule types.
const (
	Interval Type = "interval"
	Weekly   Type = "weekly"
	Monthly  Type = "monthly"
	Off      Type = "off"
)

// Day is a day of a weekly (1 Monday to 7 Sunday) or monthly (1 to 30, or LastDay) schedule.
type Day int

// LastDay is the last day of a month, written "last".
const LastDay Day = -1

// String returns the form that clients see.
func (d Day) String() string {
	if d == LastDay {
		return "last"
	}
	return strconv.Itoa(int(d))
}

// Intervals are the allowed hours between two runs.
var Intervals = []float64{0.25, 0.5, 3, 6, 12, 24}

// Schedule says when a monitoring group runs, in its account's time zone. See Plan for what the settings mean.
type Schedule struct {
	Type          Type
	HourOfDay     int
	IntervalHours float64
	Days          []Day // for weekly and monthly
	QuietStart    *int  // hour; no runs from then on
	QuietEnd      *int  // hour; until then, also across midnight
}

// Default is the schedule of a new group: once a day.
func Default() Schedule { return Schedule{Type: Interval, IntervalHours: 24} }

// Equal reports whether both have the same settings.
func (s Schedule) Equal(other Schedule) bool {
	same := func(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }
	return s.Type == other.Type && s.HourOfDay == other.HourOfDay && s.IntervalHours == other.IntervalHours &&
		slices.Equal(s.Days, other.Days) && same(s.QuietStart, other.QuietStart) && same(s.QuietEnd, other.QuietEnd)
}

// DistinctDays removes duplicates, keeping the client's order.
func DistinctDays(days []Day) []Day {
	var kept []Day
	for _, d := range days {
		if !slices.Contains(kept, d) {
			kept = append(kept, d)
		}
	}
	return kept
}
