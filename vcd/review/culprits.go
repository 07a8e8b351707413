package review

import (
	"context"

	"afterimage/vcd"
	"afterimage/vcd/culprit"
)

// maxTracedAtOnce limits the comparisons whose traces one request examines.
const maxTracedAtOnce = 5000

// CulpritsOf returns the updates that most likely caused the changes in batches. Batches whose UpdateResults are not filled
// in are left out.
func (s *Service) CulpritsOf(ctx context.Context, actor vcd.Actor, batches []*vcd.Batch) (map[vcd.ID][]*culprit.Culprit, error) {
	var updated []vcd.ID
	for _, b := range batches {
		if b.UpdateResults != nil {
			updated = append(updated, b.ID)
		}
	}
	if len(updated) == 0 {
		return nil, nil
	}
	pages, err := vcd.Read(ctx, s.store.Updates(), actor, func(ctx context.Context, tx UpdateTx) (map[vcd.ID][]*vcd.TracedPage, error) {
		return tx.TracedPagesOfBatches(ctx, updated, max(1, min(culprit.MaxTracedPages, maxTracedAtOnce/len(updated))))
	})
	if err != nil {
		return nil, err
	}
	culprits := make(map[vcd.ID][]*culprit.Culprit, len(updated))
	for _, b := range batches {
		if b.UpdateResults != nil {
			culprits[b.ID] = culprit.Rank(b.UpdateResults, pages[b.ID])
		}
	}
	return culprits, nil
}

// CulpritsOfComparisons returns the updates that most likely caused the changes of each comparison whose batch has update
// results.
func (s *Service) CulpritsOfComparisons(
	ctx context.Context, actor vcd.Actor, comparisons []*vcd.Comparison,
) (map[vcd.ID][]*culprit.Culprit, error) {
	batches := make(map[vcd.ID]bool)
	for _, c := range comparisons {
		batches[c.BatchID] = true
	}
	culprits := make(map[vcd.ID][]*culprit.Culprit)
	err := s.store.Updates().Read(ctx, actor, func(ctx context.Context, tx UpdateTx) error {
		var ids []vcd.ID
		for id := range batches {
			ids = append(ids, id)
		}
		results, err := tx.UpdateResultsOf(ctx, ids)
		if err != nil || len(results) == 0 {
			return err
		}
		ids = nil
		for _, c := range comparisons {
			if results[c.BatchID] != nil {
				ids = append(ids, c.ID)
			}
		}
		pages, err := tx.TracedPages(ctx, ids)
		for _, p := range pages {
			culprits[p.ComparisonID] = culprit.Rank(results[p.BatchID], []*vcd.TracedPage{p})
		}
		return err
	})
	return culprits, err
}
