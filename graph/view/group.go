package view

import (
	"strings"

	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/schedule"
)

// Group shows a group.
type Group struct {
	*vcd.Group
}

// NewGroup shows g.
func NewGroup(g *vcd.Group) *Group { return &Group{g} }

// HourOfDay is the hour at which runs start.
func (g *Group) HourOfDay() int { return g.Schedule.HourOfDay }

// IntervalInH is the hours between two runs.
func (g *Group) IntervalInH() float64 { return g.Schedule.IntervalHours }

// ScheduleType is how runs are planned.
func (g *Group) ScheduleType() schedule.Type { return g.Schedule.Type }

// ScheduleDays are the days of a weekly or monthly schedule.
func (g *Group) ScheduleDays() []schedule.Day { return g.Schedule.Days }

// QuietHoursStart is the hour from which nothing is captured.
func (g *Group) QuietHoursStart() *int { return g.Schedule.QuietStart }

// QuietHoursEnd is the hour until which nothing is captured.
func (g *Group) QuietHoursEnd() *int { return g.Schedule.QuietEnd }

// AlertEmailsText is the addresses as one comma-separated string.
func (g *Group) AlertEmailsText() string { return strings.Join(g.AlertEmails, ",") }

// SelectedChecksCount is the screenshots of one run.
func (g *Group) SelectedChecksCount() int { return g.SelectedChecks }

// Triggers are what on the site makes the group run.
func (g *Group) Triggers() []*GroupTrigger {
	triggers := make([]*GroupTrigger, len(g.Group.Triggers))
	for i, t := range g.Group.Triggers {
		triggers[i] = &GroupTrigger{Type: scalar.Word(t.Type), Scope: scalar.Word(t.Scope)}
	}
	return triggers
}

// EffectiveProxyCountry is the country of the group's proxies.
func (g *Group) EffectiveProxyCountry() string {
	if g.ProxyCountry != nil {
		return *g.ProxyCountry
	}
	return string(g.ScreenshotRegion)
}

// GateRules are its own rules for the verdict on updates, or else the usual ones.
func (g *Group) GateRules() *vcd.GateRules {
	if g.Group.GateRules != nil {
		return g.Group.GateRules
	}
	usual := vcd.DefaultGateRules()
	return &usual
}

// GroupTrigger shows a trigger.
type GroupTrigger struct {
	Type, Scope scalar.Word
}
