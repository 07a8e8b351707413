package schedule

import (
	"hash/fnv"
	"iter"
	"slices"
	"time"
)

// maxSpread bounds by how much runs of the same slot are spread. It is less than the quarter hour on which slots and the
// bounds of quiet hours lie, so a spread run neither enters quiet hours nor overtakes the next slot.
const maxSpread = 5 * time.Minute

// Plan is a schedule where its clock is known: everything that decides when a group runs.
//
// A run begins at a slot, a time on the wall clock of the zone, plus the spread:
//
//   - interval: the slots of a day are HourOfDay and every IntervalHours before and after it;
//   - weekly and monthly: HourOfDay on each of the days. A day that a month does not have is its last day.
//
// A slot that the clock skips (summer time begins) is at the end of the gap. One that the clock shows twice (summer
// time ends) is at its first time only. A slot in quiet hours, which include their start and exclude their end, is
// where they end; quiet hours that start and end at the same hour, or lack one of the two, are none. Slots that fall
// together in these ways are one run.
type Plan struct {
	Schedule Schedule
	Zone     *time.Location // nil means UTC
	Spread   time.Duration  // below maxSpread
}

// Next is the first run after a moment, or the zero time when there is none. A scheduler that comes late runs once and
// goes on with the first run after that, so what it missed collapses into one.
func Next(p Plan, after time.Time) time.Time {
	for at := range p.runs(after) {
		return at
	}
	return time.Time{}
}

// Upcoming are the first n runs after a moment; fewer when the plan has none.
func (p Plan) Upcoming(after time.Time, n int) []time.Time {
	var list []time.Time
	if n <= 0 {
		return list
	}
	for at := range p.runs(after) {
		if list = append(list, at); len(list) == n {
			break
		}
	}
	return list
}

// Allowed is t itself, or the end of the quiet hours in which it lies: the moment at which a run that was missed may be
// made up for.
func (p Plan) Allowed(t time.Time) time.Time { return p.afterQuiet(t.In(p.zone())).UTC() }

// RunsPerMonth is the mean number of runs in thirty days (of a monthly schedule: in a month), counted over a period in
// UTC after which they repeat: a day, a week or a year without a leap day.
func (s Schedule) RunsPerMonth() float64 {
	from := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	switch s.Type {
	case Interval:
		return 30 * s.runsBetween(from, from.AddDate(0, 0, 1))
	case Weekly:
		return 30 * s.runsBetween(from, from.AddDate(0, 0, 7)) / 7
	case Monthly:
		return s.runsBetween(from, from.AddDate(1, 0, 0)) / 12
	}
	return 0
}

// runsBetween counts runs at from or later and before to.
func (s Schedule) runsBetween(from, to time.Time) (count float64) {
	for at := range (Plan{Schedule: s}).runs(from.Add(-time.Nanosecond)) {
		if !at.Before(to) {
			break
		}
		count++
	}
	return count
}

// SpreadOf is the delay of the runs of a group, by its id: always the same for one group, evenly spread over many.
func SpreadOf(group string) time.Duration {
	h := fnv.New32a()
	h.Write([]byte(group)) // never fails
	return time.Duration(h.Sum32()%uint32(maxSpread/time.Second)) * time.Second
}

func (p Plan) zone() *time.Location {
	if p.Zone == nil {
		return time.UTC
	}
	return p.Zone
}

// idleDays is how many days in a row may lack a run before the plan counts as having none. A monthly run comes at least
// every 31 days; quiet hours and changes of the clock delay it by less than two.
const idleDays = 40

// runs are the distinct runs after a moment in their order, without end for a plan that has any.
func (p Plan) runs(after time.Time) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		slots := p.Schedule.slots()
		if len(slots) == 0 {
			return
		}
		// Two days back begins every slot that quiet hours or a skipped day may have put off until now.
		year, month, day := after.In(p.zone()).AddDate(0, 0, -2).Date()
		last := after
		for idle := 0; idle < idleDays; idle++ {
			date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
			day++
			if !p.Schedule.runsOn(date) {
				continue
			}
			for _, slot := range slots {
				at := p.afterQuiet(WallClock(date.Add(slot), p.zone())).Add(p.Spread)
				if !at.After(last) {
					continue
				}
				if !yield(at.UTC()) {
					return
				}
				last, idle = at, 0
			}
		}
	}
}

// slots are the times of a day at which runs begin, counted from midnight on the wall clock.
func (s Schedule) slots() []time.Duration {
	hour := time.Duration(s.HourOfDay) * time.Hour
	switch s.Type {
	case Weekly, Monthly:
		return []time.Duration{hour}
	case Interval:
		every := time.Duration(s.IntervalHours * float64(time.Hour))
		if every <= 0 {
			return nil
		}
		var list []time.Duration
		for slot := hour % every; slot < 24*time.Hour; slot += every {
			list = append(list, slot)
		}
		return list
	}
	return nil
}

// runsOn tells whether a date has slots.
func (s Schedule) runsOn(date time.Time) bool {
	switch s.Type {
	case Weekly:
		weekday := Day(date.Weekday())
		if weekday == 0 {
			weekday = 7
		}
		return slices.Contains(s.Days, weekday)
	case Monthly:
		isLast := date.AddDate(0, 0, 1).Day() == 1
		return slices.ContainsFunc(s.Days, func(d Day) bool {
			return int(d) == date.Day() || isLast && (d == LastDay || int(d) > date.Day())
		})
	}
	return true
}

// WallClock is the first moment at which the clocks of a zone show a time; wall holds that time as if it were UTC. When
// they skip it, it is the moment at which they go on.
func WallClock(wall time.Time, zone *time.Location) time.Time {
	// time.Date does not say which of two moments it picks, and none of its picks is the end of a gap. Only offsets in
	// force around the time can apply; a day to either side is more than any of them.
	before, after := wall.Add(-24*time.Hour).In(zone), wall.Add(24*time.Hour).In(zone)
	for _, near := range []time.Time{before, after} {
		_, offset := near.Zone()
		at := wall.Add(-time.Duration(offset) * time.Second).In(zone)
		if _, actual := at.Zone(); actual == offset {
			return at
		}
	}
	_, offset := after.Zone()
	_, gap := wall.Add(-time.Duration(offset) * time.Second).In(zone).ZoneBounds()
	return gap
}

// afterQuiet is t, or the end of the quiet hours in which it lies. t is in the plan's zone.
func (p Plan) afterQuiet(t time.Time) time.Time {
	for p.quiet(t) {
		t = endOfHour(t)
	}
	return t
}

// quiet tells whether t, in the plan's zone, lies in quiet hours.
func (p Plan) quiet(t time.Time) bool {
	from, to := p.Schedule.QuietStart, p.Schedule.QuietEnd
	if from == nil || to == nil {
		return false
	}
	hour := t.Hour()
	if *from <= *to {
		return *from <= hour && hour < *to
	}
	return *from <= hour || hour < *to // across midnight
}

// endOfHour is the next moment at which the clocks of t's zone show another hour, or are changed.
func endOfHour(t time.Time) time.Time {
	end := t.Add(time.Hour - time.Duration(t.Minute())*time.Minute - time.Duration(t.Second())*time.Second - time.Duration(t.Nanosecond()))
	if _, changed := t.ZoneBounds(); !changed.IsZero() && changed.Before(end) {
		return changed
	}
	return end
}
