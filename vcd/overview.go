package vcd

import (
	"time"
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

// Needs tells why somebody has to look after the group; empty when nobody has to.
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
