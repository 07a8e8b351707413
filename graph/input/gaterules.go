package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
)

// GateRules are a group's rules for the verdict on updates, as a client sends them.
type GateRules struct {
	Alert           graphql.Omittable[*vcd.GateRule]
	NotSure         graphql.Omittable[*vcd.GateRule]
	ScriptErrors    graphql.Omittable[*vcd.GateRule]
	FailedResources graphql.Omittable[*vcd.GateRule]
	MissingPages    graphql.Omittable[*vcd.GateRule]
	MustBeFine      graphql.Omittable[[]string]
}

// gateRules are all rules: what is left out, or null, has its usual value.
func gateRules(in graphql.Omittable[*GateRules]) vcd.Optional[vcd.GateRules] {
	given := optional(in)
	if given.Value == nil {
		return vcd.Optional[vcd.GateRules]{Set: given.Set}
	}
	rules := vcd.DefaultGateRules()
	vcd.Assign(&rules.Alert, optional(given.Value.Alert))
	vcd.Assign(&rules.NotSure, optional(given.Value.NotSure))
	vcd.Assign(&rules.ScriptErrors, optional(given.Value.ScriptErrors))
	vcd.Assign(&rules.FailedResources, optional(given.Value.FailedResources))
	vcd.Assign(&rules.MissingPages, optional(given.Value.MissingPages))
	vcd.Assign(&rules.MustBeFine, optionalList(given.Value.MustBeFine, same))
	return vcd.Some(rules)
}
