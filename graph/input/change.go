package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// URL is what a client sends to make or to change a URL. The address has two places, like the name of Group.
type URL struct {
	NewURL    string
	URL       graphql.Omittable[*string]
	HTMLTitle graphql.Omittable[*string]
}

// Create is the change that makes the URL.
func (in *URL) Create() inventory.URLChange {
	return inventory.URLChange{URL: vcd.Some(in.NewURL), HTMLTitle: optional(in.HTMLTitle)}
}

// Change is the change of a URL.
func (in *URL) Change() inventory.URLChange {
	return inventory.URLChange{URL: optional(in.URL), HTMLTitle: optional(in.HTMLTitle)}
}

// Selection is what a client sends about a URL in a group. The id is given where several are sent at once.
type Selection struct {
	ID              string
	Desktop, Mobile graphql.Omittable[*bool]
	CSS, JS         graphql.Omittable[*string]
	Threshold       graphql.Omittable[*float64]
}

// Change is the change of a URL's settings.
func (in *Selection) Change() inventory.SelectionChange {
	return inventory.SelectionChange{
		URLID: in.ID, Desktop: optional(in.Desktop), Mobile: optional(in.Mobile),
		CSS: optional(in.CSS), JS: optional(in.JS), Threshold: optional(in.Threshold),
	}
}

// SelectionChanges are the changes of several URLs' settings.
func SelectionChanges(in []*Selection) []inventory.SelectionChange {
	return convertAll(in, (*Selection).Change)
}

// URLsEdit is what a client sends to change many URLs of a group.
type URLsEdit struct {
	Desktop, Mobile     graphql.Omittable[*bool]
	AddTags, RemoveTags graphql.Omittable[[]string]
	Remove              graphql.Omittable[*scalar.Word]
}

// Edit is the change.
func (in *URLsEdit) Edit() inventory.URLEdit {
	edit := inventory.URLEdit{
		Desktop: optional(in.Desktop), Mobile: optional(in.Mobile),
		Tags: inventory.TagChange{Add: in.AddTags.Value(), Remove: in.RemoveTags.Value()},
	}
	if remove := in.Remove.Value(); remove != nil {
		edit.Remove = inventory.URLRemoval(*remove)
	}
	return edit
}

// Run is what a client sends to have screenshots taken.
type Run struct {
	GroupIds      []string
	ScType        vcd.QueueType
	Source        graphql.Omittable[*vcd.BatchSource]
	BatchPerGroup graphql.Omittable[*bool]
	URLIds        graphql.Omittable[[]string]
	FlowIds       graphql.Omittable[[]string]
	Tags          graphql.Omittable[[]string]
	Devices       graphql.Omittable[[]vcd.Device]
}

// Take is what is asked of the run.
func (in *Run) Take() run.TakeInput {
	take := run.TakeInput{GroupIDs: in.GroupIds, Type: in.ScType}
	if source := in.Source.Value(); source != nil {
		take.Source = *source
	}
	if apart := in.BatchPerGroup.Value(); apart != nil {
		take.BatchPerGroup = *apart
	}
	take.URLIDs, take.FlowIDs, take.Tags, take.Devices = in.URLIds.Value(), in.FlowIds.Value(), in.Tags.Value(), in.Devices.Value()
	return take
}
