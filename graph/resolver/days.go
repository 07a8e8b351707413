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
	return input.Comparisons(f, by, direction, zone)
}

// batchFilter reads the filter of a list of batches.
func (r *Resolver) batchFilter(ctx context.Context, f *model.BatchFilter) (vcd.BatchFilter, error) {
	zone := time.UTC
	if f != nil {
		var err error
		if zone, err = r.zoneOf(ctx, f.From.Value(), f.To.Value()); err != nil {
			return vcd.BatchFilter{}, err
		}
	}
	return input.Batches(f, zone)
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
