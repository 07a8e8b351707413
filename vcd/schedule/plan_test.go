package schedule

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func hours(from, to int) (start, end *int) { return &from, &to }

// TestRunsOfKnownDays has one case for each rule of Plan. Times are local with their offset.
func TestRunsOfKnownDays(t *testing.T) {
	weekly := func(hour int, days ...Day) Schedule {
		return Schedule{Type: Weekly, HourOfDay: hour, Days: days}
	}
	monthly := func(hour int, days ...Day) Schedule {
		return Schedule{Type: Monthly, HourOfDay: hour, Days: days}
	}
	every := func(interval float64, hour int) Schedule {
		return Schedule{Type: Interval, IntervalHours: interval, HourOfDay: hour}
	}
	quiet := func(s Schedule, from, to int) Schedule {
		s.QuietStart, s.QuietEnd = hours(from, to)
		return s
	}
	half := func(s Schedule) Schedule {
		s.QuietStart, _ = hours(0, 0)
		return s
	}
	for name, c := range map[string]struct {
		schedule    Schedule
		zone, after string
		want        string
	}{
		"daily":                             {every(24, 9), "UTC", "2026-03-01T09:00:00Z", "2026-03-02T09:00:00Z 2026-03-03T09:00:00Z"},
		"twice a day":                       {every(12, 9), "UTC", "2026-03-01T08:59:59Z", "2026-03-01T09:00:00Z 2026-03-01T21:00:00Z"},
		"every three hours around the hour": {every(3, 10), "UTC", "2026-03-01T00:00:00Z", "2026-03-01T01:00:00Z 2026-03-01T04:00:00Z"},
		"every quarter": {every(0.25, 9), "Asia/Kathmandu", "2026-03-01T23:59:00+05:45",
			"2026-03-02T00:00:00+05:45 2026-03-02T00:15:00+05:45"},
		"mondays and sundays": {weekly(6, 1, 7), "Europe/Berlin", "2026-07-06T06:00:00+02:00",
			"2026-07-12T06:00:00+02:00 2026-07-13T06:00:00+02:00"},
		"the last day, in a leap year": {monthly(1, LastDay), "UTC", "2028-01-31T01:00:00Z",
			"2028-02-29T01:00:00Z 2028-03-31T01:00:00Z"},
		"the last day, in another": {monthly(1, LastDay), "UTC", "2027-01-31T01:00:00Z",
			"2027-02-28T01:00:00Z 2027-03-31T01:00:00Z"},
		"a day that February does not have": {monthly(1, 30), "UTC", "2027-01-30T01:00:00Z",
			"2027-02-28T01:00:00Z 2027-03-30T01:00:00Z"},
		"two days that fall together": {monthly(1, 29, 30, LastDay), "UTC", "2027-02-01T00:00:00Z",
			"2027-02-28T01:00:00Z 2027-03-29T01:00:00Z"},
		"a skipped hour": {every(24, 2), "Europe/Berlin", "2026-03-28T02:00:00+01:00",
			"2026-03-29T03:00:00+02:00 2026-03-30T02:00:00+02:00"},
		"a skipped hour and the one after it": {every(0.5, 0), "Europe/Berlin", "2026-03-29T01:30:00+01:00",
			"2026-03-29T03:00:00+02:00 2026-03-29T03:30:00+02:00"},
		"a skipped half hour": {every(0.5, 0), "Australia/Lord_Howe", "2026-10-04T01:30:00+10:30",
			"2026-10-04T02:30:00+11:00 2026-10-04T03:00:00+11:00"},
		"a skipped midnight": {every(24, 0), "America/Havana", "2026-03-07T00:00:00-05:00",
			"2026-03-08T01:00:00-04:00 2026-03-09T00:00:00-04:00"},
		"a skipped day": {every(24, 9), "Pacific/Apia", "2011-12-29T09:00:00-10:00",
			"2011-12-31T00:00:00+14:00 2011-12-31T09:00:00+14:00"},
		"a doubled hour": {every(24, 2), "Europe/Berlin", "2026-10-24T02:00:00+02:00",
			"2026-10-25T02:00:00+02:00 2026-10-26T02:00:00+01:00"},
		"from between the two": {every(24, 2), "Europe/Berlin", "2026-10-25T02:30:00+02:00",
			"2026-10-26T02:00:00+01:00 2026-10-27T02:00:00+01:00"},
		"the quarters of a doubled hour": {every(0.25, 0), "America/New_York", "2026-11-01T01:30:00-04:00",
			"2026-11-01T01:45:00-04:00 2026-11-01T02:00:00-05:00"},
		"quiet hours": {quiet(every(6, 0), 11, 14), "UTC", "2026-03-01T06:00:00Z",
			"2026-03-01T14:00:00Z 2026-03-01T18:00:00Z"},
		"quiet hours across midnight": {quiet(every(6, 0), 22, 5), "UTC", "2026-03-01T18:00:00Z",
			"2026-03-02T05:00:00Z 2026-03-02T06:00:00Z"},
		"quiet hours include their start only": {quiet(every(12, 7), 7, 19), "UTC", "2026-03-01T00:00:00Z",
			"2026-03-01T19:00:00Z 2026-03-02T19:00:00Z"},
		"quiet hours that are no hours": {quiet(every(12, 7), 7, 7), "UTC", "2026-03-01T00:00:00Z",
			"2026-03-01T07:00:00Z 2026-03-01T19:00:00Z"},
		"quiet hours without an end": {half(every(12, 0)), "UTC", "2026-03-01T00:00:00Z",
			"2026-03-01T12:00:00Z 2026-03-02T00:00:00Z"},
		"a week's last run is put off": {quiet(weekly(23, 7), 22, 6), "UTC", "2026-03-02T00:00:00Z",
			"2026-03-02T06:00:00Z 2026-03-09T06:00:00Z"},
		"quiet hours whose end is skipped": {quiet(every(24, 1), 0, 2), "Europe/Berlin", "2026-03-28T12:00:00+01:00",
			"2026-03-29T03:00:00+02:00 2026-03-30T02:00:00+02:00"},
		"quiet hours whose end is doubled": {quiet(every(24, 0), 0, 2), "Europe/Berlin", "2026-10-24T12:00:00+02:00",
			"2026-10-25T02:00:00+02:00 2026-10-26T02:00:00+01:00"},
		"quiet hours that are doubled": {quiet(every(24, 0), 0, 3), "Europe/Berlin", "2026-10-24T12:00:00+02:00",
			"2026-10-25T03:00:00+01:00 2026-10-26T03:00:00+01:00"},
		"off":                  {Schedule{Type: Off}, "UTC", "2026-03-01T00:00:00Z", ""},
		"no days":              {weekly(1), "UTC", "2026-03-01T00:00:00Z", ""},
		"a month without days": {monthly(1), "UTC", "2026-03-01T00:00:00Z", ""},
		"no interval":          {every(0, 1), "UTC", "2026-03-01T00:00:00Z", ""},
	} {
		after, err := time.Parse(time.RFC3339, c.after)
		if err != nil {
			t.Fatal(err)
		}
		zone := zoneOf(t, c.zone)
		var got []string
		for _, at := range (Plan{Schedule: c.schedule, Zone: zone}).Upcoming(after, 2) {
			got = append(got, at.In(zone).Format(time.RFC3339))
		}
		if list := strings.Join(got, " "); list != c.want {
			t.Errorf("%s: runs at %s, want %s", name, list, c.want)
		}
	}
}

