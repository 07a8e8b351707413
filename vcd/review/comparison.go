package review

import (
	"context"

	"afterimage/vcd"
)

// Comparison is one of the actor's comparisons.
func (s *Service) Comparison(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Comparison, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Comparison, error) { return tx.Comparison(ctx, id) })
}

// ComparisonByToken is the actor's comparison with this public token.
func (s *Service) ComparisonByToken(ctx context.Context, actor vcd.Actor, token string) (*vcd.Comparison, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Comparison, error) {
		return tx.ComparisonByToken(ctx, token)
	})
}

// Comparisons lists the actor's comparisons, newest first unless the filter says otherwise.
func (s *Service) Comparisons(
	ctx context.Context, actor vcd.Actor, f vcd.ComparisonFilter, p vcd.Page, count bool,
) (*vcd.ComparisonList, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.ComparisonList, error) {
		return tx.Comparisons(ctx, f, p, count)
	})
}

// ComparisonFacets counts the actor's comparisons by several criteria.
func (s *Service) ComparisonFacets(ctx context.Context, actor vcd.Actor, f vcd.ComparisonFilter) (*vcd.ComparisonFacets, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.ComparisonFacets, error) {
		return tx.ComparisonFacets(ctx, f)
	})
}

// ComparisonsOfBatches lists the comparisons of several batches, each like Comparisons; f.BatchIDs is ignored. A batch
// without comparisons has an empty list.
func (s *Service) ComparisonsOfBatches(
	ctx context.Context, actor vcd.Actor, batches []vcd.ID, f vcd.ComparisonFilter, p vcd.Page, count bool,
) (map[vcd.ID]*vcd.ComparisonList, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]*vcd.ComparisonList, error) {
		return tx.ComparisonsOfBatches(ctx, batches, f, p, count)
	})
}

// ComparisonsByIDs looks several comparisons up at once; unknown ids are left out.
func (s *Service) ComparisonsByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Comparison, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]*vcd.Comparison, error) {
		return tx.ComparisonsByIDs(ctx, ids)
	})
}
