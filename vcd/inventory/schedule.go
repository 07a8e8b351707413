package inventory

import "afterimage/vcd"

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
		vcd.OneOf(v, "intervalInH", *h, vcd.Intervals...)
	}
	if t := in.ScheduleType.Value; t != nil {
		vcd.OneOf(v, "scheduleType", *t, vcd.ScheduleInterval, vcd.ScheduleWeekly, vcd.ScheduleMonthly, vcd.ScheduleOff)
	}
	if days := in.ScheduleDays.Value; days != nil {
		v.Check(len(*days) <= 31, "scheduleDays", "max", "The {field} field must not have more than 31 items.")
	}
}

func (in GroupChange) applySchedule(s *vcd.Schedule) {
	vcd.Assign(&s.Type, in.ScheduleType)
	vcd.Assign(&s.HourOfDay, in.HourOfDay)
	vcd.Assign(&s.IntervalHours, in.IntervalHours)
	vcd.AssignList(&s.Days, in.ScheduleDays)
	s.Days = vcd.DistinctDays(s.Days)
	vcd.AssignNullable(&s.QuietStart, in.QuietHoursStart)
	vcd.AssignNullable(&s.QuietEnd, in.QuietHoursEnd)
}

// validateSchedule checks that the parts of a schedule fit each other.
func validateSchedule(v *vcd.Validation, s vcd.Schedule) {
	highest := vcd.ScheduleDay(30)
	if s.Type == vcd.ScheduleWeekly {
		highest = 7
	}
	for i, d := range s.Days {
		ok := d >= 1 && d <= highest || d == vcd.LastDay && s.Type != vcd.ScheduleWeekly
		v.Check(ok, vcd.Indexed("scheduleDays", i), "in", "The selected {field} is invalid.")
	}
	if s.Type == vcd.ScheduleWeekly || s.Type == vcd.ScheduleMonthly {
		v.Check(len(s.Days) > 0, "scheduleDays", "required", "The {field} field is required for this schedule type.")
	}
}