func TestASpreadRunKeepsItsSlot(t *testing.T) {
	p := Plan{Schedule: Schedule{Type: Interval, IntervalHours: 24, HourOfDay: 9}, Spread: 4*time.Minute + 59*time.Second}
	slot := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]time.Duration{-time.Second: p.Spread, 0: p.Spread, p.Spread - 1: p.Spread,
		p.Spread: 24*time.Hour + p.Spread} {
		if got := Next(p, slot.Add(after)); !got.Equal(slot.Add(want)) {
			t.Errorf("%s after the slot: next at %s", after, got)
		}
	}
	counts := map[time.Duration]int{}
	for range 10_000 {
		spread := SpreadOf(uuid.Must(uuid.NewV7()).String())
		if spread < 0 || spread >= maxSpread {
			t.Fatalf("spread by %s", spread)
		}
		counts[spread.Truncate(time.Minute)]++
	}
	for minute, n := range counts {
		if n < 1700 || n > 2300 {
			t.Errorf("minute %s has %d of 10,000 groups", minute, n)
		}
	}
}

func TestAMissedRunWaitsForTheEndOfQuietHours(t *testing.T) {
	p := Plan{Zone: zoneOf(t, "Europe/Berlin")}
	p.Schedule.QuietStart, p.Schedule.QuietEnd = hours(22, 6)
	for in, want := range map[string]string{
		"2026-07-01T21:59:59+02:00": "2026-07-01T21:59:59+02:00", "2026-07-01T22:00:00+02:00": "2026-07-02T06:00:00+02:00",
		"2026-07-02T05:59:59+02:00": "2026-07-02T06:00:00+02:00", "2026-07-02T06:00:00+02:00": "2026-07-02T06:00:00+02:00",
	} {
		at, err := time.Parse(time.RFC3339, in)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Allowed(at).In(p.Zone).Format(time.RFC3339); got != want {
			t.Errorf("missed and found at %s: allowed at %s, want %s", in, got, want)
		}
	}
}

