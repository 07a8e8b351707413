package inventory

import (
	"afterimage/vcd"
	"afterimage/vcd/schedule"
)

func (in GroupChange) validateSchedule(v *vcd.Validation) {
	if h := in.HourOfDay.Value; h != nil {
		v.Between("hourOfDay", *h, 0, 23)
	}
	if h := in.QuietHoursStart.Value; h != nil {
		v.Between("quietHoursStart", *h, 0, 23)
	}
	if h := in.QuietHoursEnd.Value; h != nil {
		v.Between("quietHoursEnd", *h, 0, 23)
	}
	if h := in.IntervalHours.Value; h != nil {
		vcd.OneOf(v, "intervalInH", *h, schedule.Intervals...)
	}
	if t := in.ScheduleType.Value; t != nil {
		vcd.OneOf(v, "scheduleType", *t, schedule.Interval, schedule.Weekly, schedule.Monthly, schedule.Off)
	}
	if days := in.ScheduleDays.Value; days != nil {
		v.Check(len(*days) <= 31, "scheduleDays", "max", "The {field} field must not have more than 31 items.")
	}
}

func (in GroupChange) applySchedule(s *schedule.Schedule) {
	vcd.Assign(&s.Type, in.ScheduleType)
	vcd.Assign(&s.HourOfDay, in.HourOfDay)
	vcd.Assign(&s.IntervalHours, in.IntervalHours)
	vcd.AssignList(&s.Days, in.ScheduleDays)
	s.Days = schedule.DistinctDays(s.Days)
	vcd.AssignNullable(&s.QuietStart, in.QuietHoursStart)
	vcd.AssignNullable(&s.QuietEnd, in.QuietHoursEnd)
}

// validateSchedule checks that the parts of a schedule are consistent.
func validateSchedule(v *vcd.Validation, s schedule.Schedule) {
	highest := schedule.Day(30)
	if s.Type == schedule.Weekly {
		highest = 7
	}
	for i, d := range s.Days {
		ok := d >= 1 && d <= highest || d == schedule.LastDay && s.Type != schedule.Weekly
		v.Check(ok, vcd.Indexed("scheduleDays", i), "in", "The selected {field} is invalid.")
	}
	if s.Type == schedule.Weekly || s.Type == schedule.Monthly {
		v.Check(len(s.Days) > 0, "scheduleDays", "required", "The {field} field is required for this schedule type.")
	}
}
