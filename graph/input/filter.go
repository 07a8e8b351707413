package input

import (
	"context"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// Groups says which groups to list.
func Groups(f *model.GroupFilter, by, direction *scalar.Word) vcd.GroupFilter {
	out := vcd.GroupFilter{Sort: sortOf(by, direction)}
	if f == nil {
		return out
	}
	out.Monitoring, out.Enabled, out.MissedRun = f.Monitoring.Value(), f.Enabled.Value(), f.MissedRun.Value()
	out.IDs, out.WebsiteIDs, out.Search = ids(f.Ids), ids(f.WebsiteIds), f.Search.Value()
	return out
}

// sortOf is the order that a client chose. Without a key, a list is sorted by creation.
func sortOf(by, direction *scalar.Word) vcd.Sort {
	out := vcd.Sort{Ascending: direction != nil && *direction == "asc"}
	if by != nil && *by != "created_at" && *by != "created" {
		out.By = string(*by)
	}
	return out
}

// URLs says which URLs to list.
func URLs(f *model.URLFilter, by, direction *scalar.Word) vcd.URLFilter {
	out := vcd.URLFilter{Sort: sortOf(by, direction)}
	if f == nil {
		return out
	}
	out.GroupIDs, out.WebsiteIDs, out.Search, out.Tags = ids(f.GroupIds), ids(f.WebsiteIds), f.Search.Value(), list(f.Tags)
	return out
}

// Websites says which websites to list.
func Websites(f *model.WebsiteFilter, by, direction *scalar.Word) vcd.WebsiteFilter {
	out := vcd.WebsiteFilter{Sort: sortOf(by, direction)}
	if f == nil {
		return out
	}
	out.IDs, out.Domain, out.Search = ids(f.Ids), f.Domain.Value(), f.Search.Value()
	out.ManagedBy, out.Unmanaged = f.ManagedBy.Value(), f.Unmanaged
	return out
}

// Flows says which flows to list.
func Flows(f *model.FlowFilter) vcd.FlowFilter {
	if f == nil {
		return vcd.FlowFilter{}
	}
	out := vcd.FlowFilter{IDs: ids(f.Ids)}
	if raw := f.WebsiteID.Value(); raw != nil {
		one := known([]string{*raw})
		out.WebsiteIDs = &one
	}
	return out
}

// FlowRuns says which runs of a flow to list.
func FlowRuns(f *model.FlowRunFilter) vcd.FlowRunFilter {
	if f == nil {
		return vcd.FlowRunFilter{}
	}
	return vcd.FlowRunFilter{Device: f.Device.Value()}
}

// Webhooks says which webhooks to list.
func Webhooks(f *model.WebhookFilter) vcd.WebhookFilter {
	if f == nil {
		return vcd.WebhookFilter{}
	}
	return vcd.WebhookFilter{Events: list(f.Events)}
}

// Deliveries says which deliveries are meant.
func Deliveries(f *model.WebhookDeliveryFilter) vcd.DeliveryFilter {
	if f == nil {
		return vcd.DeliveryFilter{}
	}
	return vcd.DeliveryFilter{
		WebhookIDs: ids(f.WebhookIds), States: list(f.States), Events: list(f.Events), From: f.From.Value(), To: f.To.Value(),
	}
}

// URLImports says which imports of URLs to list.
func URLImports(f *model.URLImportFilter) vcd.URLImportFilter {
	if f == nil {
		return vcd.URLImportFilter{}
	}
	return vcd.URLImportFilter{
		Kinds: words[vcd.ImportKind](f.Kinds), States: words[vcd.ImportState](f.States), Domain: f.Domain.Value(),
	}
}

// Mails says which mails to list.
func Mails(f *model.MailFilter) vcd.MailFilter {
	if f == nil {
		return vcd.MailFilter{}
	}
	return vcd.MailFilter{Kinds: list(f.Kinds), States: list(f.States), BatchIDs: ids(f.BatchIds)}
}

// Selections says which URLs of a group to list.
func Selections(group vcd.ID, f *model.SelectionFilter, by, direction *scalar.Word) vcd.SelectionFilter {
	out := vcd.SelectionFilter{GroupID: group, Sort: sortOf(by, direction)}
	if f == nil {
		return out
	}
	out.Type, out.Category, out.Search = f.Type.Value(), f.Category.Value(), f.Search.Value()
	out.URLIDs, out.ExceptURLIDs, out.Tags = ids(f.URLIds), ids(f.ExceptURLIds), list(f.Tags)
	if url := f.URL.Value(); url != nil {
		address := strings.TrimPrefix(strings.TrimPrefix(*url, "https://"), "http://")
		out.Address = &address
	}
	return out
}

// Batches says which batches to list. Days are those of the zone.
func Batches(
	ctx context.Context, f *model.BatchFilter, by, direction *scalar.Word, zone *time.Location,
) (vcd.BatchFilter, error) {
	if f == nil {
		return vcd.BatchFilter{Sort: sortOf(by, direction)}, nil
	}
	out := vcd.BatchFilter{
		IDs: ids(f.Ids), AboveThreshold: f.AboveThreshold.Value(), Statuses: list(f.Statuses),
		QueueTypes: list(f.QueueTypes), GroupIDs: ids(f.GroupIds), URLIDs: ids(f.URLIds), WebsiteIDs: ids(f.WebsiteIds),
		Sources: list(f.Sources), Search: f.Search.Value(), Sort: sortOf(by, direction),
	}
	return out, period(ctx, &out.From, &out.To, f.From.Value(), f.To.Value(), zone)
}

// QueueEntries says which queue entries to list.
func QueueEntries(f *model.QueueEntryFilter) vcd.QueueFilter {
	if f == nil {
		return vcd.QueueFilter{}
	}
	return vcd.QueueFilter{
		IDs: ids(f.Ids), BatchIDs: ids(f.BatchIds), GroupIDs: ids(f.GroupIds), URLIDs: ids(f.URLIds),
		Statuses: list(f.Statuses), Types: list(f.Types),
	}
}

// Screenshots says which screenshots to list.
func Screenshots(f *model.ScreenshotFilter) vcd.ScreenshotFilter {
	if f == nil {
		return vcd.ScreenshotFilter{}
	}
	return vcd.ScreenshotFilter{
		IDs: ids(f.Ids), BatchIDs: ids(f.BatchIds), GroupIDs: ids(f.GroupIds), URLIDs: ids(f.URLIds),
		Devices: list(f.Devices), Types: list(f.Types),
	}
}

// Changes says which changes of a batch to list.
func Changes(f *model.BatchChangeFilter, by, direction *scalar.Word) vcd.ChangeFilter {
	out := vcd.ChangeFilter{Order: vcd.OrderFirstSeen, Ascending: direction != nil && *direction == "asc"}
	if by != nil {
		out.Order = vcd.ChangeOrder(*by)
	}
	if f != nil {
		out.Categories, out.Kinds = words[vcd.Category](f.Categories), words[vcd.ChangeKind](f.Kinds)
	}
	return out
}

// ids reads a filter's ids. What is no id matches nothing, as an unknown id does; a list without any id matches nothing
// at all.
func ids(o graphql.Omittable[[]string]) *[]vcd.ID {
	raw := o.Value()
	if raw == nil {
		return nil
	}
	found := known(raw)
	return &found
}

// known are those texts that can be ids at all.
func known(raw []string) []vcd.ID {
	found := make([]vcd.ID, 0, len(raw))
	for _, text := range raw {
		if id, ok := vcd.ParseID(text); ok {
			found = append(found, id)
		}
	}
	return found
}

// words reads a filter's values of an enum that has no Go type of its own in the schema.
func words[T ~string](o graphql.Omittable[[]scalar.Word]) *[]T {
	items := o.Value()
	if items == nil {
		return nil
	}
	values := convertAll(items, func(w scalar.Word) T { return T(w) })
	return &values
}

func list[T any](o graphql.Omittable[[]T]) *[]T {
	items := o.Value()
	if items == nil {
		return nil
	}
	return &items
}
