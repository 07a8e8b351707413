package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/model"
	"afterimage/vcd"
)

// UpdateResults is what a client sends of the update of a site.
type UpdateResults struct {
	Timestamp int
	Updates   *model.UpdateItemsInput
	Summary   *model.UpdateSummaryInput
}

// Results are the results of the update. Lists that were left out are empty.
func (in *UpdateResults) Results() vcd.UpdateResults {
	out := vcd.UpdateResults{
		Timestamp: in.Timestamp,
		Updates: vcd.Updates{
			Plugins: convertAll(in.Updates.Plugins.Value(), packageUpdate),
			Themes:  convertAll(in.Updates.Themes.Value(), packageUpdate),
		},
		Summary: vcd.UpdateSummary{
			TotalAttempted: in.Summary.TotalAttempted, Successful: in.Summary.Successful, Failed: in.Summary.Failed,
			Status: in.Summary.Status,
		},
	}
	if core := in.Updates.Core.Value(); core != nil {
		out.Updates.Core = &vcd.CoreUpdate{
			Attempted: isTrue(core.Attempted), Success: isTrue(core.Success),
			UpdateOutcome: outcome(core.FromVersion, core.ToVersion, core.Error, core.Messages),
		}
	}
	return out
}

func packageUpdate(in *model.PackageUpdateInput) vcd.PackageUpdate {
	return vcd.PackageUpdate{
		Slug: in.Slug, Name: in.Name.Value(), Success: in.Success,
		UpdateOutcome: outcome(in.FromVersion, in.ToVersion, in.Error, in.Messages),
	}
}

func outcome(from, to, failure graphql.Omittable[*string], messages graphql.Omittable[[]string]) vcd.UpdateOutcome {
	return vcd.UpdateOutcome{
		FromVersion: from.Value(), ToVersion: to.Value(), Error: failure.Value(), Messages: convertAll(messages.Value(), same),
	}
}

func isTrue(o graphql.Omittable[*bool]) bool {
	value := o.Value()
	return value != nil && *value
}
