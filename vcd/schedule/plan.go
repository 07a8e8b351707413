package schedule

import (
	"hash/fnv"
	"iter"
	"slices"
	"time"
)

// maxSpread limits the delay that spreads runs of the same slot. It is less than the quarter hour to which slots and quiet
// hours are aligned, so a delayed run neither enters quiet hours nor overtakes the next slot.
const maxSpread = 5 * time.Minute

// Plan is a schedule with its time zone and spread: everything that decides when a group runs.
//
// A run begins at a slot, a wall-clock time in the zone, plus the spread:
//
//   - interval: the slots of a day are HourOfDay and every IntervalHours before and after it;
//   - weekly and monthly: HourOfDay on each of the days. In a month without a day, its last day is used.
//
// A slot that the clock skips (summer time begins) moves to the end of the gap. One that the clock shows twice (summer
// time ends) counts only the first time. A slot in quiet hours, which include their start and exclude their end, moves
// to their end; quiet hours that start and end at the same hour, or lack either, are disabled. Slots that coincide as a
// result are one run.
type Plan struct {
	Schedule Schedule
	Zone     *time.Location // nil means UTC
	Spread   time.Duration  // below maxSpread
}

// Next is the first run after the given time, or the zero time when there is none. A late scheduler runs once and continues
// with the first run after that, so missed runs collapse into one.
func Next(p Plan, after time.Time) time.Time {
	for at := range p.runs(after) {
		return at
	}
	return time.Time{}
}

// Upcoming returns the next n runs after the given time, or fewer when the plan has none.
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

// Allowed returns t itself, or the end of the quiet hours that contain it: the time at which a missed run may be made up.
func (p Plan) Allowed(t time.Time) time.Time { return p.afterQuiet(t.In(p.zone())).UTC() }

// RunsPerMonth is the mean number of runs in thirty days (for a monthly schedule: in a month), counted in UTC over a period
// after which they repeat: a day, a week or a non-leap year.
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

// runsBetween counts the runs in the half-open interval [from, to).
func (s Schedule) runsBetween(from, to time.Time) (count float64) {
	for at := range (Plan{Schedule: s}).runs(from.Add(-time.Nanosecond)) {
		if !at.Before(to) {
			break
		}
		count++
	}
	return count
}

// SpreadOf is the delay of a group's runs, derived from its id: constant for a group and evenly distributed over many.
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

// idleDays is how many consecutive days without a run make a plan count as having none. Monthly runs are at most 31 days
// apart; quiet hours and clock changes delay them by less than two.
const idleDays = 40

// runs yields the distinct runs after the given time in order, endlessly for a plan that has any.
func (p Plan) runs(after time.Time) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		slots := p.Schedule.slots()
		if len(slots) == 0 {
			return
		}
		// Start two days earlier, with every slot that quiet hours or a skipped day may have postponed until now.
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

// slots returns the start times of a day's runs, measured from midnight on the wall clock.
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

// runsOn reports whether a date has slots.
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

// WallClock is the first moment at which the clocks of a zone show a time; wall holds that time as if it were UTC. If the
// clocks skip it, WallClock is the end of the gap.
func WallClock(wall time.Time, zone *time.Location) time.Time {
	// time.Date does not specify which of two moments it picks, and never picks the end of a gap. Only offsets in force
	// around the time can apply; a day on either side exceeds any of them.
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

// afterQuiet returns t, or the end of the quiet hours that contain it. t is in the plan's zone.
func (p Plan) afterQuiet(t time.Time) time.Time {
	for p.quiet(t) {
		t = endOfHour(t)
	}
	return t
}

// quiet reports whether t, in the plan's zone, is in quiet hours.
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

// endOfHour is the next moment at which the clocks of t's zone show another hour or are changed.
func endOfHour(t time.Time) time.Time {
	end := t.Add(time.Hour - time.Duration(t.Minute())*time.Minute - time.Duration(t.Second())*time.Second - time.Duration(t.Nanosecond()))
	if _, changed := t.ZoneBounds(); !changed.IsZero() && changed.Before(end) {
		return changed
	}
	return end
}
