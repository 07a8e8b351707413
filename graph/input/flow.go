package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// Flow is what a client sends to make or to change a flow.
type Flow struct {
	WebsiteID         string
	Name              graphql.Omittable[*string]
	URL               graphql.Omittable[*string]
	Devices           graphql.Omittable[[]vcd.Device]
	Steps             graphql.Omittable[[]*FlowStep]
	Definition        graphql.Omittable[*string]
	Secrets           graphql.Omittable[[]*FlowSecret]
	EnabledManual     graphql.Omittable[*bool]
	EnabledMonitoring graphql.Omittable[*bool]
}

// FlowStep is a step as a client sends it.
type FlowStep struct {
	ID        graphql.Omittable[*string]
	Type      scalar.Word
	Label     graphql.Omittable[*string]
	Selector  graphql.Omittable[*string]
	Value     graphql.Omittable[*string]
	Sensitive graphql.Omittable[*bool]
	Changes   graphql.Omittable[*bool]
	Assertion graphql.Omittable[*FlowAssertion]
}

// FlowAssertion is what must hold.
type FlowAssertion struct{ Kind, Operator, Expected string }

// FlowSecret is a secret of a definition.
type FlowSecret struct{ Name, Value string }

// Create is the change that makes the flow.
func (in *Flow) Create() inventory.FlowChange {
	change := in.Change()
	change.WebsiteID = vcd.Some(in.WebsiteID)
	return change
}

// Change is the change of a flow.
func (in *Flow) Change() inventory.FlowChange {
	change := inventory.FlowChange{
		Name: optional(in.Name), URL: optional(in.URL), Devices: optionalList(in.Devices, same),
		Steps: optionalList(in.Steps, (*FlowStep).change), Definition: optional(in.Definition), Manual: optional(in.EnabledManual),
		Monitoring: optional(in.EnabledMonitoring),
	}
	if secrets, set := in.Secrets.ValueOK(); set && secrets != nil {
		byName := make(map[string]string, len(secrets))
		for _, s := range secrets {
			byName[s.Name] = s.Value
		}
		change.Secrets = vcd.Some(byName)
	}
	return change
}

func (in *FlowStep) change() inventory.FlowStepChange {
	change := inventory.FlowStepChange{
		ID: optional(in.ID), Type: string(in.Type), Label: optional(in.Label), Selector: optional(in.Selector), Value: optional(in.Value),
		Sensitive: optional(in.Sensitive), Changes: optional(in.Changes),
	}
	if a, set := in.Assertion.ValueOK(); set && a != nil {
		change.Assertion = vcd.Some(inventory.FlowAssertionChange(*a))
	}
	return change
}

// FlowTrial is what a client sends to try a flow.
type FlowTrial struct {
	FlowID       *string
	WebsiteID    graphql.Omittable[*string]
	URL          graphql.Omittable[*string]
	Steps        graphql.Omittable[[]*FlowStep]
	Definition   graphql.Omittable[*string]
	Secrets      graphql.Omittable[[]*FlowSecret]
	Device       *vcd.Device
	LastStep     *int
	AllowChanges bool
}

// Trial is the trial of a flow, but for the id of the flow.
func (in *FlowTrial) Trial() inventory.FlowTrialInput {
	f := &Flow{URL: in.URL, Steps: in.Steps, Definition: in.Definition, Secrets: in.Secrets}
	change := f.Change()
	change.WebsiteID = optional(in.WebsiteID)
	return inventory.FlowTrialInput{Change: change, Device: in.Device, LastStep: in.LastStep, AllowChanges: in.AllowChanges}
}