func TestRunsPerMonth(t *testing.T) {
	from, to := hours(22, 6)
	for _, c := range []struct {
		schedule Schedule
		want     float64
	}{
		{Schedule{Type: Interval, IntervalHours: 0.25}, 2880},
		{Schedule{Type: Interval, IntervalHours: 0.25, QuietStart: from, QuietEnd: to}, 30 * 16 * 4},
		{Schedule{Type: Interval, IntervalHours: 3, HourOfDay: 1, QuietStart: from, QuietEnd: to}, 30 * 6}, // 6, 7, 10, 13, 16, 19
		{Schedule{Type: Interval, IntervalHours: 24, HourOfDay: 23, QuietStart: from, QuietEnd: to}, 30},
		{Schedule{Type: Weekly, Days: []Day{1, 7}}, 2 * 30.0 / 7},
		{Schedule{Type: Monthly, Days: []Day{1, 30, LastDay}}, (12 + 12 + 7) / 12.0}, // 30 is last in five months
		{Schedule{Type: Off}, 0},
	} {
		if got := c.schedule.RunsPerMonth(); got != c.want {
			t.Errorf("%+v: %v runs a month, want %v", c.schedule, got, c.want)
		}
	}
}

// zones covers no offset, whole and fractional offsets, changes by half an hour and by two hours, changes at midnight and
// twice a year around Ramadan, and a zone whose standard time is summer time.
var zones = []string{
	"UTC", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/St_Johns", "America/Havana", "America/Santiago",
	"Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Apia", "Asia/Kathmandu", "Asia/Tehran", "Asia/Beirut", "Asia/Gaza",
	"Africa/Casablanca", "Africa/Cairo", "Antarctica/Troll",
}

// drawPlan draws valid settings.
func drawPlan(t *rapid.T, locations []*time.Location) Plan {
	hour := rapid.IntRange(0, 23)
	s := Schedule{
		Type:          rapid.SampledFrom([]Type{Interval, Interval, Weekly, Monthly}).Draw(t, "type"),
		HourOfDay:     hour.Draw(t, "hour"),
		IntervalHours: rapid.SampledFrom(Intervals).Draw(t, "interval"),
	}
	switch s.Type {
	case Weekly:
		s.Days = rapid.SliceOfNDistinct(rapid.Map(rapid.IntRange(1, 7), func(d int) Day { return Day(d) }), 1, 7, rapid.ID).Draw(t, "days")
	case Monthly:
		day := rapid.Map(rapid.IntRange(0, 30), func(d int) Day {
			if d == 0 {
				return LastDay
			}
			return Day(d)
		})
		s.Days = rapid.SliceOfNDistinct(day, 1, 31, rapid.ID).Draw(t, "days")
	}
	if rapid.Bool().Draw(t, "quiet") {
		s.QuietStart, s.QuietEnd = hours(hour.Draw(t, "from"), hour.Draw(t, "to"))
	}
	return Plan{
		Schedule: s, Zone: rapid.SampledFrom(locations).Draw(t, "zone"),
		Spread: time.Duration(rapid.IntRange(0, int(maxSpread/time.Second)-1).Draw(t, "spread")) * time.Second,
	}
}

// drawMoment draws a time in the years 2020 to 2037, half of them within two days of a clock change.
func drawMoment(t *rapid.T, zone *time.Location) time.Time {
	first := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	at := first.Add(time.Duration(rapid.Int64Range(0, 18*365*24*3600).Draw(t, "second")) * time.Second)
	if _, change := at.In(zone).ZoneBounds(); rapid.Bool().Draw(t, "near a change") && !change.IsZero() {
		at = change.Add(time.Duration(rapid.Int64Range(-2*24*3600, 2*24*3600).Draw(t, "distance")) * time.Second)
	}
	return at
}

