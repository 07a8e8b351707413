package resolver

import (
	"context"
	"slices"
	"time"

	"afterimage/graph/input"
	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// comparisonFilter reads the filter of a list of comparisons.
func (r *Resolver) comparisonFilter(
	ctx context.Context, f *model.ComparisonFilter, by *vcd.ComparisonOrder, direction *scalar.Word,
) (vcd.ComparisonFilter, error) {
	zone := time.UTC
	if f != nil {
		var err error
		if zone, err = r.zoneOf(ctx, f.From.Value(), f.To.Value()); err != nil {
			return vcd.ComparisonFilter{}, err
		}
	}
	return input.Comparisons(ctx, f, by, direction, zone)
}

// batchFilter reads the filter of a list of batches.
func (r *Resolver) batchFilter(
	ctx context.Context, f *model.BatchFilter, by, direction *scalar.Word,
) (vcd.BatchFilter, error) {
	zone := time.UTC
	if f != nil {
		var err error
		if zone, err = r.zoneOf(ctx, f.From.Value(), f.To.Value()); err != nil {
			return vcd.BatchFilter{}, err
		}
	}
	return input.Batches(ctx, f, by, direction, zone)
}

// zoneOf is the account's time zone, in which days begin. It is only read when one of the dates is a day.
func (r *Resolver) zoneOf(ctx context.Context, dates ...*scalar.Date) (*time.Location, error) {
	if !slices.ContainsFunc(dates, (*scalar.Date).IsDay) {
		return time.UTC, nil
	}
	account, err := r.Service.Accounts.Account(ctx, actor(ctx))
	if err != nil {
		return nil, err
	}
	return account.Zone(), nil
}

// series returns the figures of each holder for every day from one date to another.
func (r *Resolver) series(
	ctx context.Context, of vcd.Holder, ids []vcd.ID, from, to scalar.Date,
) (map[vcd.ID][]*vcd.DayFigures, error) {
	v := &vcd.Validation{}
	first, last := dayOf(v, "from", from), dayOf(v, "to", to)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return r.Service.Runs.SeriesOf(ctx, actor(ctx), of, ids, first, last)
}

func dayOf(v *vcd.Validation, field string, d scalar.Date) time.Time {
	day, err := time.Parse(time.DateOnly, string(d))
	v.Check(err == nil && vcd.ValidTime(day), field, "date", "The {field} field must be a day, such as 2026-03-01.")
	return day
}
