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

// intervals are the allowed hours between two runs.
var intervals = []float64{0.25, 0.5, 3, 6, 12, 24}

// Schedule says when a monitoring group runs, in its account's time zone. See Plan for what the settings mean.
type Schedule struct {
	Type          ScheduleType
	HourOfDay     int
	IntervalHours float64
	Days          []ScheduleDay // for weekly and monthly
	QuietStart    *int          // hour; no runs from here
	QuietEnd      *int          // until here, also across midnight
}

func defaultSchedule() Schedule { return Schedule{Type: ScheduleInterval, IntervalHours: 24} }

// equal tells whether both plan the same runs in the same words.
func (s Schedule) equal(other Schedule) bool {
	same := func(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }
	return s.Type == other.Type && s.HourOfDay == other.HourOfDay && s.IntervalHours == other.IntervalHours &&
		slices.Equal(s.Days, other.Days) && same(s.QuietStart, other.QuietStart) && same(s.QuietEnd, other.QuietEnd)
}

// validate checks that the parts of the schedule fit each other.
func (s Schedule) validate(v *validation) {
	highest := ScheduleDay(30)
	if s.Type == ScheduleWeekly {
		highest = 7
	}
	for i, d := range s.Days {
		ok := d >= 1 && d <= highest || d == LastDay && s.Type != ScheduleWeekly
		v.check(ok, indexed("scheduleDays", i), "in", "The selected {field} is invalid.")
	}
	if s.Type == ScheduleWeekly || s.Type == ScheduleMonthly {
		v.check(len(s.Days) > 0, "scheduleDays", "required", "The {field} field is required for this schedule type.")
	}
}

func (in GroupChange) validateSchedule(v *validation) {
	if h := in.HourOfDay.Value; h != nil {
		v.between("hourOfDay", *h, 0, 23)
	}
	if h := in.QuietHoursStart.Value; h != nil {
		v.between("quietHoursStart", *h, 0, 23)
	}
	if h := in.QuietHoursEnd.Value; h != nil {
		v.between("quietHoursEnd", *h, 0, 23)
	}
	if h := in.IntervalHours.Value; h != nil {
		oneOf(v, "intervalInH", *h, intervals...)
	}
	if t := in.ScheduleType.Value; t != nil {
		oneOf(v, "scheduleType", *t, ScheduleInterval, ScheduleWeekly, ScheduleMonthly, ScheduleOff)
	}
	if days := in.ScheduleDays.Value; days != nil {
		v.check(len(*days) <= 31, "scheduleDays", "max", "The {field} field must not have more than 31 items.")
	}
}

func (in GroupChange) applySchedule(s *Schedule) {
	assign(&s.Type, in.ScheduleType)
	assign(&s.HourOfDay, in.HourOfDay)
	assign(&s.IntervalHours, in.IntervalHours)
	assignList(&s.Days, in.ScheduleDays)
	s.Days = distinct(s.Days)
	assignNullable(&s.QuietStart, in.QuietHoursStart)
	assignNullable(&s.QuietEnd, in.QuietHoursEnd)
}

// distinct leaves out repetitions and keeps the order in which the client gave the days.
func distinct(days []ScheduleDay) []ScheduleDay {
	var kept []ScheduleDay
	for _, d := range days {
		if !slices.Contains(kept, d) {
			kept = append(kept, d)
		}
	}
	return kept
}
