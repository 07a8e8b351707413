package vcd

import (
	"context"
	"time"

	"afterimage/vcd/schedule"
)

// GroupOverview is an enabled group with what the statistics of an account need to know of it. Of the group itself only
// its name, its mode, its schedule, its triggers, its next run and its figures are filled in.
type GroupOverview struct {
	Group
	WebsiteID *ID
	Domain    string // of the website, else of a URL of the group; empty when it has neither
}

// StatsStore reads whole accounts at once.
type StatsStore interface {
	// EnabledGroups reads all groups that are enabled.
	EnabledGroups(ctx context.Context) ([]*GroupOverview, error)
	// CountSelectedURLs counts the URLs that are selected in enabled groups, each once, by the mode of the group.
	CountSelectedURLs(ctx context.Context) (monitoring, manual int, err error)
	// AutoUpdated reads the websites with auto-update checks enabled.
	AutoUpdated(ctx context.Context) ([]*Website, error)
}

// NextWindow is when the time window of auto-update checks opens next after a moment; zero without a day.
func (a *AutoUpdateSettings) NextWindow(zone *time.Location, after time.Time) time.Time {
	from, err := time.Parse("15:04", a.From)
	if err != nil {
		return time.Time{}
	}
	year, month, today := after.In(zone).Date()
	for day := range 9 { // a week, today's window that may have opened already, and one day for a skipped hour
		date := time.Date(year, month, today+day-1, from.Hour(), from.Minute(), 0, 0, time.UTC)
		if at := schedule.WallClock(date, zone); a.Days[(int(date.Weekday())+6)%7] && at.After(after) {
			return at.UTC()
		}
	}
	return time.Time{}
}
