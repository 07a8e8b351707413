package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// FeedbackRules says which feedback rules to list.
func FeedbackRules(f *model.AiFeedbackRuleFilter) vcd.FeedbackRuleFilter {
	if f == nil {
		return vcd.FeedbackRuleFilter{}
	}
	return vcd.FeedbackRuleFilter{
		Types: words[vcd.RuleType](f.Types), Scopes: words[vcd.RuleScope](f.Scopes), IsActive: f.IsActive.Value(),
		URLIDs: ids(f.URLIds), GroupIDs: ids(f.GroupIds), WebsiteIDs: ids(f.WebsiteIds),
	}
}

// NewFeedbackRule is the feedback rule that a client asks for.
func NewFeedbackRule(in model.CreateAiFeedbackRuleInput) review.FeedbackRuleInput {
	out := review.FeedbackRuleInput{
		ComparisonID: in.ComparisonID, RegionID: in.RegionID.Value(), ConsoleEntry: in.ConsoleEntry.Value(),
		ConsoleSource: in.ConsoleSource.Value(), Reach: review.RuleReach(in.Scope),
	}
	if kind := in.Type.Value(); kind != nil {
		out.Type = vcd.RuleType(*kind)
	}
	return out
}

// FeedbackRule is what a client sends to change a feedback rule.
type FeedbackRule struct {
	IsActive graphql.Omittable[*bool]
	Scope    graphql.Omittable[*scalar.Word]
}

// Change is the change of the feedback rule.
func (in *FeedbackRule) Change() review.FeedbackRuleChange {
	change := review.FeedbackRuleChange{IsActive: optional(in.IsActive)}
	if reach := in.Scope.Value(); reach != nil {
		change.Reach = vcd.Some(review.RuleReach(*reach))
	}
	return change
}

// standardSimulation is how many days a simulation goes back unless the client says otherwise.
const standardSimulation = 30

// Simulation is the simulation that a client asks for.
func Simulation(group vcd.ID, threshold *float64, rules *model.SimulatedRulesInput, days *int) review.SimulationInput {
	out := review.SimulationInput{GroupID: group, Threshold: threshold, Days: standardSimulation}
	if days != nil {
		out.Days = *days
	}
	if rules == nil {
		return out
	}
	out.Include, out.Exclude = rules.Include.Value(), rules.Exclude.Value()
	for _, in := range rules.Add.Value() {
		out.Add = append(out.Add, NewFeedbackRule(*in))
	}
	return out
}
