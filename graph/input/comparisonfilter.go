package input

import (
	"context"
	"time"

	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// Comparisons says which comparisons to list, and in which order. Days are those of the zone.
func Comparisons(
	ctx context.Context, f *model.ComparisonFilter, by *vcd.ComparisonOrder, direction *scalar.Word, zone *time.Location,
) (vcd.ComparisonFilter, error) {
	out := vcd.ComparisonFilter{Order: vcd.OrderCreatedAt, Ascending: direction != nil && *direction == "asc"}
	if by != nil {
		out.Order = *by
	}
	if f == nil {
		return out, nil
	}
	out.IDs, out.Token, out.AboveThreshold = ids(f.Ids), f.Token.Value(), f.AboveThreshold.Value()
	out.Statuses, out.Sources, out.Devices = list(f.Statuses), list(f.Sources), list(f.Devices)
	out.GroupIDs, out.BatchIDs, out.URLIDs = ids(f.GroupIds), ids(f.BatchIds), ids(f.URLIds)
	out.WebsiteIDs, out.ReviewerIDs = ids(f.WebsiteIds), ids(f.ReviewerIds)
	out.Changes, out.OnlyThese = list(f.Changes), f.OnlyTheseChanges.Value() != nil && *f.OnlyTheseChanges.Value()
	out.Text, out.LeastPercent, out.MostPercent = f.Text.Value(), f.MinPercent.Value(), f.MaxPercent.Value()
	out.Categories, out.Verifications = words[vcd.Category](f.Categories), words[vcd.VerificationStatus](f.VerificationStatuses)
	out.ConsoleChange, out.Confirmations = words[vcd.ConsoleChange](f.ConsoleChanges), list(f.Confirmations)
	out.PageAlarm, out.Flapping, out.Truncated = f.PageAlarm.Value(), f.Flapping.Value(), f.Truncated.Value()
	return out, period(ctx, &out.From, &out.To, f.From.Value(), f.To.Value(), zone)
}

// period reads the bounds of a period. A period that ends before it begins is refused; in REST it is empty.
func period(ctx context.Context, from, to **time.Time, first, last *scalar.Date, zone *time.Location) (err error) {
	if *from, err = first.From("from", zone); err != nil {
		return err
	}
	if *to, err = last.To("to", zone); err != nil {
		return err
	}
	if *from != nil && *to != nil && (*to).Before(**from) && !scalar.IsREST(ctx) {
		return vcd.Invalid("to", "after_or_equal", "The {field} field must not be before from.")
	}
	return nil
}

// History says which comparisons of a history to list.
func History(f *model.HistoryFilter) vcd.ComparisonFilter {
	if f == nil {
		return vcd.ComparisonFilter{}
	}
	return vcd.ComparisonFilter{Devices: list(f.Devices), Statuses: list(f.Statuses), AboveThreshold: f.AboveThreshold.Value()}
}
