package vcd

import (
	"time"

	"afterimage/vcd/schedule"
)

// Holder is the kind of thing that comparisons and batches are looked up for. A website stands for its groups.
type Holder string

// The holders.
const (
	HolderGroup Holder = "group"
	HolderURL   Holder = "url"

	HolderAccount Holder = "account" // of series only, like websites
	HolderWebsite Holder = "website"
)

// GroupStanding is how a group stands. Of the group itself, only name, mode, schedule, next run and missed run are filled in.
type GroupStanding struct {
	Group
	Domain     string // of its website; empty when it has none
	OpenAlarms int    // comparisons to be reviewed
	LastBatch  *ID    // the newest
	Failed     int    // entries of the group that failed in it
}

// Needs is why the group needs attention; empty if it does not.
func (g *GroupStanding) Needs() []Need {
	var needs []Need
	if g.OpenAlarms > 0 {
		needs = append(needs, NeedAlarms)
	}
	if g.Failed > 0 {
		needs = append(needs, NeedFailures)
	}
	if g.Enabled && g.MissedRun != nil {
		needs = append(needs, NeedMissedRun)
	}
	return needs
}

// Need is a reason why somebody has to look after a site.
type Need string

// The needs.
const (
	NeedAlarms    Need = "open_alarms"
	NeedFailures  Need = "failures"
	NeedMissedRun Need = "missed_run"
)

// NextRuns are the group's next n scheduled runs after the given time, in its account's time zone.
func (g *Group) NextRuns(zone *time.Location, after time.Time, n int) []time.Time {
	if !g.Scheduled() {
		return []time.Time{}
	}
	return append([]time.Time{}, g.Plan(zone).Upcoming(after, n)...)
}

// DayFigures are the figures of one day. Screenshots and comparisons belong to the day on which their batch was started.
type DayFigures struct {
	Day            time.Time // its date, in UTC
	Captures       int
	Comparisons    int
	Changes        int // comparisons above their threshold
	FalseAlarms    int // comparisons that are false positives now
	Runs           int // finished batches
	MeanSeconds    float64
	LongestSeconds float64
}

// Period is a range of days in a time zone: dates in UTC, both included.
type Period struct {
	First, Last time.Time
	Zone        *time.Location
}

// Bounds are the moments at which the period begins and ends.
func (p Period) Bounds() (from, to time.Time) {
	begin := func(date time.Time) time.Time {
		return time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, p.Zone)
	}
	return begin(p.First), begin(p.Last.AddDate(0, 0, 1))
}

// GroupOverview is an enabled group as the statistics of an account need it. Of the group itself, only name, mode, schedule,
// triggers, next run and figures are filled in.
type GroupOverview struct {
	Group
	WebsiteID *ID
	Domain    string // of the website, else of a URL of the group; empty when there is neither
}

// NextWindow is the next opening of the time window of auto-update checks after the given time; zero when no day is active.
func (a *AutoUpdateSettings) NextWindow(zone *time.Location, after time.Time) time.Time {
	from, err := time.Parse("15:04", a.From)
	if err != nil {
		return time.Time{}
	}
	year, month, today := after.In(zone).Date()
	for day := range 9 { // a week, plus today in case its window has already opened, plus one day for a skipped hour
		date := time.Date(year, month, today+day-1, from.Hour(), from.Minute(), 0, 0, time.UTC)
		if at := schedule.WallClock(date, zone); a.Days[(int(date.Weekday())+6)%7] && at.After(after) {
			return at.UTC()
		}
	}
	return time.Time{}
}
