package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/model"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/schedule"
)

// Group is what a client sends to make or to change a group. The name has two places: one that must be given, to make
// a group, and one that may be left out.
type Group struct {
	NewName           string
	Name              graphql.Omittable[*string]
	Monitoring        graphql.Omittable[*bool]
	Enabled           graphql.Omittable[*bool]
	HourOfDay         graphql.Omittable[*int]
	IntervalInH       graphql.Omittable[*float64]
	ScheduleType      graphql.Omittable[*schedule.Type]
	ScheduleDays      graphql.Omittable[[]schedule.Day]
	QuietHoursStart   graphql.Omittable[*int]
	QuietHoursEnd     graphql.Omittable[*int]
	Triggers          graphql.Omittable[[]*model.GroupTriggerInput]
	AlertEmails       graphql.Omittable[[]string]
	CSS               graphql.Omittable[*string]
	JS                graphql.Omittable[*string]
	CMS               graphql.Omittable[*string]
	Threshold         graphql.Omittable[*float64]
	Measure           graphql.Omittable[*vcd.Measure]
	BasicAuthUser     graphql.Omittable[*string]
	BasicAuthPassword graphql.Omittable[*string]
	ProxyType         graphql.Omittable[*vcd.ProxyType]
	ProxyCountry      graphql.Omittable[*string]
	ScreenshotRegion  graphql.Omittable[*vcd.Region]
	ScreenshotDelay   graphql.Omittable[*int]
	DefaultDesktop    graphql.Omittable[*bool]
	DefaultMobile     graphql.Omittable[*bool]
	HideConsent       graphql.Omittable[*bool]
	ConfirmChanges    graphql.Omittable[*bool]
	AlarmPageChanges  graphql.Omittable[*bool]
	GateRules         graphql.Omittable[*GateRules]
	SignInFlowID      graphql.Omittable[*string]
}

// Create is the change that makes the group.
func (in *Group) Create() inventory.GroupChange {
	change := in.Change()
	change.Name = vcd.Some(in.NewName)
	return change
}

// Change is the change of a group.
func (in *Group) Change() inventory.GroupChange {
	return inventory.GroupChange{
		Name:              optional(in.Name),
		Monitoring:        optional(in.Monitoring),
		Enabled:           optional(in.Enabled),
		HourOfDay:         optional(in.HourOfDay),
		IntervalHours:     optional(in.IntervalInH),
		ScheduleType:      optional(in.ScheduleType),
		ScheduleDays:      optionalList(in.ScheduleDays, same),
		QuietHoursStart:   optional(in.QuietHoursStart),
		QuietHoursEnd:     optional(in.QuietHoursEnd),
		Triggers:          optionalList(in.Triggers, trigger),
		AlertEmails:       optionalList(in.AlertEmails, same),
		CSS:               optional(in.CSS),
		JS:                optional(in.JS),
		CMS:               optional(in.CMS),
		Threshold:         optional(in.Threshold),
		Measure:           optional(in.Measure),
		BasicAuthUser:     optional(in.BasicAuthUser),
		BasicAuthPassword: optional(in.BasicAuthPassword),
		ProxyType:         optional(in.ProxyType),
		ProxyCountry:      optional(in.ProxyCountry),
		ScreenshotRegion:  optional(in.ScreenshotRegion),
		ScreenshotDelay:   optional(in.ScreenshotDelay),
		DefaultDesktop:    optional(in.DefaultDesktop),
		DefaultMobile:     optional(in.DefaultMobile),
		HideConsent:       optional(in.HideConsent),
		ConfirmChanges:    optional(in.ConfirmChanges),
		AlarmPageChanges:  optional(in.AlarmPageChanges),
		GateRules:         gateRules(in.GateRules),
		SignInFlowID:      optional(in.SignInFlowID),
	}
}

func trigger(in *model.GroupTriggerInput) vcd.Trigger {
	return vcd.Trigger{Type: text(in.Type), Scope: text(in.Scope)}
}