// watch is the oracle: it reads the wall clock every quarter of an hour and knows nothing of offsets. A slot is reached when
// the clock first shows its time or a later one; the run then begins as soon as the clock is outside quiet hours.
func watch(p Plan, from time.Time, days int) []time.Time {
	const quarter = 15 * time.Minute
	shown := func(at time.Time) time.Time {
		local := at.In(p.Zone)
		return time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), 0, 0, time.UTC)
	}
	var runs []time.Time
	wanted := false
	from = from.Truncate(quarter)
	reached := shown(from)
	for step := range days * 24 * 4 {
		at := from.Add(time.Duration(step) * quarter)
		for now := shown(at); reached.Before(now); {
			reached = reached.Add(quarter)
			wanted = wanted || isSlot(p.Schedule, reached)
		}
		if hour := shown(at).Hour(); wanted && !isQuiet(p.Schedule, hour) {
			runs = append(runs, at.Add(p.Spread).UTC())
			wanted = false
		}
	}
	return runs
}

func isSlot(s Schedule, wall time.Time) bool {
	tomorrow := wall.AddDate(0, 0, 1)
	for _, day := range s.Days {
		switch {
		case s.Type == Weekly && int(day)%7 == int(wall.Weekday()),
			s.Type == Monthly && int(day) == wall.Day(),
			s.Type == Monthly && tomorrow.Month() != wall.Month() && (day == LastDay || int(day) > wall.Day()):
			return wall.Hour() == s.HourOfDay && wall.Minute() == 0
		}
	}
	minutes := (wall.Hour()-s.HourOfDay)*60 + wall.Minute()
	return s.Type == Interval && minutes%int(s.IntervalHours*60) == 0
}

func isQuiet(s Schedule, hour int) bool {
	if s.QuietStart == nil {
		return false
	}
	for h := *s.QuietStart; h != *s.QuietEnd; h = (h + 1) % 24 {
		if h == hour {
			return true
		}
	}
	return false
}

// TestNextAgreesWithAWatchOfTheClock compares randomly drawn settings with the oracle: 10,000 of them with AFTERIMAGE_SOAK=1.
func TestNextAgreesWithAWatchOfTheClock(t *testing.T) {
	checks := "300"
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		checks = "10000"
	}
	setChecks(t, checks)
	locations := make([]*time.Location, len(zones))
	for i, name := range zones {
		locations[i] = zoneOf(t, name)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t, locations)
		after := drawMoment(t, p.Zone)
		want := watch(p, after.AddDate(0, 0, -4), 4+40)
		want = want[slices.IndexFunc(want, func(at time.Time) bool { return at.After(after) }):]
		got := p.Upcoming(after, len(want))
		if !slices.Equal(got, want) {
			t.Fatalf("%+v in %s after %s:\n got %v\nwant %v", p.Schedule, p.Zone, after, got, want)
		}
		for i, at := range got {
			if isQuiet(p.Schedule, at.In(p.Zone).Hour()) {
				t.Fatalf("a run in quiet hours: %s", at.In(p.Zone))
			}
			if i > 0 && !Next(p, got[i-1]).Equal(at) {
				t.Fatalf("after %s comes %s, not %s", got[i-1], Next(p, got[i-1]), at)
			}
		}
	})
}

// setChecks sets the number of cases drawn for a property.
func setChecks(t *testing.T, n string) {
	t.Helper()
	old := flag.Lookup("rapid.checks").Value.String()
	if err := flag.Set("rapid.checks", n); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set("rapid.checks", old) })
}

func BenchmarkNext(b *testing.B) {
	from, to := hours(22, 6)
	zone := zoneOf(b, "Europe/Berlin")
	for name, s := range map[string]Schedule{
		"quarters": {Type: Interval, IntervalHours: 0.25, QuietStart: from, QuietEnd: to},
		"daily":    {Type: Interval, IntervalHours: 24},
		"monthly":  {Type: Monthly, Days: []Day{LastDay}},
	} {
		now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		b.Run("next/"+name, func(b *testing.B) {
			for b.Loop() {
				Next(Plan{Schedule: s, Zone: zone}, now)
			}
		})
		b.Run("month/"+name, func(b *testing.B) {
			for b.Loop() {
				s.RunsPerMonth()
			}
		})
	}
}
