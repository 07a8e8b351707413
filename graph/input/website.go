package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// Website is what a client sends to make or to change a website. What must be given to make one has two places, like the
// name of Group.
type Website struct {
	NewDomain          string
	NewManualGroup     string
	NewAutoGroup       string
	Domain             graphql.Omittable[*string]
	ManagedBy          graphql.Omittable[*string]
	ManualGroup        graphql.Omittable[*string]
	AutoGroup          graphql.Omittable[*string]
	SyncURLTypes       graphql.Omittable[[]*vcd.SyncURLType]
	AutoUpdateSettings graphql.Omittable[*AutoUpdate]
	Allowances         graphql.Omittable[map[string]any]
}

// Create is the change that makes the website.
func (in *Website) Create() inventory.WebsiteChange {
	change := in.Change()
	change.Domain = vcd.Some(in.NewDomain)
	change.ManualGroupID, change.AutoGroupID = vcd.Some(in.NewManualGroup), vcd.Some(in.NewAutoGroup)
	return change
}

// Change is the change of a website.
func (in *Website) Change() inventory.WebsiteChange {
	change := inventory.WebsiteChange{
		Domain: optional(in.Domain), ManagedBy: optional(in.ManagedBy),
		ManualGroupID: optional(in.ManualGroup), AutoGroupID: optional(in.AutoGroup),
		SyncURLTypes: optionalList(in.SyncURLTypes, func(t *vcd.SyncURLType) vcd.SyncURLType { return *t }),
	}
	settings, set := in.AutoUpdateSettings.ValueOK()
	change.AutoUpdate.Set = set
	if settings != nil {
		change.AutoUpdate = vcd.Some(settings.Change())
	}
	flags, set := in.Allowances.ValueOK()
	change.Allowances.Set = set
	if flags != nil {
		change.Allowances = vcd.Some(flags)
	}
	return change
}

// AutoUpdate is what a client sends about checks around automatic updates.
type AutoUpdate struct {
	AutoUpdateChecksEnabled   graphql.Omittable[*bool]
	AutoUpdateChecksFrom      graphql.Omittable[*string]
	AutoUpdateChecksTo        graphql.Omittable[*string]
	AutoUpdateChecksMonday    graphql.Omittable[*bool]
	AutoUpdateChecksTuesday   graphql.Omittable[*bool]
	AutoUpdateChecksWednesday graphql.Omittable[*bool]
	AutoUpdateChecksThursday  graphql.Omittable[*bool]
	AutoUpdateChecksFriday    graphql.Omittable[*bool]
	AutoUpdateChecksSaturday  graphql.Omittable[*bool]
	AutoUpdateChecksSunday    graphql.Omittable[*bool]
	AutoUpdateChecksEmails    graphql.Omittable[[]string]
}

// Change is the change of the settings.
func (in *AutoUpdate) Change() inventory.AutoUpdateChange {
	return inventory.AutoUpdateChange{
		Enabled: optional(in.AutoUpdateChecksEnabled), From: optional(in.AutoUpdateChecksFrom), To: optional(in.AutoUpdateChecksTo),
		Days: [7]vcd.Optional[bool]{
			optional(in.AutoUpdateChecksMonday), optional(in.AutoUpdateChecksTuesday), optional(in.AutoUpdateChecksWednesday),
			optional(in.AutoUpdateChecksThursday), optional(in.AutoUpdateChecksFriday), optional(in.AutoUpdateChecksSaturday),
			optional(in.AutoUpdateChecksSunday),
		},
		Emails: optionalList(in.AutoUpdateChecksEmails, same),
	}
}
