package vcd

import (
	"slices"
	"strconv"
)

// ScheduleType is how a monitoring group's runs are planned.
type ScheduleType string

// The schedule types.
const (
	ScheduleInterval ScheduleType = "interval"
	ScheduleWeekly   ScheduleType = "weekly"
	ScheduleMonthly  ScheduleType = "monthly"
	ScheduleOff      ScheduleType = "off"
)

// ScheduleDay is a day of a weekly (1 Monday to 7 Sunday) or monthly (1 to 30, or LastDay) schedule.
type ScheduleDay int

// LastDay is the last day of a month, written "last".
const LastDay ScheduleDay = -1

// String is the form that clients see.
func (d ScheduleDay) String() string {
	if d == LastDay {
		return "last"
	}
	return strconv.Itoa(int(d))
}

// Intervals are the allowed hours between two runs.
var Intervals = []float64{0.25, 0.5, 3, 6, 12, 24}

// Schedule says when a monitoring group runs, in its account's time zone. See Plan for what the settings mean.
type Schedule struct {
	Type          ScheduleType
	HourOfDay     int
	IntervalHours float64
	Days          []ScheduleDay // for weekly and monthly
	QuietStart    *int          // hour; no runs from here
	QuietEnd      *int          // until here, also across midnight
}

// DefaultSchedule is that of a new group: once a day.
func DefaultSchedule() Schedule { return Schedule{Type: ScheduleInterval, IntervalHours: 24} }

// Equal tells whether both plan the same runs in the same words.
func (s Schedule) Equal(other Schedule) bool {
	same := func(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }
	return s.Type == other.Type && s.HourOfDay == other.HourOfDay && s.IntervalHours == other.IntervalHours &&
		slices.Equal(s.Days, other.Days) && same(s.QuietStart, other.QuietStart) && same(s.QuietEnd, other.QuietEnd)
}

// DistinctDays leaves out repetitions and keeps the order in which the client gave the days.
func DistinctDays(days []ScheduleDay) []ScheduleDay {
	var kept []ScheduleDay
	for _, d := range days {
		if !slices.Contains(kept, d) {
			kept = append(kept, d)
		}
	}
	return kept
}
