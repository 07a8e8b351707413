package vcd

import (
	"time"

	"afterimage/vcd/schedule"
)

// Zone is the account's time zone. One that this machine does not know is read as UTC.
func (a *Account) Zone() *time.Location {
	zone, err := time.LoadLocation(a.Timezone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// PlanNext sets the first run after a moment, in the account's time zone.
func (g *Group) PlanNext(zone *time.Location, after time.Time) {
	g.NextRunAt = nil
	if next := schedule.Next(g.Plan(zone), after); !next.IsZero() {
		g.NextRunAt = &next
	}
}
