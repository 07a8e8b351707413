package vcd

import (
	"time"

	"afterimage/vcd/schedule"
)

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
