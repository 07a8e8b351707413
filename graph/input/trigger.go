package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// Trigger is what a client sends to have a group run.
type Trigger struct {
	GroupID string
	Type    scalar.Word
	Urls    graphql.Omittable[[]*model.TriggeredURLInput]
	Scope   graphql.Omittable[*scalar.Word]
	Editor  graphql.Omittable[*string]
}

// Trigger is the same in the domain's words.
func (in *Trigger) Trigger() run.TriggerInput {
	return run.TriggerInput{
		GroupID: in.GroupID, Type: vcd.TriggerType(in.Type), Scope: (*vcd.TriggerScope)(in.Scope.Value()),
		URLs: triggeredURLs(in.Urls.Value()), Editor: in.Editor.Value(),
	}
}

// ExtendTrigger is what a client sends to have runs wait longer.
type ExtendTrigger struct {
	GroupID graphql.Omittable[*string]
	Urls    []*model.TriggeredURLInput
}

// Extend is the same in the domain's words.
func (in *ExtendTrigger) Extend() run.ExtendTriggerInput {
	return run.ExtendTriggerInput{GroupID: in.GroupID.Value(), URLs: triggeredURLs(in.Urls)}
}

func triggeredURLs(list []*model.TriggeredURLInput) []run.TriggeredURL {
	urls := make([]run.TriggeredURL, len(list))
	for i, in := range list {
		urls[i] = run.TriggeredURL{URL: in.URL, Title: in.Title.Value(), PostID: in.PostID.Value()}
	}
	return urls
}
